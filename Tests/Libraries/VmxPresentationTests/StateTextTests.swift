import Testing
import VmxModel

@testable import VmxPresentation

@Suite struct StateTextTests {
  private var facts = EpisodeFacts(DueRule(now: Timestamp(seconds: 1_700_000_000)))

  init() {
    facts.completedBytes = ["video": 43]
  }

  private func words(_ change: (inout Episode) -> Void) throws -> String {
    var episode = try sampleEpisode()
    change(&episode)
    return StateText.state(of: episode, facts).text
  }

  @Test func `ready names the missing optional parts`() throws {
    #expect(try words { _ in } == "ready, lacks subtitle:en")
  }

  @Test func `waiting and failed name their reason`() throws {
    #expect(
      try words {
        $0.parts[0].state = .waiting
        $0.parts[0].reason = .metered
      } == "waiting: metered")
    #expect(
      try words {
        $0.parts[0].state = .failed
        $0.parts[0].code = .httpGone
      } == "failed: http-gone")
  }

  @Test func `a part in transfer shows its progress`() throws {
    #expect(
      try words {
        $0.parts[0].state = .partial
        $0.parts[0].size = ByteCount(clamping: 100)
      } == "partial 43%")
  }

  @Test func `paused and cancelled are derived from the want`() throws {
    #expect(
      try words {
        $0.parts[0].state = .partial
        $0.want = .hold
      } == "paused")
    #expect(
      try words {
        $0.parts[0].state = .partial
        $0.want = .none
      } == "cancelled")
  }

  @Test(arguments: [
    (PartState.new, "waiting"), (.queued, "waiting"), (.partial, "stopped at 43%"),
    (.checked, "stopped at 100%"), (.removing, "removing"),
  ])
  func `a table has the words of a person`(state: PartState, text: String) throws {
    var episode = try sampleEpisode()
    episode.want = .fetch
    episode.parts[0].state = state
    episode.parts[0].size = ByteCount(clamping: 100)
    #expect(StateText.summary(of: episode, facts).text == text)
  }
}
