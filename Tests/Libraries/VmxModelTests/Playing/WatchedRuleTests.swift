import Testing
import VmxModel

/// The effects of a playback on an episode.
struct WatchedRuleTests {
  private let rule = WatchedRule(percent: 90)
  private let hour: Int64 = 3_600_000

  private func playback(
    at position: Int64?, of duration: Int64?, seen: Int64, finished: Bool = false
  ) -> Playback {
    var playback = Playback()
    playback.position = position
    playback.duration = duration
    playback.seen = seen
    playback.isFinished = finished
    return playback
  }

  @Test func `an episode counts as watched from the configured fraction on`() {
    let end = hour / 10 * 9
    #expect(rule.verdict(on: playback(at: end, of: hour, seen: end)) == .watched)
    #expect(
      rule.verdict(on: playback(at: end - 1000, of: hour, seen: end)) == .position(end - 1000))
    #expect(
      WatchedRule(percent: 100).verdict(on: playback(at: end, of: hour, seen: end))
        == .position(end))
    #expect(rule.verdict(on: playback(at: end, of: hour, seen: hour, finished: true)) == .watched)
  }

  @Test func `a short play at the end does not count as watched, unless the video is as short`() {
    let end = hour - 1000
    #expect(rule.verdict(on: playback(at: end, of: hour, seen: 2000)) == .fromStart)
    #expect(
      rule.verdict(on: playback(at: end, of: hour, seen: 2000, finished: true)) == .fromStart)
    #expect(rule.verdict(on: playback(at: 58_000, of: 60_000, seen: 2000)) == .watched)
  }

  @Test func `a position is kept after half a minute and a twentieth of the length`() {
    #expect(rule.verdict(on: playback(at: 179_000, of: hour, seen: 179_000)) == .fromStart)
    #expect(rule.verdict(on: playback(at: 180_000, of: hour, seen: 0)) == .position(180_000))
    #expect(rule.verdict(on: playback(at: 29_000, of: 100_000, seen: 0)) == .fromStart)
    #expect(rule.verdict(on: playback(at: 30_000, of: 100_000, seen: 0)) == .position(30_000))
  }

  @Test func `without a length only the end event marks an episode as watched`() {
    #expect(rule.verdict(on: playback(at: hour, of: nil, seen: hour)) == .position(hour))
    #expect(rule.verdict(on: playback(at: hour, of: nil, seen: 0, finished: true)) == .watched)
    #expect(rule.verdict(on: playback(at: nil, of: nil, seen: 0)) == .unknown)
    #expect(rule.verdict(on: playback(at: nil, of: hour, seen: 0)) == .unknown)
  }

  @Test func `any position that a player reports has a result`() {
    for position in [0, 1, Int64.max] {
      for duration in [1, 99, Int64.max] {
        _ = rule.verdict(on: playback(at: position, of: duration, seen: .max))
      }
    }
  }
}
