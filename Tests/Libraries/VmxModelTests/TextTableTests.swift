import Testing
import VmxModel

struct TextTableTests {
  @Test func `each text has the number of its first addition`() {
    var table = TextTable()
    let texts = (0..<40_000).map { "data/Show/Season \($0 % 7)/Caf\u{E9} \($0).mp4" }
    for (number, text) in texts.enumerated() {
      let added = table.insert(text.utf8)
      #expect(added.number == number && added.isNew)
    }
    #expect(table.count == texts.count)
    for (number, text) in texts.enumerated() {
      #expect(table.number(of: text.utf8) == number)
      #expect(table[number] == text)
    }
    let again = table.insert(texts[7].utf8)
    #expect(again.number == 7 && !again.isNew)
    #expect(table.count == texts.count)
    #expect(table.number(of: "data/Show".utf8) == nil)
  }

  @Test func `texts that differ only in their bytes are different`() {
    var table = TextTable()
    // The empty text, two normal forms of one text, and invalid UTF-8.
    for text in [[], [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xFF]] as [[UInt8]] {
      #expect(table.number(of: text) == nil)
      #expect(table.insert(text).isNew)
    }
    #expect(Array(table.bytes(3)) == [0xFF])
  }
}
