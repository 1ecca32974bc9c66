import Testing
import VmxModel
import VmxPresentation

@testable import VmxTerminal

@Suite struct ProgressFrameTests {
  private func frame(_ items: [ProgressItem], ended: Int = 0, expected: Int? = nil)
    -> ProgressFrame
  {
    ProgressFrame(items: items, ended: ended, expected: expected, endedBytes: 0)
  }

  @Test func `a line tells bytes, percent, rate and what is left`() {
    let item = ProgressItem(id: "girls/s01e01", held: 5 << 20, total: 20 << 20, rate: 1 << 20)
    let line = frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))[0]
    #expect(line.hasPrefix("girls/s01e01"))
    for word in ["25%", "5.0 MiB / 20.0 MiB", "1.0 MiB/s", "ETA 15s"] {
      #expect(line.contains(word))
    }
  }

  @Test(arguments: [20, 40, 79, 80, 81, 120, 200])
  func `no line is wider than the terminal`(width: Int) {
    let item = ProgressItem(
      id: "a-show-with-a-long-name/and-a-long-episode-日本語", held: 1, total: 1 << 40, rate: 1,
      attempt: 3, note: "waits 12s")
    for line in frame([item, item]).lines(TerminalFacts(isTerminal: true, width: width)) {
      #expect(DisplayWidth.of(line) < width)
    }
  }

  @Test func `a narrow line still tells rate and what is left`() {
    let item = ProgressItem(id: "girls/s01e01", held: 5 << 20, total: 20 << 20, rate: 1 << 20)
    let line = frame([item]).lines(TerminalFacts(isTerminal: true, width: 60))[0]
    for word in ["girls/s01e01", "25%", "1.0 MiB/s", "ETA 15s"] { #expect(line.contains(word)) }
  }

  @Test func `a transfer that stalls has no rate and no time to go`() {
    var item = ProgressItem(id: "a/b", held: 5 << 20, total: 20 << 20, rate: 1000)
    item.phase = .stalling
    let line = frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))[0]
    #expect(line.contains("stalling") && line.contains("25%"))
    #expect(!line.contains("/s") && !line.contains("ETA"))
    item.phase = .receiving
    #expect(frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))[0].contains("ETA"))
  }

  @Test func `beyond four items the others are counted`() {
    let items = (0..<6).map { ProgressItem(id: "a/\($0)", held: 0) }
    let lines = frame(items, ended: 1, expected: 9).lines(TerminalFacts(isTerminal: true))
    #expect(lines.count == 6)
    #expect(lines[4] == "… and 2 more")
    #expect(lines[5].hasPrefix("total: 1 of 9 files done"))
  }

  @Test func `a whole whose items are not all known has no percent`() {
    let known = ProgressItem(id: "a/a", held: 1, total: 2, rate: 1)
    #expect(frame([known], ended: 0, expected: 1).whole.percent == 50)
    #expect(frame([known], ended: 0, expected: 2).whole.percent == nil)
    #expect(frame([known, ProgressItem(id: "a/b", held: 1)]).whole.percent == nil)
  }

  @Test func `an id cannot steer the terminal`() {
    let item = ProgressItem(id: "\u{1b}[2J", held: 0, note: "\u{1b}c")
    let lines = frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))
    #expect(!lines.joined().contains("\u{1b}"))
  }
}
