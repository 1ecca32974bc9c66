package import VmxModel

/// Turns events of the outbox into actions for a server.
///
/// A playback to the end leaves two events, of the play and of the mark; they become one play. What
/// the server has no word for, and what must not be sent, only leaves the outbox.
package struct UploadPlan: Sendable {
  /// The milliseconds within which a mark belongs to the play before it.
  private static let together: Int64 = 60_000

  /// An action with the events that it tells of.
  package struct Item: Sendable, Equatable {
    /// The action.
    package var action: SyncAction
    /// The ids of the events, which leave the outbox once the server has the action.
    package var events: [String]
    /// The id of the episode.
    package let episode: String
  }

  /// Why an event is not sent.
  package enum Omission: Sendable, Hashable {
    /// The episode is of no feed that is followed, or has no URL.
    case noAddress
    /// An address contains a password or a token.
    case secret
    /// Another device has done something later, and the server keeps one action of an episode.
    case superseded
  }

  /// The actions in the order of their events.
  package private(set) var items: [Item] = []
  /// The ids of events that are not sent.
  package private(set) var dropped: [String] = []
  /// The number of events that are not sent although the server has a word for them.
  package private(set) var omitted: [Omission: Int] = [:]

  private let feeds: [String: Subscription]
  private let state: SyncState
  private let allowsSecrets: Bool

  /// Plans the upload of events.
  ///
  /// - Parameters:
  ///   - events: the events in their order.
  ///   - feeds: the subscriptions.
  ///   - allowsSecrets: whether addresses with passwords or tokens are sent too.
  ///   - isSuperseded: whether the server has a newer action of an episode, and keeps only the last
  ///     one that it is given.
  package init(
    _ events: [OutboxEvent], feeds: [Subscription], _ state: SyncState, allowsSecrets: Bool,
    isSuperseded: (OutboxEvent) -> Bool = { _ in false }
  ) {
    self.feeds = Dictionary(feeds.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.state = state
    self.allowsSecrets = allowsSecrets
    var lastPlay: [String: Int] = [:]
    for event in events {
      if event.step == .watched, let index = lastPlay[event.episode],
        event.at.milliseconds - items[index].action.at.milliseconds <= Self.together
      {
        items[index].finish(event)
        continue
      }
      guard let kind = Self.kind(of: event) else {
        dropped.append(event.id)
        continue
      }
      guard let action = action(kind, event) else { continue }
      guard !isSuperseded(event) else {
        omit(event, .superseded)
        continue
      }
      if event.step == .played { lastPlay[event.episode] = items.count }
      items.append(Item(action: action, events: [event.id], episode: event.episode))
    }
  }

  private mutating func omit(_ event: OutboxEvent, _ omission: Omission) {
    dropped.append(event.id)
    omitted[omission, default: 0] += 1
  }

  private static func kind(of event: OutboxEvent) -> SyncAction.Kind? {
    switch event.step {
    case .ready: .download
    case .played: .play
    case .watched: .play
    case .unwatched: .new
    case .deleted: .delete
    case .queued, .started, .paused, .failed, .dropped, .expired: nil
    }
  }

  private mutating func action(_ kind: SyncAction.Kind, _ event: OutboxEvent) -> SyncAction? {
    guard let feed = event.feed.flatMap({ feeds[$0] }), let url = event.url,
      !state.refused.contains(feed.url)
    else {
      omit(event, .noAddress)
      return nil
    }
    guard allowsSecrets || !feed.hasSecretAddress && !SecretAddress.isSecret(url) else {
      omit(event, .secret)
      return nil
    }
    let guid = event.guid.flatMap { allowsSecrets || !SecretAddress.isSecret(guid: $0) ? $0 : nil }
    var action = SyncAction(
      kind, podcast: state.address(of: feed), episode: url, guid: guid, at: event.at)
    guard kind == .play else { return action }
    action.position = event.position
    action.total = event.duration.flatMap { $0 >= 1000 ? $0 : nil }
    if event.step == .watched { action.finish() }
    // A play that tells nothing is of no use, but for a mark that may follow it.
    return action
  }
}

extension UploadPlan.Item {
  /// Makes the play one to the end.
  fileprivate mutating func finish(_ event: OutboxEvent) {
    action.at = max(action.at, event.at)
    action.total = action.total ?? event.duration.flatMap { $0 >= 1000 ? $0 : nil }
    action.finish()
    events.append(event.id)
  }
}

extension SyncAction {
  /// Puts the position at the end. Of a video without a known length, the end is where it was played
  /// to, and at least a second: servers know "watched" only as a position at the end.
  fileprivate mutating func finish() {
    let end = total ?? max(position ?? 0, 1000)
    (position, total) = (end, end)
  }
}

extension Subscription {
  /// Whether its address contains a password or a token.
  package var hasSecretAddress: Bool { secret != nil || SecretAddress.isSecret(url) }
}
