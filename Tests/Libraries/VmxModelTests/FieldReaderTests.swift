import Testing
import VmxModel
import VmxTestSupport

struct FieldReaderTests {
  private let fields = FieldReader(
    JSONObject(distinct: [
      ("text", "x"), ("empty", ""), ("blank", " \n"), ("number", 5), ("negative", -5),
      ("fraction", .double(5)),
      ("null", .null), ("mixed", .array(["a", 1])), ("list", .array(["a", "b"])),
    ]), of: "subject", code: .badLine)

  @Test func `missing and null fields are nil`() throws {
    #expect(try fields.string("missing") == nil)
    #expect(try fields.integer("null") == nil)
    #expect(try fields.strings("null") == [])
    #expect(try fields.objects("missing") == [])
    #expect(try fields.text("empty") == nil)
    #expect(try fields.text("blank") == nil)
    #expect(try fields.string("empty") == "")
  }

  @Test func `fields of the right type are returned`() throws {
    #expect(try fields.integer("negative") == -5)
    #expect(try fields.natural("number") == 5)
    #expect(try fields.duration("number") == 5)
    #expect(try fields.strings("list") == ["a", "b"])
  }

  @Test func `a wrong field is reported with its name, its record and the expected type`() {
    #expect(
      throws: Failure(.badLine, "field 'number' of 'subject' is not a string")
    ) { try fields.string("number") }
    #expect(code { try fields.integer("fraction") } == .badLine)
    #expect(code { try fields.byteCount("negative") } == .badLine)
    #expect(code { try fields.natural("negative") } == .badLine)
    #expect(code { try fields.duration("negative") } == .badLine)
    #expect(code { try fields.strings("mixed") } == .badLine)
    #expect(code { try fields.objects("list") } == .badLine)
    #expect(code { try fields.timestamp("text") } == .badLine)
    #expect(code { try fields.sha256("text") } == .badLine)
    #expect(code { try fields.language("text") } == .badLine)
  }

  @Test func `an unknown word is reported with the allowed ones`() {
    #expect(
      throws: Failure(.badLine, "field 'text' of 'subject' is not fetch, hold, none, gone")
    ) { let _: Want? = try fields.value("text") }
  }

  @Test func `in the store a wrong field is damage`() {
    let fields = FieldReader(JSONObject(distinct: [("a", 1)]), of: "x")
    #expect(code { try fields.string("a") } == .storeDamaged)
  }
}
