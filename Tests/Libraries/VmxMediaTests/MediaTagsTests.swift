import SystemPackage
import Testing
import VmxMedia
import VmxModel
import VmxSystem

struct MediaTagsTests {
  private func tags(of bytes: [UInt8]) throws -> MediaTags {
    let file = try MemoryFile("media", holding: bytes)
    return try MediaTags(of: file.descriptor, named: "media", size: Int64(bytes.count))
  }

  private func item(_ type: [UInt8], _ kind: Int, _ value: [UInt8]) -> [UInt8] {
    let data = box("data", big(kind), big(0), value)
    return big(data.count + 8) + type + data
  }

  private func film(_ items: [UInt8]..., in meta: String = "meta") -> [UInt8] {
    let list = box("ilst", items.flatMap { $0 })
    let user = box("udta", box(meta, big(0), box("hdlr", big(0)), list))
    return MadeFilm.front + box("moov", box("mvhd", big(0)), user) + box("mdat", payload(50))
  }

  @Test func `an MP4 file tells title, day, show, number, text and page`() throws {
    let sign: [UInt8] = [0xA9]
    let tags = try tags(
      of: film(
        item(sign + Array("nam".utf8), 1, Array("Third: a talk".utf8)),
        item(sign + Array("day".utf8), 1, Array("20240503".utf8)),
        item(Array("tvsh".utf8), 1, Array("Über Show".utf8)),
        item(Array("tvsn".utf8), 21, big(2)), item(Array("tves".utf8), 21, big(7)),
        item(Array("desc".utf8), 1, Array("Short".utf8)),
        item(Array("ldes".utf8), 1, Array("Long".utf8)),
        item(sign + Array("cmt".utf8), 1, Array("https://example.org/watch/3".utf8))))
    #expect(tags.title == "Third: a talk" && tags.date == CalendarDay("2024-05-03"))
    #expect(tags.show == "Über Show" && tags.season == 2 && tags.number == 7)
    #expect(tags.summary == "Long" && tags.page?.text == "https://example.org/watch/3")
  }

  @Test(arguments: [
    ("2024-05-03T07:00:00Z", "2024-05-03"), ("2024-05-03", "2024-05-03"), ("2024", nil),
    ("20241399", nil), ("May 2024", nil),
  ]) func `only a whole day is a day`(text: String, day: String?) throws {
    let tags = try tags(of: film(item([0xA9] + Array("day".utf8), 1, Array(text.utf8))))
    #expect(tags.date == day.flatMap { CalendarDay($0) })
  }

  @Test func `a film without tags tells its playing time`() throws {
    let header = box("mvhd", big(0) + big(0) + big(0) + big(1000) + big(61500))
    let bytes = MadeFilm.front + box("moov", header) + box("mdat", payload(50))
    #expect(try tags(of: bytes).duration == 61500)
    #expect(try tags(of: film()).duration == nil)
  }

  @Test func `a remark is no page`() throws {
    for text in ["see https://example.org", "https://example.org/a b", "enjoy"] {
      let tags = try tags(of: film(item([0xA9] + Array("cmt".utf8), 1, Array(text.utf8))))
      #expect(tags.page == nil)
    }
  }

  @Test func `a Matroska file tells its title and its tags`() throws {
    func tag(_ name: String, _ text: String) -> [UInt8] {
      element(
        0x7373,
        element(0x67C8, element(0x45A3, Array(name.utf8)), element(0x4487, Array(text.utf8))))
    }
    let tags = try tags(
      of: element(0x1A45_DFA3, element(0x4282, Array("matroska".utf8)))
        + element(
          0x1853_8067, element(0x1549_A966, element(0x7BA9, Array("A title".utf8))),
          element(0x1F43_B675, payload(300)),
          element(
            0x1254_C367,
            tag("DATE", "20240503") + tag("purl", "https://youtu.be/aBcD3fGh1jK"))))
    #expect(tags.title == "A title" && tags.date == CalendarDay("2024-05-03"))
    #expect(tags.page?.text == "https://youtu.be/aBcD3fGh1jK")
  }

  @Test func `no prefix of a file is an error`() throws {
    let bytes = film(item([0xA9] + Array("nam".utf8), 1, Array("Title".utf8)))
    for size in 0..<bytes.count { _ = try tags(of: Array(bytes[..<size])) }
    #expect(try tags(of: bytes).title == "Title")
  }
}
