import Testing
import VmxModel
import VmxPresentation

@testable import VmxCommand

@Suite struct RowReaderTests {
  private func text(_ text: String, _ place: InputPosition) -> RowReader.Line {
    .row(InputRow(text: text, object: nil, position: place))
  }

  private func rows(_ pieces: String...) throws -> [RowReader.Line] {
    var input = RowReader(PieceSource(pieces))
    var rows: [RowReader.Line] = []
    while let row = try input.next() { rows.append(row) }
    return rows
  }

  private func place(_ line: Int, _ column: Int = 1) -> InputPosition {
    InputPosition("stdin", line: line, column: column)
  }

  @Test func `objects may share a line and extend over several`() throws {
    let text = #"{"id":"a","t":"}\\\"{"} {"id":"b"}{"# + "\n \"id\": \"c\"\n}\nd/e\n{\"id\":"
    var reader = RowReader(PieceSource([text]), readsValues: true)
    var words: [String] = []
    while let line = try reader.next() {
      switch line {
      case .row(let row): words.append(row.text ?? "")
      case .invalid(let failure, let place): words.append("\(failure.code.rawValue) \(place.line)")
      }
    }
    #expect(words == ["a", "b", "c", "d/e", "bad-line 5"])
  }

  @Test func `a document is read whole, and its rows have its lines`() throws {
    var reader = RowReader(PieceSource(["\n <a>\n", "b", "\n</a>"])) { bytes in
      [("\(bytes.count)", 2), ("b", 3)]
    }
    #expect(try reader.next() == text("12", place(2)))
    #expect(reader.hasCompleteLine)
    #expect(try reader.next() == text("b", place(3)))
    #expect(try reader.next() == nil)
  }

  @Test func `a later line may begin like a document`() throws {
    var reader = RowReader(PieceSource(["a\n<b>\n"])) { _ in [] }
    #expect(try reader.next() == text("a", place(1)))
    #expect(try reader.next() == text("<b>", place(2)))
  }

  @Test func `a byte order mark is no part of the first row`() throws {
    #expect(try rows("\u{FEFF}a/b\nc/d\n") == [text("a/b", place(1)), text("c/d", place(2))])
  }

  @Test func `objects and ids may be mixed`() throws {
    #expect(
      try rows("{\"id\":\"a/b\"}\nc/d\n") == [
        .row(
          InputRow(
            text: "a/b", object: JSONObject(distinct: [("id", "a/b")]), position: place(1))),
        text("c/d", place(2)),
      ])
  }

  @Test func `the id of a text row ends at its first tab`() throws {
    #expect(try rows("a/b\tready\t5\n") == [text("a/b", place(1))])
  }

  @Test func `blank lines, CRLF and a missing last line end are accepted`() throws {
    #expect(try rows("\n  \r\na/b\r\n\t\nc/d") == [text("a/b", place(3)), text("c/d", place(5))])
  }

  @Test func `a line may arrive in pieces`() throws {
    #expect(try rows("a", "/b\nc/", "d\n") == [text("a/b", place(1)), text("c/d", place(2))])
  }

  @Test func `a bad line is reported with its position and the others are read`() throws {
    let rows = try rows("a/b\n{\"ä\":}\nc/d\n")
    guard case .invalid(let failure, let found) = rows[1] else {
      Issue.record("expected a bad line, not \(rows[1])")
      return
    }
    #expect(failure.code == .badLine)
    #expect(found == place(2, 6))
    #expect(rows[2] == text("c/d", place(3)))
  }

  @Test(arguments: ["{", "{\"a\":1,\"a\":2}", "{\"a\":1} x", "{\"a\":01}"])
  func `a line that is not one object of strict JSON is a bad line`(line: String) throws {
    guard case .invalid(let failure, _)? = try rows(line).first else {
      Issue.record("expected a bad line")
      return
    }
    #expect(failure.code == .badLine)
  }
}
