import ArgumentParser
import SystemPackage
import Testing
import VmxCommandTestSupport
import VmxModel
import VmxPresentation
import VmxTestSupport

@testable import VmxCommand

@Suite struct InputSelectionTests {
  private typealias Entry = InputSelection<EpisodeID>.Entry

  private func selection(
    _ ids: [String] = [], _ filters: [String] = [], input: any ByteSource,
    _ options: InputOptions = []
  ) throws -> InputSelection<EpisodeID> {
    let process = ProcessContext(
      output: ByteBuffer(), errors: ByteBuffer(), input: input, clock: FixedClock(),
      environment: Environment([:]))
    let context = CommandContext("vmx-test", mode: OutputMode(), process: process)
    return InputSelection(
      ids, filters: try FilterOptions.parse(filters), options: options, in: context)
  }

  private func entries(_ lines: String..., options: InputOptions = []) throws -> [Entry] {
    let text = lines.map { $0 + "\n" }.joined()
    return try selection(input: MadeSource(text), options).all()
  }

  private func words(_ entries: [Entry]) -> [String] {
    entries.map { entry in
      switch entry {
      case .item(let id, _): "\(id)"
      case .invalid(let failure, let row):
        "\(failure.code.rawValue) \(row.position?.description ?? "")"
      case .passThrough(let object): "passes \(object["id"]?.string ?? "")"
      }
    }
  }

  @Test func `a plain id is an item`() throws {
    guard case .item(let id, let row)? = try entries("a/b").first else {
      Issue.record("expected an item")
      return
    }
    #expect(try id == EpisodeID("a/b"))
    #expect(
      row
        == InputRow(text: "a/b", object: nil, position: InputPosition("stdin", line: 1, column: 1)))
  }

  @Test func `a record provides its id and is kept whole`() throws {
    let line = #"{"id":"a/b","rev":7,"state":"failed","x":1}"#
    guard case .item(_, let row)? = try entries(line).first else {
      Issue.record("expected an item")
      return
    }
    #expect(JSONValue.object(row.received).text == line)
  }

  @Test func `an item that failed in an earlier stage is passed on`() throws {
    let line = #"{"id":"a/b","outcome":"failed","error":{"code":"http-gone"}}"#
    guard case .passThrough(let object)? = try entries(line).first else {
      Issue.record("expected a passing row")
      return
    }
    #expect(JSONValue.object(object).text == line)
  }

  @Test(arguments: ["not an id", #"{"no":"id"}"#, #"{"id":5}"#, #"{"id":"a/b","rev":"x"}"#, "{"])
  func `a row that identifies no episode is a bad line`(line: String) throws {
    #expect(try words(entries(line)).first?.hasPrefix("bad-line stdin:1:") == true)
  }

  @Test func `one bad line stops an all-or-nothing tool`() throws {
    let input = { MadeSource("a/b\n{\na/c\n") }
    #expect(try words(selection(input: input()).all()).count == 3)
    #expect(try words(selection(input: input()).allOrInvalid()) == ["bad-line stdin:2:2"])
    let bad = try selection(["a/b", "not an id"], input: MadeSource())
    #expect(try words(bad.allOrInvalid()) == ["a/b", "no-such-episode "])
  }

  @Test func `a batch ends where the next row is not available yet`() throws {
    let selection = try selection(input: PieceSource("a/1\na/2\n", "a/3\n", "a/4"))
    var batches: [[String]] = []
    try selection.forEachBatch(largest: 9) { batch in
      batches.append(words(batch))
      return true
    }
    #expect(batches == [["a/1", "a/2"], ["a/3"], ["a/4"]])
    var first: [[String]] = []
    try self.selection(["a/1", "a/2", "a/3"], input: MadeSource()).forEachBatch(largest: 2) {
      batch in
      first.append(words(batch))
      return false
    }
    #expect(first == [["a/1", "a/2"]])
  }

  @Test func `rows are read only without operands and from a readable stream`() throws {
    #expect(try selection(input: MadeSource("x")).source == .rows)
    #expect(try selection(["a/b"], input: MadeSource("x")).source == .operands)
    #expect(try selection([], ["--show", "girls"], input: MadeSource("x")).source == .filters)
    #expect(try selection(input: MadeSource()).source == .filters)
    #expect(try selection(["-"], input: MadeSource("x")).source == .rows)
  }

  @Test func `a tool for the whole library reads rows only with the operand -`() throws {
    let waiting = { MadeSource("a/b\n") }
    #expect(try selection(input: waiting(), .onRequest).source == .filters)
    #expect(try selection(["-"], input: waiting(), .onRequest).source == .rows)
    #expect(try selection(["-"], ["--due"], input: waiting(), .onRequest).source == .rows)
  }

  @Test func `unread pending rows are reported once, and stay`() throws {
    let process = MadeProcess(input: MadeSource("a/b\n"))
    let context = process.context()
    for _ in 0..<2 {
      _ = InputSelection([], filters: try FilterOptions.parse([]), options: .onRequest, in: context)
    }
    context.unreadInput.check()
    #expect(process.errors.text.contains("give the operand '-' to read them"))
    #expect(process.errors.text.split(separator: "\n").count == 1)
    #expect(try process.input.read() == Array("a/b\n".utf8))
  }

  @Test(arguments: [["--due"], ["--all"]])
  func `a tool with operands does not report pending rows`(filters: [String]) throws {
    let process = MadeProcess(input: MadeSource("a/b\n"))
    let context = process.context()
    _ = InputSelection(
      [], filters: try FilterOptions.parse(filters), options: .onRequest, in: context)
    context.unreadInput.check()
    #expect(process.errors.text.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a tool whose input stalls reports once what it waits for`(isLate: Bool) throws {
    let process = MadeProcess(input: LateSource(isLate: isLate))
    let none = try FilterOptions.parse([])
    #expect(try InputSelection([], filters: none, in: process.context()).all().count == 1)
    let notes = process.errors.text.split(separator: "\n")
    #expect(notes.count == (isLate ? 1 : 0))
    #expect(notes.allSatisfy { $0.contains("waiting for ids or rows on standard input") })
  }

  @Test func `each read of the input is announced before its first row`() throws {
    let selection = try selection(input: PieceSource("a/1\na/2\n", "a/3\n"))
    var steps: [String] = []
    try selection.forEach(onArrival: { steps.append("read") }) { entry in
      steps += words([entry])
      return true
    }
    #expect(steps == ["read", "a/1", "a/2", "read", "a/3"])
  }

  @Test func `rows that name another shape are passed on`() throws {
    let totals = #"{"schema":1,"id":"total","row":"totals"}"#
    #expect(try words(entries(totals)) == ["passes total"])
  }

  @Test func `each kind of rows that is passed on is named once`() throws {
    let rows = ["person", "person", "warning", "unheard-of"].map { #"{"id":"1","row":"\#($0)"}"# }
    let process = MadeProcess(input: MadeSource(rows.map { $0 + "\n" }.joined()))
    _ = try InputSelection([], filters: FilterOptions.parse([]), in: process.context()).all()
    let notes = process.errors.text.split(separator: "\n")
    #expect(notes.count == 2)
    #expect(notes.first?.contains("these rows are people; use 'vmx people'") == true)
    #expect(notes.last?.contains("these rows are of the kind 'unheard-of'") == true)
  }

  @Test func `rows of shows are items of a tool for shows, and other rows are passed on`() throws {
    let rows = [
      #"{"id":"139","row":"show"}"#, #"{"id":"check","row":"finding"}"#, "7", "tvmaze:139",
    ]
    let process = MadeProcess(input: MadeSource(rows.map { $0 + "\n" }.joined()))
    var requests: [ShowRequest] = []
    var passed = 0
    try InputSelection(shows: [], in: process.context()).forEach { entry in
      switch entry {
      case .item(let request, _): requests.append(request)
      case .passThrough: passed += 1
      case .invalid: Issue.record("no line is invalid")
      }
      return true
    }
    #expect(requests == [.id(139), .slug("7"), .id(139)])
    #expect(passed == 1)
  }

  @Test func `a number in a line of text is no person`() throws {
    let process = MadeProcess(input: MadeSource("7\ntvmaze:people/9\n"))
    var requests: [PersonRequest] = []
    var invalid = 0
    try InputSelection(people: [], in: process.context()).forEach { entry in
      if case .item(let request, _) = entry { requests.append(request) }
      if case .invalid = entry { invalid += 1 }
      return true
    }
    #expect(requests == [.id(9)])
    #expect(invalid == 1)
  }

  @Test func `a repair selects damaged or missing episodes, each once`() throws {
    let entries = try entries(
      #"{"id":"a/b","stage":"verify","part":"video","answer":"damaged","outcome":"failed"}"#,
      #"{"id":"a/c","stage":"verify","answer":"intact","outcome":"done"}"#,
      #"{"id":"a/b","stage":"verify","part":"image","answer":"missing","outcome":"failed"}"#,
      #"{"id":"a/d","stage":"verify","answer":"unreachable","outcome":"waiting"}"#,
      #"{"id":"a/e","stage":"add","outcome":"failed"}"#, #"{"id":"a/f"}"#,
      options: .proofs)
    #expect(words(entries) == ["a/b", "passes a/c", "passes a/d", "passes a/e", "a/f"])
  }
}

/// Provides one row, either before or after the command's time limit.
private final class LateSource: ByteSource {
  let isData = true
  private let isLate: Bool
  private let rows = MadeSource("a/b\n")

  init(isLate: Bool) { self.isLate = isLate }

  func isReady(within milliseconds: Int64) -> Bool { !isLate }

  func read() throws(Failure) -> [UInt8] { try rows.read() }
}
