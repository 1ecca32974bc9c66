import SystemPackage
import VmxJobs
import VmxModel
import VmxStore
import VmxTestSupport

/// A library in a scratch folder.
struct Library {
  let scratch: ScratchFolder
  let clock = FixedClock()
  let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  /// The same library as another process sees it.
  func again() throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  var mediaRoots: MediaRoots {
    MediaRoots(store: store, newFilesBelow: scratch.path.appending("media"))
  }

  /// A desk that removes; no file is digested for it.
  var removal: EpisodeRemover {
    EpisodeRemover(
      store: store, mediaRoots: mediaRoots, clock: clock, run: Operation(tool: "rm", at: clock.now),
      patience: 0, digest: Self.noDigest)
  }

  /// Stands for a digest where no file is to be read.
  static let noDigest: @Sendable (FilePath) throws -> Digest = { path in
    throw Failure(.internalError, "no digest was expected: '\(path)'")
  }

  func take(_ description: EpisodeDescription) throws -> EpisodeImporter.Taken {
    guard let taken = try EpisodeBatchImporter(store: store, clock: clock).take([description]).first
    else {
      throw Failure(.internalError, "nothing was taken")
    }
    return try taken.get()
  }
  /// Learns of one more URL of a film that is known by another.
  func takeMirror(_ mirror: String, of film: String) throws {
    var description = EpisodeDescription()
    let variant = VariantDescription(sources: [try WebURL(film), try WebURL(mirror)])
    try description.add(PartDescription(role: .video, variants: [variant]))
    _ = try take(description)
  }
}

extension EpisodeDescription {
  /// A video at a URL.
  static func at(_ url: String, show: String? = nil, number: Int64? = nil) throws -> Self {
    var description = EpisodeDescription()
    let variant = VariantDescription(sources: [try WebURL(url)])
    try description.add(PartDescription(role: .video, variants: [variant]))
    description.show = show
    description.number = number
    return description
  }
}
