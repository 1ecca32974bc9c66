import Testing
import VmxJSON

struct ByteSearchTests {
  private func offset(of needle: String, in text: String) -> Int? {
    Array(text.utf8).withUnsafeBytes { ByteSearch.offset(of: Array(needle.utf8), in: $0) }
  }

  @Test(arguments: [0, 1, 7, 15, 16, 17, 31, 32, 33, 100])
  func `a needle is found at any position`(place: Int) {
    let before = String(repeating: "n", count: place)
    for after in 0..<40 {
      let text = before + "needle" + String(repeating: "e", count: after)
      #expect(offset(of: "needle", in: text) == place)
    }
  }

  @Test func `the first of several positions is returned`() {
    #expect(offset(of: "ab", in: "xxabab") == 2)
    #expect(offset(of: "a", in: "xxaba") == 2)
  }

  @Test func `an absent needle is not found`() {
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
            start: line.start, length: line.length, needle: line.matchOffset,
            holdsAgain: line.isRepeated, mayEscape: line.mayEscape))
      }
    }
    return (lines, end)
  }

  /// Returns the same result, computed byte by byte.
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
  func `lines and their contents are found at any position`(needle: String) {
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

  @Test func `all lines are found, even if more than are searched for at once`() {
    let bytes = Array(String(repeating: "x\n\n", count: 2000).utf8)
    let found = lines(of: bytes, before: bytes.count, [])
    #expect(found.0.count == 4000)
    #expect(found.end == bytes.count)
  }

  private static let at = #","seq":7,"at":"2023-11-14T22:13:20.000Z""#
  private static let key = "u:0123456789abcdef"
  private static let other = #""n:fedcba9876543210""#

  /// Returns a line as written by the store's writer.
  private static func line(_ id: String, kind: String = "episode", _ fields: String) -> String {
    #"{"kind":"\#(kind)","id":"\#(id)"\#(at)\#(fields),"title":"of no matter here"}"#
  }

  /// Returns the indices of the reported lines, which may name `a/1` or contain the key.
  private func mentions(in lines: [String], before stop: Int? = nil) -> [Int] {
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    let starts = lines.indices.map { lines[..<$0].reduce(0) { $0 + $1.utf8.count + 1 } }
    return bytes.withUnsafeBytes { bytes in
      var found: [Int] = []
      var offset = 0
      while offset < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let place = ByteSearch.line(
          naming: Array("a/1".utf8), orHoldingOneOf: Array("\"\(Self.key)\"".utf8), in: rest,
          before: stop.map { $0 - offset } ?? rest.count)
        guard let place, let line = starts.firstIndex(of: offset + place) else { break }
        found.append(line)
        offset = line + 1 < starts.count ? starts[line + 1] : bytes.count
      }
      return found
    }
  }

  private static let mentioning = [
    line("a/1", ""), line("a/1", kind: "alias", ""), line("a/1", #","identity":[]"#),
    line("a/2", #","identity":["\#(key)"]"#), line("a/2", #","identity":[\#(other),"\#(key)"]"#),
    line("a/2", #","txn":"0123456789abcdef","commit":true,"identity":["\#(key)"]"#),
    line("a/2", #","title":"first","identity":["\#(key)"]"#),
    line("a/2", #","identity": ["\#(key)"]"#), line("a/2", #","identity":[ "\#(key)"]"#),
    line("a/2", #","identity":["x","\#(key)"]"#),
    line("a/2", #","identity":["\u0075:0123456789abcdef"]"#),
    line("a/2", #","identity":[\#(other),"u:0123456789abcde\u0066"]"#),
    line("a/2", kind: "root", ""), line("\\u0061/1", ""), "{}", #"{"id":"a/2","kind":"episode"}"#,
    #" {"kind":"episode","id":"a/2"\#(at),"identity":[\#(other)],"title":"a blank before"}"#,
  ]

  @Test(arguments: mentioning)
  func `a line that may name an id or hold a key is found`(line: String) {
    let lines = [Self.line("a/2", #","identity":[\#(Self.other)]"#), "", line, ""]
    #expect(mentions(in: lines) == [2])
  }

  private static let passedOver = [
    line("a/2", ""), line("a/11", #","identity":[\#(other)]"#), line("a/", ""),
    line("a/2", #","identity":[\#(other),\#(other)]"#), line("a/2", #","deleted":true"#),
    line("a/2", kind: "show", #","identity":["\#(key)"]"#),
    line("a/2", #","identity":[],"title":"u:0123456789abcdef""#),
    line("a/2", #","identity":[\#(other)],"summary":"\u0041 \"\#(key)\"""#),
    line("a/2", #","title":"a/1","identity":[\#(other)]"#),
  ]

  @Test(arguments: passedOver)
  func `a line with neither is skipped`(line: String) {
    #expect(mentions(in: [line, line]) == [])
  }

  @Test func `only lines that begin before the end are returned`() {
    let line = Self.line("a/1", "")
    let stop = line.utf8.count + 1
    #expect(mentions(in: [line, line], before: stop) == [0])
    #expect(mentions(in: [line, line], before: stop + 1) == [0, 1])
  }
}
