import Testing
import VmxModel

@testable import VmxPlaying

/// The playbacks derived from the output lines of playerctl.
struct MediaPlayerTrackerTests {
  private func report(
    _ position: Int64, _ status: String = "Playing", of player: String = "vlc", _ file: String = "a"
  ) throws -> MediaPlayerReport {
    let line = "\(player)\t\(status)\t\(position)000000\t3600000000\tfile:///\(file)"
    return try #require(MediaPlayerReport(Array(line.utf8)))
  }

  @Test(arguments: [
    ("file:///a%20b%25%C3%A9.mp4", "/a b%é.mp4"), ("file:/a.mp4", "/a.mp4"),
    ("file://localhost/a.mp4", "/a.mp4"), ("/a\tb.mp4", "/a\tb.mp4"),
    ("https://example.org/a.mp4", nil), ("file://elsewhere/a.mp4", nil), ("file:///%FF", nil),
    ("", nil),
  ])
  func `only files of this machine are reported`(url: String, file: String?) throws {
    let line = "mpv.instance1\tPlaying\t1500000\t60000000\t\(url)"
    let report = try #require(MediaPlayerReport(Array(line.utf8)))
    #expect(report.file == file)
    #expect(report.position == 1500)
    #expect(report.duration == 60_000)
    #expect(report.player == "mpv.instance1")
  }

  @Test(arguments: ["", "x", "\tPlaying\t1\t2\t/a", "mpv\tDancing\t1\t2\t/a", "mpv\tPlaying\t1"])
  func `other lines are ignored`(line: String) {
    #expect(MediaPlayerReport(Array(line.utf8)) == nil)
  }

  @Test func `invalid numbers are unknown`() throws {
    let report = try #require(MediaPlayerReport(Array("mpv\tPaused\t-5\t\t/a".utf8)))
    #expect(report.position == nil)
    #expect(report.duration == nil)
    #expect(!report.isPlaying)
  }

  @Test func `small steps count as played and jumps do not`() throws {
    var tracker = MediaPlayerTracker()
    for position: Int64 in [0, 1, 2, 100, 101, 104, 50, 51] {
      #expect(tracker.process(try report(position), at: position) { _ in 0 } == [])
    }
    var playback = Playback(from: 0)
    (playback.position, playback.duration, playback.seen) = (51_000, 3_600_000, 7000)
    #expect(tracker.endAll() == [.end("/a", playback)])
    #expect(tracker.endAll() == [])
  }

  @Test func `a pause and each minute are recorded`() throws {
    var tracker = MediaPlayerTracker()
    #expect(tracker.process(try report(1), at: 0) { _ in 0 } == [])
    #expect(tracker.process(try report(2), at: 59_999) { _ in 0 } == [])
    #expect(tracker.process(try report(3), at: 60_000) { _ in 0 }.count == 1)
    #expect(tracker.process(try report(4), at: 61_000) { _ in 0 } == [])
    #expect(tracker.process(try report(4, "Paused"), at: 62_000) { _ in 0 }.count == 1)
    #expect(tracker.process(try report(4, "Paused"), at: 63_000) { _ in 0 } == [])
  }

  @Test func `another file, a stop and a timeout end a playback`() throws {
    var tracker = MediaPlayerTracker()
    _ = tracker.process(try report(1), at: 0) { _ in 0 }
    _ = tracker.process(try report(1, of: "mpv", "b"), at: 0) { _ in 0 }
    let events = tracker.process(try report(2, of: "vlc", "c"), at: 1000) { _ in 0 }
    #expect(events.map(\.file) == ["/a"])
    #expect(
      tracker.process(try report(0, "Stopped", of: "vlc", "c"), at: 2000) { _ in 0 }.count == 1)
    #expect(tracker.endTimedOut(at: MediaPlayerTracker.reportTimeout - 1) == [])
    #expect(tracker.endTimedOut(at: MediaPlayerTracker.reportTimeout).map(\.file) == ["/b"])
    _ = tracker.process(try report(1, "Paused"), at: 0) { _ in 0 }
    #expect(tracker.endTimedOut(at: .max) == [])
  }

  @Test func `the most recent player decides`() throws {
    var tracker = MediaPlayerTracker()
    _ = tracker.process(try report(400, of: "a"), at: 2) { _ in 0 }
    _ = tracker.process(try report(300, of: "b"), at: 1) { _ in 0 }
    #expect(tracker.endAll().last.map(\.position) == 400_000)
  }

  @Test func `the part before a resumed position counts as played`() throws {
    var tracker = MediaPlayerTracker()
    // VLC reports 0 before it seeks to the position.
    for position: Int64 in [0, 295, 296, 297] {
      _ = tracker.process(try report(position), at: 0) { _ in 300_000 }
    }
    var playback = Playback(from: 297_000)
    (playback.position, playback.duration) = (297_000, 3_600_000)
    #expect(tracker.endAll() == [.end("/a", playback)])
  }

  @Test func `a position of the player corrects the estimate`() throws {
    var tracker = MediaPlayerTracker()
    _ = tracker.process(try report(0), at: 0) { _ in 300_000 }
    #expect(tracker.playersToQuery(at: 1999) == [])
    #expect(tracker.playersToQuery(at: 2000) == ["vlc"])
    tracker.process(position: 353_000, of: "vlc", at: 2000)
    tracker.process(position: nil, of: "none", at: 2000)
    #expect(tracker.playersToQuery(at: 31_999) == [])
    // The position advances with the clock until a signal reports the actual one.
    _ = tracker.process(try report(3), at: 3000) { _ in 0 }
    tracker.process(position: nil, of: "vlc", at: 32_000)
    var copy = tracker
    #expect(copy.endAll().first?.position == 356_000)
    _ = tracker.process(try report(100), at: 33_000) { _ in 0 }
    #expect(tracker.playersToQuery(at: 35_000) == ["vlc"])
    _ = tracker.process(try report(100, "Paused"), at: 36_000) { _ in 0 }
    #expect(tracker.playersToQuery(at: .max) == [])
    var playback = Playback(from: 303_000)
    (playback.position, playback.duration) = (100_000, 3_600_000)
    #expect(tracker.endAll() == [.end("/a", playback)])
  }

  @Test func `two names of one player are one playback`() throws {
    var tracker = MediaPlayerTracker()
    for position: Int64 in [1, 2, 3] {
      for name in ["vlc", "vlc.instance7"] {
        _ = tracker.process(try report(position, of: name), at: 0) { _ in 0 }
      }
    }
    // One of the names may stop reporting.
    _ = tracker.process(try report(4, of: "vlc.instance7"), at: 0) { _ in 0 }
    #expect(tracker.process(try report(0, "Stopped", of: "vlc.instance7"), at: 0) { _ in 0 } == [])
    _ = tracker.process(try report(9, of: "vlc.instance8", "b"), at: 0) { _ in 0 }
    let ends = tracker.endAll()
    #expect(ends.map(\.file).sorted() == ["/a", "/b"])
    #expect(ends.first { $0.file == "/a" }?.position == 4000)
  }

  @Test func `an impossible position does not overflow`() throws {
    var tracker = MediaPlayerTracker()
    for text in ["\(Int64.max)", "0", "\(Int64.max)", "\(Int64.min)"] {
      let line = Array("x\tPlaying\t\(text)\t\(Int64.max)\t/a".utf8)
      _ = tracker.process(try #require(MediaPlayerReport(line)), at: 0) { _ in .max }
    }
    #expect(tracker.endAll().count == 1)
  }
}

extension MediaPlayerTracker.Event {
  fileprivate var file: String {
    switch self {
    case .checkpoint(let file, _), .end(let file, _): file
    }
  }

  fileprivate var position: Int64? {
    switch self {
    case .checkpoint(_, let playback), .end(_, let playback): playback.position
    }
  }
}
