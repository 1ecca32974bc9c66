import Testing
import VmxJSON
import VmxModel
import VmxNaming

/// Records that must be readable whatever a crash, another version or an editor did to them.
struct LenientRecordTests {
  private struct Sample: LenientRecord, Equatable {
    enum Field: String, RecordField { case name, count, list, texts, hash }
    static let fields = FieldSet<Field>(Field.allCases)
    static var blank: Sample { Sample() }
    var name = ""
    var count: Int64?
    var list: [String] = []
    var texts: [String: String] = [:]
    var hash: UInt64?

    mutating func code<C: FieldCoder>(_ field: Field, _ coder: inout C) throws(C.Problem) {
      switch field {
      case .name: try coder.required(&name)
      case .count: try coder.field(&count)
      case .list: try coder.field(&list, omitting: [])
      case .texts: try coder.field(&texts, omitting: [:])
      case .hash: try coder.field(&hash)
      }
    }
  }

  private func text(_ record: some FieldRecord) -> String {
    var bytes: [UInt8] = []
    record.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func object(_ text: String) throws -> JSONObject {
    try #require(JSONParser().object(in: Array(text.utf8)))
  }

  @Test(arguments: [
    #"{"name":"a"}"#, #"{"name":"a","count":1,"list":["x"],"texts":{"a":"1","b":"2"}}"#,
    #"{"name":"a","hash":"00000000000000ff"}"#,
  ])
  func `a record is written as it was read`(line: String) throws {
    let record = try #require(Sample(reading: try object(line)))
    #expect(text(record) == line)
    #expect(JSONObject(distinct: record.record.fields) == record.record)
    #expect(Sample(reading: record.record) == record)
  }

  @Test func `malformed fields, elements and unknown fields are dropped`() throws {
    let record = try #require(
      Sample(
        reading: try object(
          #"{"new":1,"name":"a","count":"1","list":["x",1],"texts":{"a":1,"b":"2"},"hash":"?"}"#)))
    #expect(text(record) == #"{"name":"a","list":["x"],"texts":{"b":"2"}}"#)
  }

  @Test(arguments: ["{}", #"{"name":null}"#, #"{"name":1}"#])
  func `a record without a required field is no record`(line: String) throws {
    #expect(Sample(reading: try object(line)) == nil)
  }

  @Test func `a move of a file names another root only if it has one`() throws {
    let line = #"{"part":"video","root":"r","from":"a.mp4","to":"b/a.mp4"}"#
    let move = try #require(FileMove(reading: try object(line)))
    #expect(move.newRoot == "r")
    #expect(text(move) == line)
    let other = FileMove(part: "video", root: "r", newRoot: "s", from: "a", to: "a")
    #expect(text(other) == #"{"part":"video","root":"r","to_root":"s","from":"a","to":"a"}"#)
    #expect(FileMove(reading: other.record) == other)
    #expect(FileMove(reading: try object(line.replacing("a.mp4\",", with: "../a.mp4\","))) == nil)
  }
}
