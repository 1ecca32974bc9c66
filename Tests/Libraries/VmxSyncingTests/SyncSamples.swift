import VmxModel

@testable import VmxSyncing

extension SyncAction {
  /// An action on the only episode of these tests.
  static func sample(
    _ kind: Kind, at time: Timestamp, position: Int64? = nil, total: Int64? = 1_000_000
  ) -> SyncAction {
    var action = SyncAction(kind, podcast: "http://a/f", episode: "http://a/1.mp4", at: time)
    (action.position, action.total) = (position, total)
    return action
  }
}

extension WatchedHistory {
  /// The time at which the actions are received.
  static let now = Timestamp(seconds: 1_800_000_000)

  /// The history of actions, of which a play counts as watched from nine tenths on.
  init(_ actions: [SyncAction]) {
    self.init()
    for action in actions { add(action, by: WatchedRule(percent: 90), now: Self.now) }
  }
}
