import SystemPackage
import VmxCommand
import VmxCommandTestSupport
import VmxModel
import VmxPresentation
import VmxStore
import VmxTestSupport

/// A library of some episodes in a scratch folder, with tools that run on it in this process.
struct ToolRun {
  let scratch: ScratchFolder
  let store: LibraryStore

  /// The output of a run, and its end.
  struct Result: Equatable {
    let output: String
    let errors: String
    let ending: CommandExit
  }

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path("home")), clock: FixedClock())
  }

  /// The same library as another process sees it.
  init(sharing other: ToolRun) throws {
    scratch = other.scratch
    store = try LibraryStore.open(LibraryHome(scratch.path("home")), clock: FixedClock())
  }

  /// Makes a folder below the scratch folder the root 'r'.
  func putRoot(_ name: String) throws {
    try scratch.makeFolder("\(name)/.vmx")
    try scratch.write("\(name)/.vmx/root.json", #"{"root":"r","library":"l"}"#)
    let fields = JSONObject(distinct: [("path", .string(scratch.path(name).string))])
    _ = try store.update(.soon) { transaction in
      transaction.write(StoredRecord(kind: .root, id: "r", fields: fields))
    }
  }

  /// Puts an episode whose video is here.
  func putReady(_ id: String, file: String) throws {
    var video = Part(role: .video, variants: [])
    video.state = .ready
    video.root = "r"
    video.path = file
    let episode = Episode(
      id: try EpisodeID(id), title: id, showTitle: id, added: FixedClock().now, parts: [video])
    _ = try store.update(.soon) { transaction in transaction.write(episode) }
  }

  /// Puts episodes that have this state, in this order.
  func put(_ states: KeyValuePairs<String, PartState>) throws {
    try store.update(.soon) { transaction in
      for (id, state) in states {
        var video = Part(
          role: .video, variants: [Variant(sources: [Source(url: "http://example.org/\(id)")])])
        video.state = state
        video.code = state == .failed ? .httpGone : nil
        let id = try EpisodeID(id)
        transaction.write(
          Episode(
            id: id, title: "Title of \(id.episode)", showTitle: "The \(id.show)",
            added: FixedClock().now, parts: [video]))
      }
    }
  }

  /// Runs a tool; without an input its standard input is like `/dev/null`.
  func run<Tool: Command>(
    _ tool: Tool.Type, _ arguments: String..., input: String? = nil
  ) -> Result {
    run(tool, arguments, input: input)
  }

  func run<Tool: Command>(
    _ tool: Tool.Type, _ arguments: [String], input: String? = nil
  ) -> Result {
    let output = ByteBuffer()
    let errors = ByteBuffer()
    let process = ProcessContext(
      output: output, errors: errors, input: input.map { MadeSource($0) } ?? MadeSource(),
      clock: FixedClock(), environment: Environment(["VMX_HOME": scratch.path("home").string]))
    let ending = Tool.ended(arguments, in: process)
    return Result(output: output.text, errors: errors.text, ending: ending)
  }
}
