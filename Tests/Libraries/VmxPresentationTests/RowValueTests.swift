import Testing
import VmxModel

@testable import VmxPresentation

@Suite struct RowValueTests {
  private let moment = Timestamp(milliseconds: 1_795_413_930_123)

  @Test func `all forms of a field are derived from its value`() {
    let time = RowValue.time(moment, relativeTo: Timestamp(milliseconds: 1_795_413_990_123))
    #expect(time.cell == Cell("1m00s ago"))
    #expect(time.exact == moment.text && time.json == .string(moment.text))
    let size = RowValue.bytes(ByteCount(clamping: 2048)).styled(.dim)
    #expect(size.cell == Cell("2.0 KiB", .dim))
    #expect(size.exact == "2048" && size.json == 2048)
    let list = RowValue.list(["a", "b"], separator: ", ")
    #expect(list.cell == Cell("a, b") && list.json == .array(["a", "b"]))
    let duration = RowValue.duration(62_000).shown(Cell("short"))
    #expect(duration.cell == Cell("short") && duration.exact == "62000" && duration.json == 62000)
  }

  @Test func `a field without a value is an empty text and no key`() {
    for value in [
      RowValue.none, .text(nil), .text(nonEmpty: ""), .time(nil), .list(nonEmpty: []),
      .number(nil as Int?),
    ] {
      #expect(value.cell == Cell("") && value.exact.isEmpty && value.json == nil)
    }
    #expect(RowValue.text("").json == "" && RowValue.list([]).json == .array([]))
    #expect(RowValue.time(nil, absent: "never").cell == Cell("never"))
    #expect(RowValue.flag(omittingFalse: false).exact == "false")
    #expect(RowValue.flag(omittingFalse: false).json == nil)
  }

  @Test func `the record of an episode has the types of its keys`() throws {
    let row = EpisodeRow(try sampleEpisode(), EpisodeFacts(DueRule(now: moment)))
    for field in EpisodeField.allCases {
      guard let value = row.value(field).json else { continue }
      #expect(value.typeName == field.key.type.name, "\(field)")
    }
  }
}

extension JSONValue {
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .unsigned: "integer"
    case .double: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
