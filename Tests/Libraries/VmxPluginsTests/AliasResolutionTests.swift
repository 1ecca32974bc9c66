import Testing
import VmxModel
import VmxSettings

@testable import VmxPlugins

@Suite struct AliasResolutionTests {
  private func resolution(
    _ arguments: [String], _ aliases: [String: String], tools: Set<String> = ["list", "fetch"]
  ) throws -> AliasResolution {
    try AliasResolution(
      CommandLineReader(arguments),
      aliases: { name in
        aliases[name].map { SettingAlias(name: name, text: $0, origin: .parameter) }
      }, isTool: tools.contains)
  }

  @Test func `the arguments follow the words of the alias`() throws {
    let found = try resolution(["tv", "girls", "--json"], ["tv": "list --show"])
    #expect(found.line.request == .run(name: "list", arguments: ["--show", "girls", "--json"]))
    #expect(found.expanded.map(\.name) == ["tv"])
  }

  @Test func `an alias may lead to another, with options of vmx`() throws {
    let found = try resolution(
      ["-c", "x.y=1", "-C", "a", "one", "z"],
      ["one": "-c x.y=2 two", "two": "--no-pager -C b list"])
    #expect(found.line.request == .run(name: "list", arguments: ["z"]))
    #expect(found.line.settings == ["x.y=1", "x.y=2"])
    #expect(found.line.folders == ["a", "b"])
    #expect(found.line.pagesNothing)
  }

  @Test func `a tool is never looked up`() throws {
    let found = try resolution(["list"], ["list": "fetch"])
    #expect(found.line.request == .run(name: "list", arguments: []))
    #expect(found.expanded.isEmpty)
  }

  @Test func `a name without an alias stays`() throws {
    #expect(try resolution(["none"], [:]).line.request == .run(name: "none", arguments: []))
  }

  @Test(arguments: [["a": "a"], ["a": "b", "b": "c", "c": "b"], ["a": "-C / a"]])
  func `an alias that leads to itself is refused`(aliases: [String: String]) {
    let failure = #expect(throws: Failure.self) { try resolution(["a"], aliases) }
    #expect(failure?.code == .aliasLoop)
  }

  @Test func `a line of the shell keeps the arguments apart`() throws {
    let found = try resolution(["a", "x y"], ["a": "b 1", "b": "!echo"])
    #expect(found.shellLine == "echo")
    #expect(found.line.request == .run(name: "b", arguments: ["1", "x y"]))
  }

  @Test(arguments: [["help", "tv"], ["tv", "--help"], ["tv", "-h"]])
  func `the help of an alias is that of its tool`(arguments: [String]) throws {
    #expect(try resolution(arguments, ["tv": "list --show"]).line.request == .help(words: ["list"]))
  }

  @Test(arguments: ["--nope list", "--exec-path=/x list", "-C"])
  func `an alias with wrong options of vmx is a wrong setting`(text: String) {
    let failure = #expect(throws: Failure.self) { try resolution(["a"], ["a": text]) }
    #expect(failure?.code == .badSetting)
    #expect(failure?.summary.hasPrefix("option '-c': 'alias.a': ") == true)
  }
}
