import Testing

@testable import VmxModel

struct ByteCountLimitTests {
  @Test func `a record has no size above the maximum file size`() throws {
    var object = JSONObject()
    object.append("size", .integer(ByteCount.maxFileSize))
    object.append("huge", .integer(.max))
    let fields = FieldReader(object, of: "a record", code: .lineDamaged)
    #expect(try fields.byteCount("size")?.bytes == ByteCount.maxFileSize)
    #expect(throws: Failure.self) { try fields.byteCount("huge") }
  }
}
