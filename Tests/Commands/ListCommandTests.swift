import Testing
import VmxCommand
import VmxModel
import VmxTestSupport

@testable import vmx_list

@Suite struct ListCommandTests {
  private let library: ToolRun

  init() throws {
    library = try ToolRun()
    try library.put(["b/one": .ready, "a/two": .failed, "a/three": .queued])
  }

  private func ids(_ arguments: String..., input: String? = nil) -> String {
    library.run(ListCommand.self, ["--fields", "id"] + arguments, input: input).output
  }

  @Test func `episodes are listed in the order of adding`() {
    #expect(ids() == "b/one\na/two\na/three\n")
  }

  @Test func `all filters must match, and any value of a repeated one`() {
    #expect(ids("--show", "a") == "a/two\na/three\n")
    #expect(ids("--show", "THE A", "--state", "queued") == "a/three\n")
    #expect(ids("--state", "queued", "--state", "ready") == "b/one\na/three\n")
    #expect(ids("--failed") == "a/two\n")
    #expect(ids("--due") == "a/three\n")
  }

  @Test func `rows are sorted by a field, in either direction`() {
    #expect(ids("--sort", "id") == "a/three\na/two\nb/one\n")
    #expect(ids("--sort", "-id") == "b/one\na/two\na/three\n")
  }

  @Test func `completion returns ids with a prefix, up to a limit`() {
    #expect(ids("--prefix", "a/t") == "a/two\na/three\n")
    #expect(ids("--prefix", "a/t", "--limit", "1") == "a/two\n")
    #expect(ids("--sort", "id", "--limit", "1") == "a/three\n")
    #expect(ids("--limit", "0").isEmpty)
    #expect(ids("--prefix", "b", input: "a/three\n") == "b/one\n")
  }

  @Test func `rows on standard input select only for the operand -`() {
    #expect(ids("-", input: "a/three\tx\n{\"id\":\"b/one\"}\n") == "a/three\nb/one\n")
    #expect(ids(input: "a/three\n") == "b/one\na/two\na/three\n")
    #expect(ids("--all", input: "a/three\n") == "b/one\na/two\na/three\n")
    #expect(ids("a/two", input: "a/three\n") == "a/two\n")
    #expect(ids("--show", "a", "-", input: "b/one\na/three\n") == "a/three\n")
  }

  @Test func `an empty pipe means nothing to do, with one note`() {
    let run = library.run(ListCommand.self, "-", input: "")
    #expect(run.ending == .status(.success))
    #expect(run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func `an item that failed earlier passes through unchanged`() {
    let line = #"{"id":"x/y","outcome":"failed","mine":1}"# + "\n"
    #expect(library.run(ListCommand.self, "--json", "-", input: line).output == line)
  }

  @Test func `a row of an unknown episode is passed on as failed`() {
    let run = library.run(ListCommand.self, "--json", "-", input: #"{"id":"no/such","mine":1}"#)
    #expect(run.output.hasPrefix(#"{"schema":1,"id":"no/such","mine":1,"stage":"list""#))
    #expect(run.output.contains(#""outcome":"failed","error":{"code":"no-such-episode""#))
    #expect(run.ending == .status(.noInput))
  }

  @Test func `an unknown id is reported and the others are printed`() {
    let run = library.run(ListCommand.self, "--fields", "id", "no/such", "a/two")
    #expect(run.output == "a/two\n")
    #expect(
      run.errors.hasPrefix("vmx-list: error[no-such-episode]: no episode has the id 'no/such'"))
    #expect(run.ending == .status(.someFailed))
    #expect(library.run(ListCommand.self, "no/such").ending == .status(.noInput))
  }

  @Test func `a bad line is reported and does not stop the others`() {
    let run = library.run(ListCommand.self, "--fields", "id", "-", input: "{\n\na/two\n")
    #expect(run.output == "a/two\n")
    #expect(run.errors.hasPrefix("vmx-list: stdin:1:"))
    #expect(run.ending == .status(.dataError))
  }

  @Test func `an unknown field is a usage error`() {
    #expect(library.run(ListCommand.self, "--sort", "nope").ending == .status(.usage))
  }

  @Test func `a missing library is empty and is not created`() throws {
    let empty = try ToolRun()
    #expect(empty.run(ListCommand.self).ending == .status(.success))
    #expect(!empty.scratch.exists("home"))
  }
}
