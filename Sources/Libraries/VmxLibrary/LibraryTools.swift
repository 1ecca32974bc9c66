package import SystemPackage
import VmxDigest
package import VmxModel
package import VmxNaming
package import VmxStore

/// The library as the operations of one run of a tool use it: store, roots, clock, settings and the
/// request to stop. The command makes it once.
///
/// ```swift
/// let tools = try LibraryTools(
///   store, context.settings.files(), clock: context.clock, tool: context.stage)
/// let results = try EpisodeRemover(tools).remove(ids, options)
/// ```
package struct LibraryTools: Sendable {
  /// The store of the library; that of a dry run changes nothing.
  package let store: LibraryStore
  /// The roots, with the one for new files.
  package var mediaRoots: MediaRoots
  /// The clock of records and journal entries.
  package let clock: any WallClock
  /// The operation to which all journal entries of the run belong, so that one undo reverts them.
  package var run: Operation
  /// The settings of NFO files; by default none are written.
  package var nfo = NFOSettings.none
  /// The template for the names of new files (`library.template`).
  package var naming = NameTemplate.standard
  /// Whether the run is to stop. Long operations then throw `WorkEnded.interrupted`.
  package let shouldStop: @Sendable () -> Bool
  /// Reads a whole file and returns its SHA-256.
  ///
  /// Throws `WorkEnded.interrupted` and errors of reading the file.
  package var digest: @Sendable (FilePath) throws -> Digest

  /// Creates the tools of a run that writes no NFO files and uses the standard names.
  ///
  /// - Parameters:
  ///   - tool: the name of the tool, without `vmx-`, in journal entries.
  ///   - folder: the folder of the root for new files; nil for the one in the home.
  package init(
    _ store: LibraryStore, clock: any WallClock, tool: String,
    newFilesBelow folder: FilePath? = nil,
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) {
    self.store = store
    self.clock = clock
    self.shouldStop = shouldStop
    mediaRoots = MediaRoots(store: store, newFilesBelow: folder)
    run = Operation(tool: tool, at: clock.now)
    digest = { try FileDigest.sha256(of: $0, shouldStop: shouldStop) }
  }

  /// Creates the tools of a run with the user's settings of files.
  package init(
    _ store: LibraryStore, _ files: FileSettings, clock: any WallClock, tool: String,
    newFilesBelow folder: FilePath? = nil, shouldStop: @escaping @Sendable () -> Bool = { false }
  ) {
    self.init(store, clock: clock, tool: tool, newFilesBelow: folder, shouldStop: shouldStop)
    nfo = files.nfo
    naming = files.naming
  }

  /// Writes the sidecars and NFO files of episodes.
  package var sidecars: SidecarWriter { SidecarWriter(mediaRoots: mediaRoots, nfo: nfo) }
}
