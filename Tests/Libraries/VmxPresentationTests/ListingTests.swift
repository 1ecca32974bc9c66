import Testing
import VmxModel

@testable import VmxPresentation

@Suite struct ListingTests {
  private let hostile = SampleRow(title: "a\tb\nc\\d\u{1b}[2J")

  @Test func `a pipe gets tab-separated lines without a header`() throws {
    #expect(try printed(.columns(SampleField.defaultFields), [SampleRow()]) == "a/b\t7\tTitle\n")
  }

  @Test func `a value never splits a tab-separated line`() throws {
    let text = try printed(.columns([.id, .title]), [hostile])
    #expect(text == "a/b\ta\\tb\\nc\\\\d\\x1b[2J\n")
  }

  @Test func `NUL terminates rows whose values are printed unescaped`() throws {
    #expect(try printed(.nul([.id]), [SampleRow(), SampleRow(id: "c/d")]) == "a/b\0c/d\0")
    #expect(try printed(.nul([.title]), [hostile]) == "a\tb\nc\\d\u{1b}[2J\0")
  }

  @Test func `JSON begins with schema and id, whatever fields were requested`() throws {
    #expect(
      try printed(.json([.title]), [SampleRow()])
        == "{\"schema\":1,\"id\":\"a/b\",\"title\":\"Title\"}\n")
  }

  @Test func `JSON on a terminal escapes control characters`() throws {
    let row = SampleRow(title: "\u{9b}2J\u{202e}")
    let text = try printed(.json([.title]), [row], TerminalFacts(isTerminal: true))
    #expect(text == #"{"schema":1,"id":"a/b","title":"\u009b2J\u202e"}"# + "\n")
  }

  @Test func `a table has a header and columns as wide as their widest text`() throws {
    let rows = [SampleRow(), SampleRow(id: "long/id", size: "123", title: "日本")]
    let text = try printed(
      .columns(SampleField.defaultFields), rows, TerminalFacts(isTerminal: true))
    #expect(
      text == """
        ID       SIZE  TITLE
        a/b         7  Title
        long/id   123  日本

        """)
  }

  @Test func `a table of one column has no header, so that it can be copied`() throws {
    let text = try printed(.columns([.id]), [SampleRow()], TerminalFacts(isTerminal: true))
    #expect(text == "a/b\n")
  }

  @Test func `a table without rows prints nothing`() throws {
    let text = try printed(.columns(SampleField.defaultFields), [], TerminalFacts(isTerminal: true))
    #expect(text.isEmpty)
  }

  @Test func `a flexible column shrinks to the width of the terminal`() throws {
    let row = SampleRow(title: "A title that is much too long")
    let text = try printed(
      .columns(SampleField.defaultFields), [row], TerminalFacts(isTerminal: true, width: 25))
    #expect(text == "ID   SIZE  TITLE\na/b     7  A title that …\n")
  }

  @Test func `a very narrow terminal drops columns but never the first`() throws {
    let row = SampleRow(id: "a-rather-long-show/s01e01", title: "Title")
    let text = try printed(
      .columns(SampleField.defaultFields), [row], TerminalFacts(isTerminal: true, width: 20))
    #expect(text == "ID\na-rather-long-show/s01e01\n")
  }

  @Test func `titles in a table contain no terminal control characters`() throws {
    let text = try printed(.columns([.title]), [hostile], TerminalFacts(isTerminal: true))
    #expect(text == "a\\tb\\nc\\d\\x1b[2J\n")
  }

  @Test func `a long table keeps the widths of its first rows and prints every row`() throws {
    let rows = (0..<600).map { SampleRow(id: "a/\($0)") }
    let text = try printed(.columns([.id, .size]), rows, TerminalFacts(isTerminal: true))
    #expect(text.split(separator: "\n").count == 601)
  }
}
