import Testing
import VmxModel
import VmxPresentation

/// The table of episodes on terminals of any width.
struct EpisodeTableTests {
  /// Returns the lines of a table with one episode.
  private func lines(id: String, title: String, width: Int) throws -> [String] {
    var part = Part(role: .video, variants: [])
    part.state = .waiting
    part.reason = .metered
    part.size = ByteCount(clamping: 25 << 20)
    let episode = Episode(
      id: try EpisodeID(id), title: title, showTitle: "Show", added: Timestamp(seconds: 0),
      parts: [part])
    let buffer = ByteBuffer()
    let terminal = TerminalFacts(isTerminal: true, width: width)
    let form = OutputForm.columns(EpisodeField.defaultFields)
      .narrowed(to: EpisodeField.narrowFields, on: terminal)
    var listing = Listing<EpisodeRow>(form, to: buffer, terminal)
    try listing.row(EpisodeRow(episode, EpisodeFacts(DueRule(now: Timestamp(seconds: 60)))))
    try listing.end()
    try listing.footer("1 episode, 25.0 MiB")
    return buffer.text.split(separator: "\n").map(String.init)
  }

  private static let long = "a-show-with-a-name-that-goes-on-and-on-and-on-for-ever/s01e02"
  private static let title = "The one with the title that is longer than any line"

  @Test func `80 columns show the title first, then state, size and the whole id`() throws {
    let lines = try lines(id: Self.long, title: Self.title, width: 80)
    #expect(lines[0].split(separator: " ") == ["TITLE", "STATE", "SIZE", "ID"])
    #expect(
      lines[1].hasPrefix("The one with the title …  waiting: metered  25.0 MiB  \(Self.long)"))
    #expect(lines[2] == "1 episode, 25.0 MiB")
  }

  @Test func `a title is complete if the id leaves room`() throws {
    let lines = try lines(id: "girls/s01e02", title: Self.title, width: 99)
    #expect(lines[1].hasPrefix(Self.title + "  ") && lines[1].hasSuffix("  girls/s01e02"))
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 99 })
  }

  @Test func `columns are dropped in order of importance, and an id is never cut`() throws {
    var left: [[String]] = []
    for width in (10...120).reversed() {
      let lines = try lines(id: Self.long, title: Self.title, width: width)
      let shown = ["ADDED", "SIZE", "ID", "TITLE", "STATE"].filter { heading in
        lines[0].split(separator: " ").contains { $0 == heading }
      }
      if left.last != shown { left.append(shown) }
      #expect(lines[1].contains(Self.long) == shown.contains("ID"))
    }
    #expect(
      left == [
        ["ADDED", "SIZE", "ID", "TITLE", "STATE"], ["SIZE", "ID", "TITLE", "STATE"],
        ["ID", "TITLE", "STATE"], ["TITLE", "STATE"], ["STATE"],
      ])
  }

  @Test func `short ids are complete`() throws {
    let lines = try lines(id: "girls/s01e02", title: Self.title, width: 100)
    #expect(lines[1].hasPrefix("girls/s01e02  "))
  }

  @Test func `a text is shortened in its middle`() {
    #expect(DisplayWidth.shortened("abcdefghij", to: 10) == "abcdefghij")
    #expect(DisplayWidth.shortened("abcdefghij", to: 7) == "abc…hij")
    #expect(DisplayWidth.shortened("abcdefghij", to: 6) == "abc…ij")
    #expect(DisplayWidth.shortened("日本日本日本", to: 7) == "日本…本")
    #expect(DisplayWidth.shortened("abc", to: 0).isEmpty)
  }

  @Test func `a long text is wrapped between words`() throws {
    let buffer = ByteBuffer()
    let terminal = TerminalFacts(isTerminal: true, width: 60)
    var listing = Listing<WrappedRow>(.columns(FindingField.defaultFields), to: buffer, terminal)
    let what = "a sentence of many words that tells what is the matter with all of it"
    try listing.row(WrappedRow(text: what))
    try listing.end()
    let lines = buffer.text.split(separator: "\n").map(String.init)
    #expect(lines.count > 3)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 60 && !$0.hasSuffix(" ") })
    for word in what.split(separator: " ") { #expect(lines.contains { $0.contains(word) }) }
  }

  @Test func `a pipe gets a table only on request`() throws {
    let row = SampleRow()
    #expect(try printed(.columns(SampleField.defaultFields), [row]) == "a/b\t7\tTitle\n")
    #expect(
      try printed(.table(SampleField.defaultFields), [row])
        == "ID   SIZE  TITLE\na/b     7  Title\n")
  }
}

/// A row with the layout of the findings of doctor.
private struct WrappedRow: ListingRow {
  let text: String
  var id: String { "lines" }

  func value(_ field: FindingField) -> RowValue {
    switch field {
    case .check: .word(id)
    case .severity: .word("problem", .failure)
    case .code: .word("line-damaged")
    case .line: .number(7)
    case .subject: .text("/a/path/of/it")
    case .summary: .text(text)
    case .outcome, .hint: .none
    }
  }
}
