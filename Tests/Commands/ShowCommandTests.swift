import SystemPackage
import Testing
import VmxCommand
import VmxModel
import VmxTestSupport

@testable import vmx_path
@testable import vmx_show

@Suite struct ShowCommandTests {
  private let library: ToolRun

  init() throws {
    library = try ToolRun()
    try library.put(["a/one": .failed])
  }

  @Test func `an episode is printed in full`() {
    let run = library.run(ShowCommand.self, "a/one")
    #expect(run.output.hasPrefix("a/one\n  title"))
    #expect(run.ending == .status(.success))
  }

  @Test func `as JSON it is one record`() {
    let run = library.run(ShowCommand.self, "--json", "a/one")
    #expect(run.output.hasPrefix(#"{"schema":1,"id":"a/one","rev":"#))
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test func `why names the condition that would release it`() {
    let run = library.run(ShowCommand.self, "--why", "a/one")
    #expect(run.output.contains("'vmx fetch a/one'"))
  }

  @Test func `an unknown id is reported as no-such-episode`() {
    #expect(library.run(ShowCommand.self, "no/such").ending == .status(.noInput))
    #expect(library.run(PathCommand.self, "no/such").ending == .status(.noInput))
  }

  @Test func `without a file no path is printed`() {
    let run = library.run(PathCommand.self, "a/one")
    #expect(run.ending == .status(.noInput))
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("vmx-path: error[no-file]: "))
  }

  @Test func `a file's path is printed as it is`() throws {
    try library.putRoot("media")
    try library.scratch.write("media/film.mp4", "x")
    try library.putReady("a/two", file: "film.mp4")
    let path = library.scratch.path("media/film.mp4").string
    #expect(library.run(PathCommand.self, "a/two").output == path + "\n")
    #expect(library.run(PathCommand.self, "-0", "a/two").output == path + "\0")
    let part = library.run(PathCommand.self, "a/two", "--part", "subtitle:en")
    #expect(part.ending == .status(.noInput))
  }
}
