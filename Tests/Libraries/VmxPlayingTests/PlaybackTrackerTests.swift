import Testing
import VmxJSON
import VmxModel

@testable import VmxPlaying

/// The playback derived from the messages of mpv.
struct PlaybackTrackerTests {
  private func tracker(from start: Int64 = 0, after lines: String...) throws -> PlaybackTracker {
    var tracker = PlaybackTracker(from: start)
    for line in lines { _ = try take(line, &tracker) }
    return tracker
  }

  private func take(_ line: String, _ tracker: inout PlaybackTracker) throws -> Bool {
    tracker.process(try #require(try JSONParser().parse(Array(line.utf8)).object))
  }

  private func at(_ seconds: Double) -> String {
    #"{"event":"property-change","id":1,"name":"time-pos","data":\#(seconds)}"#
  }

  private let restart = #"{"event":"playback-restart"}"#

  @Test func `the last position and the length are those of the playback`() throws {
    let playback = try tracker(
      after: #"{"event":"property-change","id":2,"name":"duration","data":5.312}"#, restart,
      at(0), at(1.5), at(3.28), #"{"event":"property-change","id":1,"name":"time-pos"}"#,
      #"{"event":"end-file","reason":"quit","playlist_entry_id":1}"#
    ).playback
    #expect(playback.position == 3280)
    #expect(playback.duration == 5312)
    #expect(playback.seen == 3280)
    #expect(!playback.isFinished)
  }

  @Test func `skipped parts do not count as played`() throws {
    let playback = try tracker(
      after: restart, at(0), at(2), restart, at(100), at(101), restart, at(50), at(51)
    ).playback
    #expect(playback.position == 51_000)
    #expect(playback.seen == 4000)
  }

  @Test func `the part before the start counts as played earlier`() throws {
    #expect(try tracker(from: 60_000, after: restart, at(60), at(61)).playback.seen == 61_000)
  }

  @Test func `the end is an event, or eof-reached if the player stays open`() throws {
    #expect(try tracker(after: #"{"event":"end-file","reason":"eof"}"#).playback.isFinished)
    let open = #"{"event":"property-change","id":4,"name":"eof-reached","data":true}"#
    #expect(try tracker(after: open).playback.isFinished)
    let back = #"{"event":"property-change","id":4,"name":"eof-reached","data":false}"#
    #expect(try !tracker(after: open, back).playback.isFinished)
    let gone = #"{"event":"property-change","id":4,"name":"eof-reached"}"#
    #expect(try tracker(after: open, gone).playback.isFinished)
  }

  @Test func `an unplayable file is reported in mpv's words`() throws {
    let playback = try tracker(
      after: #"{"event":"end-file","reason":"error","file_error":"unrecognized file format"}"#
    ).playback
    #expect(playback.problem == "unrecognized file format")
    #expect(playback.position == nil)
  }

  @Test func `a pause and a jump are recorded, the first frame is not`() throws {
    let pause = #"{"event":"property-change","id":3,"name":"pause","data":true}"#
    var tracker = PlaybackTracker(from: 0)
    #expect(try !take(pause, &tracker))
    #expect(try !take(restart, &tracker))
    #expect(try take(restart, &tracker))
    #expect(try take(pause, &tracker))
    #expect(try !take(at(3), &tracker))
  }

  @Test(arguments: ["-1", "1e300", "null", "\"5\"", "[]"])
  func `an impossible position is ignored`(_ text: String) throws {
    let line = #"{"event":"property-change","id":1,"name":"time-pos","data":\#(text)}"#
    #expect(try tracker(after: restart, line).playback.position == nil)
  }
}
