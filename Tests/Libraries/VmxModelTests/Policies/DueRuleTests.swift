import Testing
import VmxModel
import VmxTestSupport

struct DueRuleTests {
  private static let now = Timestamp(seconds: 1_700_000_000)
  private let rule = DueRule(now: now)

  private func part(_ state: PartState, _ change: (inout Part) -> Void = { _ in }) -> Part {
    var part = Part(role: .video, variants: [])
    part.state = state
    change(&part)
    return part
  }

  private func episode(_ parts: Part...) throws -> Episode {
    Episode(
      id: try EpisodeID("t/a"), title: "A", showTitle: "T", added: Self.now, parts: parts)
  }

  @Test(arguments: PartState.allCases)
  func `a wanted part is due until it is ready, removed or failed`(state: PartState) throws {
    var episode = try episode(part(state))
    let ended: [PartState] = [.ready, .removed, .failed]
    #expect(rule.isDue(episode) == !ended.contains(state))
    for want in Want.allCases where want != .fetch {
      episode.want = want
      #expect(!rule.isDue(episode))
    }
  }

  @Test(arguments: WaitReason.allCases)
  func `a wait ends at its time, a window and a quota depend on the settings`(
    reason: WaitReason
  ) {
    let waiting = part(.waiting) {
      $0.reason = reason
      $0.until = Self.now.adding(milliseconds: 1)
    }
    #expect(rule.isDue(waiting) == (reason == .window || reason == .quota))
    let over = DueRule(now: Self.now.adding(milliseconds: 1))
    #expect(over.isDue(waiting))
    #expect(rule.isDueOnRequest(waiting))
  }

  @Test func `a wait without a time is checked again by the next run`() {
    #expect(rule.isDue(part(.waiting) { $0.reason = .offline }))
  }

  @Test func `a part that waits for the window is due while the present one is open`() throws {
    // The local time in this zone is 22:13.
    let zone = FixedZone()
    let waiting = part(.waiting) {
      $0.reason = .window
      $0.until = Self.now.adding(milliseconds: 1)
    }
    let windows = [("always", true), ("22:00-23:00", true), ("01:00-06:00", false)]
    for (text, isOpen) in windows {
      let window = try #require(TimeWindow(text))
      let rule = DueRule(now: Self.now, window: window, zone: zone)
      #expect(rule.isDue(waiting) == isOpen, "\(text)")
      #expect(DueRule(now: Self.now, window: window, zone: zone, waits: true).isDue(waiting))
    }
  }

  @Test func `a failed part is due only if a later attempt may succeed`() {
    let later = part(.failed) { $0.code = .netStalled }
    let never = part(.failed) { $0.code = .httpGone }
    #expect(rule.isDue(later) && !rule.isDue(never))
    #expect(rule.isDueOnRequest(never))
  }

  @Test func `an episode is due while any of its parts is`() throws {
    let optional = Part(role: .subtitle, variants: [])
    #expect(rule.isDue(try episode(part(.ready), optional)))
    let held = part(.waiting) {
      $0.reason = .backoff
      $0.until = Self.now.adding(milliseconds: 1)
    }
    #expect(!rule.isDue(try episode(part(.ready), held)))
    #expect(rule.isDue(try episode(held, part(.queued))))
  }
}
