import Testing
import VmxModel

@testable import VmxPlugins

@Suite struct CommandLineReaderTests {
  @Test(
    arguments: [
      (["list", "--json", "-C"], .run(name: "list", arguments: ["--json", "-C"])),
      (["help", "list"], .help(words: ["list"])),
      (["--help", "list"], .help(words: ["list"])),
      (["help", "free", "space", "-h"], .help(words: ["free", "space"])),
      (["help"], .overview(isAll: false, wasAsked: true)),
      (["-a"], .overview(isAll: true, wasAsked: true)),
      (["help", "-a"], .overview(isAll: true, wasAsked: true)),
      ([], .overview(isAll: false, wasAsked: false)),
      (["--version"], .version(isVerbose: false)), (["--exec-path"], .execPath),
      (["--version", "-v"], .version(isVerbose: true)),
      (["--version", "--verbose"], .version(isVerbose: true)),
      (["--list-cmds"], .names(groups: [])),
      (["--list-cmds=main,others"], .names(groups: ["main", "others"])),
    ] as [([String], Request)])
  func `the first word that is no option decides`(arguments: [String], request: Request) throws {
    #expect(try CommandLineReader(arguments).request == request)
  }

  @Test func `options before the tool are the dispatcher's own`() throws {
    let line = try CommandLineReader(
      ["-C", "a", "-C", "b", "-c", "x.y=1=2", "--exec-path=/e", "list", "-c", "z"])
    #expect(line.folders == ["a", "b"])
    #expect(line.settings == ["x.y=1=2"])
    #expect(line.execPath == "/e")
    #expect(line.request == .run(name: "list", arguments: ["-c", "z"]))
  }

  @Test(arguments: [["--nope"], ["-C"], ["-c"], ["-c", "=v"], ["help", "--nope"]])
  func `an unknown option of the dispatcher is a usage error`(arguments: [String]) {
    #expect(throws: Failure.self) { try CommandLineReader(arguments) }
  }
}
