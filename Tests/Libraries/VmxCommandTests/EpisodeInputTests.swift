import Testing
import VmxModel
import VmxPresentation

@testable import VmxCommand

@Suite struct EpisodeInputTests {
  private func row(_ line: String) throws -> EpisodeInput.Row? {
    var input = EpisodeInput(RecordInput(MadeSource(line)))
    return try input.next()
  }

  @Test func `a plain id is a wish`() throws {
    let place = InputPlace("stdin", line: 1, column: 1)
    let wish = EpisodeWish(
      id: try EpisodeID("a/b"), rev: nil, received: JSONObject(), place: place)
    #expect(try row("a/b\n") == .wish(wish))
  }

  @Test func `a record gives its id and rev, and is kept whole`() throws {
    guard case .wish(let wish)? = try row(#"{"id":"a/b","rev":7,"state":"failed","x":1}"#) else {
      Issue.record("expected a wish")
      return
    }
    #expect(wish.rev == 7)
    #expect(wish.received["x"] == 1)
  }

  @Test func `what failed at an earlier stage is passed on`() throws {
    let line = #"{"id":"a/b","outcome":"failed","error":{"code":"http-gone"}}"#
    guard case .passing(let object)? = try row(line) else {
      Issue.record("expected a passing row")
      return
    }
    #expect(JSONValue.object(object).text == line)
  }

  @Test(arguments: ["not an id", #"{"no":"id"}"#, #"{"id":5}"#, #"{"id":"a/b","rev":"x"}"#])
  func `what names no episode is a bad line`(line: String) throws {
    guard case .bad(let failure, _)? = try row(line) else {
      Issue.record("expected a bad line")
      return
    }
    #expect(failure.code == .badLine)
  }

  @Test func `a repair takes what was found damaged or missing, each episode once`() throws {
    let lines = [
      #"{"id":"a/b","stage":"verify","part":"video","answer":"damaged","outcome":"failed"}"#,
      #"{"id":"a/c","stage":"verify","answer":"intact","outcome":"done"}"#,
      #"{"id":"a/b","stage":"verify","part":"image","answer":"missing","outcome":"failed"}"#,
      #"{"id":"a/d","stage":"verify","answer":"unreachable","outcome":"waiting"}"#,
      #"{"id":"a/e","stage":"add","outcome":"failed"}"#, #"{"id":"a/f"}"#,
    ]
    var input = EpisodeInput(
      RecordInput(MadeSource(lines.joined(separator: "\n") + "\n")), takesProofs: true)
    var seen: [String] = []
    while let row = try input.next() {
      switch row {
      case .wish(let wish): seen.append("\(wish.id)")
      case .passing(let object): seen.append("passes " + (object["id"]?.string ?? ""))
      case .bad: seen.append("bad")
      }
    }
    #expect(seen == ["a/b", "passes a/c", "passes a/d", "passes a/e", "a/f"])
  }
}
