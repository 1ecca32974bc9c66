package import SystemPackage
package import VmxEngine
package import VmxLibrary
package import VmxModel
package import VmxRemoving
package import VmxStore
package import VmxTestSupport

/// A library in a scratch folder.
package struct ScratchLibrary {
  package let scratch: ScratchFolder
  package let clock = FixedClock()
  package let store: LibraryStore

  package init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  /// The same library as another process sees it.
  package func again() throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  package var mediaRoots: MediaRoots {
    MediaRoots(store: store, newFilesBelow: scratch.path.appending("media"))
  }

  /// The tools of a run that computes no digests.
  package var tools: LibraryTools { tools(of: "rm") }

  /// Returns the tools of a run of a tool, as another process has them if given another store.
  package func tools(
    of tool: String, _ other: LibraryStore? = nil,
    digest: @escaping @Sendable (FilePath) throws -> Digest = noDigest
  ) -> LibraryTools {
    var tools = LibraryTools(
      other ?? store, clock: clock, tool: tool, newFilesBelow: scratch.path.appending("media"))
    tools.digest = digest
    return tools
  }

  /// An episode remover that computes no digests.
  package var removal: EpisodeRemover { EpisodeRemover(tools) }

  /// Creates a worker whose bytes are both source and finisher.
  package func worker(
    _ bytes: some PartSource & PartFinishing, removal: EpisodeRemover? = nil,
    options: WorkOptions = WorkOptions(), due: (@Sendable () -> DueRule)? = nil
  ) -> EpisodeWorker {
    EpisodeWorker(
      store: store, actions: PartActions(source: bytes, finisher: bytes), clock: clock,
      options: options, due: due, applyRequests: (removal ?? self.removal).applyRequests)
  }

  /// The digest function where no file must be read: it always fails.
  package static let noDigest: @Sendable (FilePath) throws -> Digest = { path in
    throw Failure(.internalError, "no digest was expected: '\(path)'")
  }

  package func take(
    _ description: EpisodeDescription, isTyped: Bool = true
  ) throws -> EpisodeImporter.Imported {
    let importer = EpisodeBatchImporter(store: store, clock: clock)
    guard let taken = try importer.add([description], isTyped: isTyped).first else {
      throw Failure(.internalError, "nothing was taken")
    }
    return try taken.get()
  }
  /// Imports one more URL of a video that is known by another URL.
  package func takeMirror(_ mirror: String, of film: String) throws {
    var description = EpisodeDescription()
    let variant = VariantDescription(sources: [try WebURL(film), try WebURL(mirror)])
    try description.add(PartDescription(role: .video, variants: [variant]))
    _ = try take(description)
  }
}

extension EpisodeDescription {
  /// A video at a URL.
  package static func at(_ url: String, show: String? = nil, number: Int64? = nil) throws -> Self {
    var description = EpisodeDescription()
    let variant = VariantDescription(sources: [try WebURL(url)])
    try description.add(PartDescription(role: .video, variants: [variant]))
    description.show = show
    description.number = number
    return description
  }
}
