import Testing
import VmxModel
import VmxTestSupport

@testable import VmxBundling

struct SpooledObjectsTests {
  @Test func `objects come back with all of their fields, in any order`() throws {
    let scratch = try ScratchFolder()
    let objects = SpooledObjects(in: scratch.path)
    let text = JSONValue.string(String(repeating: "\u{FC}\n", count: 50_000))
    for number in 0..<30 {
      let object = JSONObject(distinct: [("id", .integer(Int64(number))), ("text", text)])
      #expect(try objects.append(object) == number)
    }
    for number in [7, 0, 29] {
      let object = try objects.object(number)
      #expect(object["id"]?.integer == Int64(number) && object["text"] == text)
    }
  }

  @Test func `files have the digests that were set last`() throws {
    var files = FileDigests()
    let (one, two) = (try #require(Digest.all(1)), try #require(Digest.all(2)))
    files.set("data/b", one)
    files.set("data/a", one)
    files.set("data/b", two)
    #expect(files.count == 2)
    #expect(files["data/b"] == two && files["data/a"] == one && files["data"] == nil)
    #expect(files.sorted.map(\.path) == ["data/a", "data/b"])
  }
}
