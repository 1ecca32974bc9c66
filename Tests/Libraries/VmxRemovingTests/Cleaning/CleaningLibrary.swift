import SystemPackage
import VmxLibrary
import VmxModel
import VmxNaming
import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

/// A library in a scratch folder, with the operations that clean it.
struct CleaningLibrary {
  let scratch: ScratchFolder
  let clock = FixedClock()
  let store: LibraryStore
  let root: MediaRoot

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
    root = try MediaRoots(store: store, newFilesBelow: scratch.path.appending("media"))
      .forNewFiles()
  }

  /// The same library as another process sees it.
  func again() throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  /// Stores an episode whose video is recorded at a path below the root.
  @discardableResult
  func put(_ id: String, at path: String, _ change: (inout Episode) -> Void = { _ in }) throws
    -> Int64
  {
    var part = Part(role: .video, variants: [])
    part.state = .ready
    part.root = root.uuid
    part.path = path
    part.size = ByteCount(clamping: 5)
    var episode = Episode(
      id: try EpisodeID(id), title: id, showTitle: "Show", added: clock.now, parts: [part])
    change(&episode)
    let stored = episode
    // No code reads the sidecar while the record exists.
    let name = id.split(separator: "/").joined(separator: "~")
    try scratch.write("media/.vmx/records/\(name).json", "{}")
    return try store.update(.durable) { $0.write(stored) }
  }

  /// Returns the steps of a dry run.
  func steps(
    _ rules: RetentionRules = RetentionRules(), renaming: RenamingRules? = nil
  ) throws -> [CleaningStep] {
    var options = CleaningOptions(
      trash: TrashRules(
        keep: 86_400_000, quota: .percent(100), reserve: ByteCount(clamping: 0)))
    options.rules = rules
    options.renaming = renaming
    let tools = LibraryTools(try again(), clock: clock, tool: "clean")
    return try CleaningPlanner(tools, options: options, now: clock.now).steps()
  }

  /// Executes the steps and returns their outcomes.
  func perform(_ steps: [CleaningStep]) throws -> [OperationResult] {
    var outcomes: [OperationResult] = []
    var tools = LibraryTools(try again(), clock: clock, tool: "clean")
    tools.nfo = NFOSettings(isWanted: true)
    try CleanupExecutor(tools).perform(steps) { outcomes.append($1) }
    return outcomes
  }

  /// Removes the root's mark, as when its disk is unmounted.
  func hideMark() throws {
    try renameReplacing(
      from: root.folder.appending(LibraryLayout.mark), to: scratch.path.appending("mark"))
  }

  func isThere(_ path: String) throws -> Bool {
    try FileFacts.of(scratch.path(path)) != nil
  }
}
