import Glibc
import SystemPackage
import Testing
import VmxJSON
import VmxModel
import VmxPresentation
import VmxTestSupport

@Suite struct CompletionTests {
  private let scratch: ScratchFolder
  private let tools: FilePath
  private let project: FilePath

  init() throws {
    scratch = try ScratchFolder()
    let bundle = try #require(realpath("/proc/self/exe", nil))
    defer { free(bundle) }
    tools = FilePath(String(cString: bundle)).removingLastComponent()
    project = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent()
  }

  private func output(of program: String, _ arguments: [String]) throws -> String {
    let streams = ChildProcess.Streams(output: scratch.path("out"), error: scratch.path("err"))
    let variables = ["PATH": "\(tools):/usr/bin:/bin", "VMX_HOME": scratch.path("home").string]
    let child = try ChildProcess(program, arguments, environment: variables, streams: streams)
    #expect(child.wait(seconds: 30) == .exited(0))
    return try scratch.text("out")
  }

  /// The names that the tool's own parser takes, with their dashes.
  private func options(of tool: String) throws -> [String] {
    let dump = try output(
      of: tools.appending("vmx-\(tool)").string, ["--experimental-dump-help"])
    // A tool that has only its seed so far takes nothing.
    guard !dump.isEmpty else { return [] }
    let command = try JSONParser().parse(dump).object?["command"]?.object
    let arguments = command?["arguments"]?.array?.compactMap(\.object) ?? []
    return arguments.filter { $0["shouldDisplay"]?.bool != false }
      .flatMap { $0["names"]?.array?.compactMap(\.object) ?? [] }
      .filter { $0["kind"]?.string == "long" }
      .compactMap { $0["name"]?.string }
  }

  private func completion(_ name: String) throws -> String {
    let file = try FileDescriptor.open(
      project.appending("completions").appending(name), .readOnly)
    return try file.closeAfter {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  /// Returns the completions that bash offers for the last of these words.
  private func bash(_ words: String...) throws -> [String] {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source '\(project)/completions/vmx'
      COMP_WORDS=(\(line)) COMP_CWORD=\(words.count - 1)
      _vmx
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    return try output(of: "/bin/bash", ["--norc", "-c", script]).split(separator: "\n")
      .map(String.init)
  }

  @Test(arguments: Toolbox.tools.map(\.name))
  func `every option of a tool is offered, and none that it does not take`(tool: String) throws {
    let options = try options(of: tool)
    guard !options.isEmpty else { return }
    #expect(try bash("vmx", tool, "--").sorted() == options.map { "--\($0)" }.sorted())
    let zsh = try completion("_vmx")
    let fish = try completion("vmx.fish")
    for option in options {
      #expect(zsh.contains("--\(option)"), "zsh lacks --\(option)")
      #expect(fish.contains("-l \(option)"), "fish lacks --\(option)")
    }
  }

  @Test func `every tool of the table is offered`() throws {
    let offered = try bash("vmx", "")
    #expect(Set(offered).isSuperset(of: Toolbox.tools.map(\.name) + ["help"]))
    for tool in Toolbox.tools {
      #expect(try completion("_vmx").contains("'\(tool.name):"))
      #expect(try completion("vmx.fish").contains("-a \(tool.name) -d"))
    }
  }

  @Test func `fields and states are those of the model`() throws {
    #expect(
      try bash("vmx", "list", "--state", "").sorted() == PartState.allCases.map(\.rawValue).sorted()
    )
    #expect(
      try bash("vmx", "list", "--sort", "").sorted()
        == EpisodeField.allCases.map(\.rawValue).sorted())
    #expect(try bash("vmx", "list", "--fields", "id,sta") == ["id,state"])
  }

  @Test func `ids are asked of the library with what was typed`() throws {
    let library = try ToolRun()
    try library.put(["girls/one": .ready, "girls/two": .ready, "zed/one": .ready])
    let home = library.scratch.path("home").string
    let script = """
      source '\(project)/completions/vmx'
      export VMX_HOME='\(home)'
      COMP_WORDS=(vmx show gi) COMP_CWORD=2
      _vmx
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try output(of: "/bin/bash", ["--norc", "-c", script]) == "girls/one\ngirls/two\n")
  }
}
