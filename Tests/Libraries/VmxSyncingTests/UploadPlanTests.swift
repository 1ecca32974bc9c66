import Testing
import VmxModel

@testable import VmxSyncing

/// Events of the outbox, converted to actions.
struct UploadPlanTests {
  private let account = SyncAccount(
    url: "http://s", dialect: .gpodder, user: "u", secret: "1", device: "vmx-1",
    since: Timestamp(seconds: 0))

  private func event(
    _ step: OutboxStep, _ seconds: Int64, position: Int64? = nil, feed: String? = "meadow",
    url: String? = "http://a/1.mp4", key: String? = nil
  ) -> OutboxEvent {
    var event = OutboxEvent.blank
    (event.backend, event.step, event.key) = (.sync, step, key ?? "\(step.rawValue)\(seconds)")
    (event.episode, event.feed, event.url) = ("meadow/a", feed, url)
    event.at = Timestamp(seconds: seconds)
    (event.position, event.duration) = (position, 1_000_000)
    return event
  }

  private func plan(
    _ events: [OutboxEvent], feed: String = "http://a/feed", allowsSecrets: Bool = false
  ) -> UploadPlan {
    let state = SyncState(of: account)
    return UploadPlan(
      events, feeds: [Subscription(id: "meadow", url: feed, title: "Meadow")], state,
      allowsSecrets: allowsSecrets, address: state.address)
  }

  @Test func `each step that a server has a word for becomes an action`() {
    let plan = plan([
      event(.queued, 1), event(.started, 2), event(.ready, 3), event(.unwatched, 4),
      event(.deleted, 5), event(.failed, 6),
    ])
    #expect(plan.items.map(\.action.kind) == [.download, .new, .delete])
    #expect(plan.discarded == ["sync~queued1", "sync~started2", "sync~failed6"])
    #expect(plan.omitted.isEmpty)
  }

  @Test(arguments: OutboxStep.allCases)
  func `a step is recorded for the server exactly if there is a word for it`(step: OutboxStep) {
    let plan = plan([event(step, 1)])
    #expect(plan.discarded.isEmpty == OutboxBackend.sync.isNotified(of: step))
  }

  @Test func `a play to the end and its mark are one play`() {
    let plan = plan([event(.played, 10, position: 950_000), event(.watched, 11)])
    let item = plan.items[0]
    #expect(plan.items.count == 1)
    #expect((item.action.position, item.action.total) == (1_000_000, 1_000_000))
    #expect(item.action.at == Timestamp(seconds: 11))
    #expect(item.events == ["sync~played10", "sync~watched11"])
  }

  @Test func `a mark long after a play is one of its own`() {
    let plan = plan([event(.played, 10, position: 300_000), event(.watched, 500)])
    #expect(plan.items.map(\.action.position) == [300_000, 1_000_000])
  }

  @Test(arguments: [
    "http://anna:pass@a/feed", "http://a/feed?token=1", "http://a/feed?API_KEY=1",
    "http://a/feed?auth=1",
  ])
  func `feeds with secrets are not sent`(_ feed: String) {
    let plan = plan([event(.ready, 1)], feed: feed)
    #expect(plan.items.isEmpty)
    #expect(plan.omitted == [.secret: 1])
    #expect(plan.discarded == ["sync~ready1"])
    #expect(self.plan([event(.ready, 1)], feed: feed, allowsSecrets: true).items.count == 1)
  }

  @Test func `an action has the guid of the feed, unless it is an address with a token`() {
    var (plain, secret) = (event(.ready, 1), event(.ready, 2))
    (plain.guid, secret.guid) = ("g1", "http://a/1.mp4?token=x")
    #expect(plan([plain, secret]).items.map(\.action.guid) == ["g1", nil])
    #expect(plan([secret], allowsSecrets: true).items[0].action.guid == secret.guid)
  }

  @Test func `a video with a token, or of no feed, is not sent`() {
    let plan = plan([
      event(.ready, 1, url: "http://a/1.mp4?token=x"), event(.ready, 2, feed: nil),
      event(.ready, 3, feed: "other"),
    ])
    #expect(plan.items.isEmpty)
    #expect(plan.omitted == [.secret: 1, .noAddress: 2])
  }
}
