import Testing
import VmxModel
import VmxPresentation

@testable import VmxCommand

@Suite struct ProgressFrameTests {
  private func frame(_ items: [ProgressItem], ended: Int = 0, files: Int? = nil) -> ProgressFrame {
    ProgressFrame(
      items: items,
      totals: ProgressFrame.Totals(
        ended: ended, files: files, bytes: ByteProgress(completedBytes: 0, total: nil, rate: nil),
        percent: nil))
  }

  @Test func `a line shows bytes, percentage, rate and remaining time`() {
    var item = ProgressItem(id: "girls/s01e01", completedBytes: 5 << 20, total: 20 << 20)
    item.rate = 1 << 20
    let line = frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))[0]
    #expect(line.hasPrefix("girls/s01e01"))
    for word in ["25%", "5.0 MiB / 20.0 MiB", "1.0 MiB/s", "ETA 15s"] {
      #expect(line.contains(word))
    }
  }

  @Test(arguments: [20, 40, 79, 80, 81, 120, 200])
  func `no line is wider than the terminal`(width: Int) {
    var item = ProgressItem(
      id: "a-show-with-a-long-name/and-a-long-episode-日本語", completedBytes: 1, total: 1 << 40,
      attempt: 3)
    (item.rate, item.note) = (1, "waits 12s")
    for line in frame([item, item]).lines(TerminalFacts(isTerminal: true, width: width)) {
      #expect(DisplayWidth.of(line) < width)
    }
  }

  @Test func `a narrow line still shows rate and remaining time`() {
    var item = ProgressItem(id: "girls/s01e01", completedBytes: 5 << 20, total: 20 << 20)
    item.rate = 1 << 20
    let line = frame([item]).lines(TerminalFacts(isTerminal: true, width: 60))[0]
    for word in ["girls/s01e01", "25%", "1.0 MiB/s", "ETA 15s"] { #expect(line.contains(word)) }
  }

  @Test func `a stalled transfer has no rate and no remaining time`() {
    var item = ProgressItem(id: "a/b", completedBytes: 5 << 20, total: 20 << 20)
    item.rate = 1000
    item.phase = .stalling
    let line = frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))[0]
    #expect(line.contains("stalling") && line.contains("25%"))
    #expect(!line.contains("/s") && !line.contains("ETA"))
    item.phase = .receiving
    #expect(frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))[0].contains("ETA"))
  }

  @Test func `once a file has several connections, each line shows the number of open ones`() {
    var items = [
      ProgressItem(id: "a/b", completedBytes: 1), ProgressItem(id: "a/c", completedBytes: 1),
    ]
    (items[0].connections, items[1].connections) = (1, 1)
    let terminal = TerminalFacts(isTerminal: true, width: 80)
    #expect(!frame(items, files: 2).lines(terminal).contains { $0.contains("conn") })
    items[0].connections = 16
    let lines = frame(items, files: 2).lines(terminal)
    #expect(lines.map { $0.suffix(7) } == ["16 conn", " 1 conn", "17 conn"])
  }

  @Test func `beyond four items the others are counted`() {
    let items = (0..<6).map { ProgressItem(id: "a/\($0)", completedBytes: 0) }
    let lines = frame(items, ended: 1, files: 9).lines(TerminalFacts(isTerminal: true))
    #expect(lines.count == 6)
    #expect(lines[4] == "… and 2 more")
    #expect(lines[5].hasPrefix("1 of 9 files"))
  }

  @Test func `a title replaces the id, and its number and part remain in a narrow terminal`() {
    var item = ProgressItem(id: "girls/s01e01", part: "video", title: "Pilot", completedBytes: 0)
    let terminal = TerminalFacts(isTerminal: true, width: 80)
    #expect(frame([item]).lines(terminal)[0].hasPrefix("Pilot "))
    item.title = "The history of the harbour, part 12"
    #expect(frame([item]).lines(terminal)[0].hasPrefix("The history o…our, part 12 "))
    item.part = "subtitle:en"
    #expect(frame([item]).lines(terminal)[0].hasPrefix("The his…art 12 subtitle:en "))
    // Parental control empties the title.
    item.title = ""
    #expect(frame([item]).lines(terminal)[0].hasPrefix("girls/s01e01 subtitle:en "))
  }

  @Test func `a column has one meaning in all lines, also if a size is unknown`() {
    var items = [
      ProgressItem(id: "a/b", completedBytes: 1 << 20, total: 4 << 20),
      ProgressItem(id: "a/c", completedBytes: 2 << 20),
    ]
    items[0].rate = 1 << 20
    var frame = frame(items, files: 2)
    frame.totals = ProgressFrame.Totals(
      ended: 0, files: 2,
      bytes: ByteProgress(completedBytes: 3 << 20, total: nil, rate: 1 << 20), percent: 37,
      eta: 5000)
    let lines = frame.lines(TerminalFacts(isTerminal: true, width: 80))
    for (line, held) in zip(lines, ["1.0 MiB ", "2.0 MiB ", "3.0 MiB "]) {
      #expect(line.contains(held) && !line.contains("4.0 MiB"))
    }
    #expect(lines[2].contains("ETA 5s"))
  }

  @Test(arguments: [
    (80, true, "████▌░░░░"), (80, false, "[###----]"), (200, true, "████████████░"),
  ])
  func `a bar has block characters if they are supported`(width: Int, isUTF8: Bool, bar: String) {
    let item = ProgressItem(id: "a/b", completedBytes: 1, total: 2)
    let terminal = TerminalFacts(isTerminal: true, width: width, isUTF8: isUTF8)
    #expect(frame([item]).lines(terminal)[0].contains(bar))
  }

  @Test func `a low window has only as many lines as it can erase`() {
    let items = (0..<6).map { ProgressItem(id: "a/\($0)", completedBytes: 0) }
    let terminal = TerminalFacts(isTerminal: true, width: 80, height: 5)
    #expect(frame(items).lines(terminal).count == 4)
  }

  @Test func `an id contains no terminal control characters`() {
    var item = ProgressItem(id: "\u{1b}[2J", completedBytes: 0)
    item.note = "\u{1b}c"
    let lines = frame([item]).lines(TerminalFacts(isTerminal: true, width: 100))
    #expect(!lines.joined().contains("\u{1b}"))
  }
}
