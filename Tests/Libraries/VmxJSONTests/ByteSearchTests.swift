import Testing
import VmxJSON

struct ByteSearchTests {
  private func offset(of needle: String, in text: String) -> Int? {
    Array(text.utf8).withUnsafeBytes { ByteSearch.offset(of: Array(needle.utf8), in: $0) }
  }

  @Test(arguments: [0, 1, 7, 15, 16, 17, 31, 32, 33, 100])
  func `a needle is found at any place`(place: Int) {
    let before = String(repeating: "n", count: place)
    for after in 0..<40 {
      let text = before + "needle" + String(repeating: "e", count: after)
      #expect(offset(of: "needle", in: text) == place)
    }
  }

  @Test func `the first of several places is given`() {
    #expect(offset(of: "ab", in: "xxabab") == 2)
    #expect(offset(of: "a", in: "xxaba") == 2)
  }

  @Test func `what is not there is not found`() {
    #expect(offset(of: "needle", in: String(repeating: "needl", count: 50)) == nil)
    #expect(offset(of: "abc", in: "ab") == nil)
    #expect(offset(of: "", in: "ab") == nil)
    #expect(offset(of: "a", in: "") == nil)
  }

  private struct Line: Equatable {
    var start: Int
    var length: Int
    var needle: Int?
    var holdsAgain: Bool
    var mayEscape: Bool
  }

  private func lines(of bytes: [UInt8], before stop: Int, _ needle: [UInt8]) -> ([Line], end: Int) {
    var lines: [Line] = []
    let end = bytes.withUnsafeBytes { bytes in
      ByteSearch.forEachLine(in: bytes, before: stop, findingIn: needle) { line in
        lines.append(
          Line(
            start: line.start, length: line.length, needle: line.needle,
            holdsAgain: line.holdsAgain, mayEscape: line.mayEscape))
      }
    }
    return (lines, end)
  }

  /// The same, byte by byte.
  private func expected(
    of bytes: [UInt8], before stop: Int, _ needle: [UInt8]
  ) -> ([Line], end: Int) {
    var lines: [Line] = []
    var start = 0
    while start < min(stop, bytes.count) {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let line = Array(bytes[start..<end])
      let places = line.indices.filter { place in
        !needle.isEmpty && line[place...].starts(with: needle)
      }
      let escapes = line.indices.dropLast().contains { line[$0] == 0x5C && line[$0 + 1] == 0x75 }
      lines.append(
        Line(
          start: start, length: line.count, needle: places.first, holdsAgain: places.count > 1,
          mayEscape: escapes))
      start = end + 1
    }
    return (lines, start)
  }

  @Test(arguments: ["", "a", "ab", "\"a\"", "\"ab\"", "aaaa", "\\u", "\"show_title\""])
  func `lines and what they hold are found at any place`(needle: String) {
    let needle = Array(needle.utf8)
    let letters = Array("ab\"\\u".utf8)
    for round in 0..<400 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...300) {
        switch Int.random(in: 0..<(8 + round % 60)) {
        case 0: bytes.append(0x0A)
        case 1: bytes += needle
        default: bytes.append(letters.randomElement() ?? 0)
        }
      }
      let stop = round.isMultiple(of: 2) ? bytes.count : Int.random(in: 0...bytes.count)
      let found = lines(of: bytes, before: stop, needle)
      let expected = expected(of: bytes, before: stop, needle)
      #expect(found.0 == expected.0)
      #expect(found.end == expected.end)
    }
  }

  @Test func `more lines than are looked for at once all come`() {
    let bytes = Array(String(repeating: "x\n\n", count: 2000).utf8)
    let found = lines(of: bytes, before: bytes.count, [])
    #expect(found.0.count == 4000)
    #expect(found.end == bytes.count)
  }
}
