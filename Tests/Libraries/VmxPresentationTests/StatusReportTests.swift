import Testing
import VmxModel
import VmxPresentation

@Suite struct StatusReportTests {
  private static let now = Timestamp(seconds: 1_700_000_000)

  private func item(_ id: String, held: Int64 = 250, rate: Int64? = 100) -> StatusItem {
    var item = StatusItem(
      id: id, part: "video", progress: ByteProgress(completedBytes: held, total: 1000, rate: rate),
      at: Self.now)
    item.host = "castle"
    item.pid = 7
    item.since = Self.now.adding(milliseconds: -60_000)
    return item
  }

  private func report(_ items: StatusItem...) -> StatusReport {
    var totals = StatusTotals(at: Self.now)
    totals.count(items)
    totals.episodes = 9
    totals.queued = 2
    totals.waiting = 3
    totals.reasons = [
      .init(reason: .metered, count: 2, until: nil),
      .init(reason: .backoff, count: 1, until: Self.now.adding(milliseconds: 300_000)),
    ]
    totals.networks = [.init(name: "ho\u{1b}[31mme", month: "2023-11", bytes: 2048)]
    return StatusReport(items: items, totals: totals)
  }

  private func text(
    _ report: StatusReport, _ form: OutputForm<StatusField> = .columns(StatusField.defaultFields),
    withTotals: Bool = true, on terminal: TerminalFacts = .pipe
  ) throws -> String {
    let buffer = ByteBuffer()
    try report.print(form, withTotals: withTotals, to: buffer, terminal)
    return buffer.text
  }

  @Test func `in a pipe the rows come first, then totals with names that are not ids`() throws {
    let lines = try text(report(item("a/one"))).split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "a/one\tvideo\t25\t100\t7500\t250\t1000\t1\t7\tcastle\t2023-11-14T22:12:20.000Z\t")
    #expect(
      lines.dropFirst() == [
        "in_work\t1", "queued\t2", "waiting\t3", "paused\t0", "failed\t0", "ready\t0",
        "episodes\t9", "waiting:metered\t2\t", "waiting:backoff\t1\t2023-11-14T22:18:20.000Z",
        #"network:ho\x1b[31mme"# + "\t2048\t2023-11",
      ])
    let names = lines.dropFirst().map { String($0.prefix { $0 != "\t" }) }
    #expect(names.allSatisfy { EpisodeID(valid: $0) == nil })
  }

  @Test func `a template prints only episodes in work`() throws {
    let template = OutputForm<StatusField>.template(try OutputTemplate("{id} {percent}%"))
    #expect(try text(report(item("a/one")), template, withTotals: false) == "a/one 25%\n")
  }

  @Test func `as JSON the totals are the last line`() throws {
    let lines = try text(report(item("a/one")), .json(nil)).split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == #"{"schema":1,"id":"a/one","row":"progress","event":"progress","part":"video","bytes":250,"total":1000,"#
        + #""rate":100,"eta_ms":7500,"attempt":1,"host":"castle","pid":7,"#
        + #""since":"2023-11-14T22:12:20.000Z","at":"2023-11-14T22:13:20.000Z"}"#)
    #expect(lines.count == 2)
    #expect(lines[1].hasPrefix(#"{"schema":1,"id":"total","event":"totals","at":"#))
    #expect(
      lines[1].contains(
        #""reasons":[{"reason":"metered","count":2},{"reason":"backoff","count":1,"until":"#))
  }

  @Test func `on a terminal the totals show the remaining time and the waits`() throws {
    let terminal = TerminalFacts(isTerminal: true, width: 120)
    let whole = try text(report(item("a/one"), item("a/two")), on: terminal)
    #expect(whole.hasPrefix("ID     PART   DONE     RATE  ETA  BYTES    TOTAL"))
    #expect(whole.contains("in work     2: 500 B of 2.0 KiB, 200 B/s, ETA 8s\n"))
    #expect(whole.contains("waiting     3: metered 2, backoff 1 (the first in 5m00s)\n"))
    #expect(whole.contains(#"this month  2.0 KiB over 'ho\x1b[31mme'"#))
    #expect(!whole.contains("paused"))
  }

  @Test func `the total is unknown if one part is`() {
    var totals = StatusTotals(at: Self.now)
    var other = item("a/two", rate: nil)
    other.progress.total = nil
    totals.count([item("a/one"), other])
    #expect(totals.progress == ByteProgress(completedBytes: 500, total: nil, rate: 100))
  }

  @Test func `a frame has no more lines than the window`() throws {
    let items = (0..<40).map { item("a/\($0)") }
    var report = report()
    report.items = items
    report.totals.count(items)
    for height in [12, 20, 30, 100] {
      let terminal = TerminalFacts(isTerminal: true, width: 100, height: height)
      let lines = try report.frame(terminal)
      #expect(lines.count < height)
      #expect(lines.contains { $0.hasPrefix("… and ") } == (height < 100))
      #expect(lines.last?.contains("this month") == true)
    }
  }
}
