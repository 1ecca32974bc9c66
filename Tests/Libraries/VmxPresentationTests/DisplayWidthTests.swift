import Testing

@testable import VmxPresentation

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("\u{1112}\u{1161}\u{11ab}", 2),
    ("🎬", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("ｱ", 1), ("Ａ", 2), ("", 0),
  ])
  func `a text takes as many cells as on a terminal`(text: String, cells: Int) {
    #expect(DisplayWidth.of(text) == cells)
  }

  @Test(arguments: [
    ("abcdef", 4, "abc…"), ("abcd", 4, "abcd"), ("日本語", 4, "日…"), ("日本語", 5, "日本…"),
    ("ab", 0, ""), ("ab", 1, "…"),
  ])
  func `a truncated text never exceeds its number of cells`(text: String, width: Int, cut: String) {
    #expect(DisplayWidth.truncated(text, to: width) == cut)
  }

  @Test func `padding counts cells, not characters`() {
    #expect(DisplayWidth.padded("日", to: 4) == "日  ")
    #expect(DisplayWidth.padded("日", to: 4, rightAligned: true) == "  日")
  }
}
