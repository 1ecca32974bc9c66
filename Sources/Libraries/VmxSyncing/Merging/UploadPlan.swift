package import VmxModel

/// Converts outbox events into actions for a server.
///
/// A playback to the end leaves a play event and a watched event, which become one play action.
/// Events without an equivalent action, or that must not be sent, are only deleted from the outbox.
package struct UploadPlan: Sendable {
  /// The maximum milliseconds between a play and a watched mark that belongs to it.
  private static let mergeWindow: Int64 = 60_000

  /// An action with the events that it represents.
  package struct Item: Sendable, Equatable {
    /// The action.
    package var action: SyncAction
    /// The ids of the events. They leave the outbox after the server's response.
    package var events: [String]
    /// The id of the episode.
    package let episode: String
  }

  /// The reason why an event is not sent.
  package enum Omission: Sendable, Hashable {
    /// The feed is not subscribed or is refused by the server, its password is lost, or the episode
    /// has no URL.
    case noAddress
    /// An address contains a password or a token.
    case secret
    /// Another device has a newer action, and the server keeps only the last action of an episode.
    case superseded
  }

  /// The actions, in the order of their events.
  package private(set) var items: [Item] = []
  /// The ids of events that are not sent.
  package private(set) var discarded: [String] = []
  /// The number of events that have an equivalent action but are not sent, by reason.
  package private(set) var omitted: [Omission: Int] = [:]

  private let feeds: [String: Subscription]
  private let state: SyncState
  private let allowsSecrets: Bool
  /// The addresses by feed, since the secrets file is read for each of them.
  private var addresses: [String: String?] = [:]

  /// Plans the upload of events.
  ///
  /// - Parameters:
  ///   - events: the events in outbox order.
  ///   - feeds: the subscriptions.
  ///   - allowsSecrets: whether addresses with passwords or tokens are sent too.
  ///   - address: returns the address of a feed as sent to the server; nil if its password is lost.
  ///   - isSuperseded: returns whether the server has a newer action of the episode and keeps only
  ///     the last one that it receives.
  package init(
    _ events: [OutboxEvent], feeds: [Subscription], _ state: SyncState, allowsSecrets: Bool,
    address: (Subscription) throws -> String?,
    isSuperseded: (OutboxEvent) -> Bool = { _ in false }
  ) rethrows {
    self.feeds = Dictionary(feeds.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.state = state
    self.allowsSecrets = allowsSecrets
    var lastPlay: [String: Int] = [:]
    for event in events {
      if event.step == .watched, let index = lastPlay[event.episode],
        event.at.milliseconds - items[index].action.at.milliseconds <= Self.mergeWindow
      {
        items[index].finish(event)
        continue
      }
      guard let kind = Self.kind(of: event) else {
        discarded.append(event.id)
        continue
      }
      guard let action = try action(kind, for: event, address: address) else { continue }
      guard !isSuperseded(event) else {
        omit(event, .superseded)
        continue
      }
      if event.step == .played { lastPlay[event.episode] = items.count }
      items.append(Item(action: action, events: [event.id], episode: event.episode))
    }
  }

  private mutating func omit(_ event: OutboxEvent, _ omission: Omission) {
    discarded.append(event.id)
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

  private mutating func action(
    _ kind: SyncAction.Kind, for event: OutboxEvent, address: (Subscription) throws -> String?
  ) rethrows -> SyncAction? {
    guard let feed = event.feed.flatMap({ feeds[$0] }), let url = event.url,
      !state.isRefused(feed)
    else {
      omit(event, .noAddress)
      return nil
    }
    guard allowsSecrets || !feed.hasSecretAddress && !SecretAddress.isSecret(url) else {
      omit(event, .secret)
      return nil
    }
    if addresses[feed.id] == nil { addresses[feed.id] = .some(try address(feed)) }
    guard let podcast = addresses[feed.id] ?? nil else {
      omit(event, .noAddress)
      return nil
    }
    let guid = event.guid.flatMap { allowsSecrets || !SecretAddress.isSecret(guid: $0) ? $0 : nil }
    var action = SyncAction(
      kind, podcast: podcast, episode: url, guid: guid, at: event.at)
    guard kind == .play else { return action }
    action.position = event.position
    action.total = event.duration.flatMap { $0 >= 1000 ? $0 : nil }
    if event.step == .watched { action.finish() }
    // A play without a position carries no data, but a watched mark may follow and complete it.
    return action
  }
}

extension UploadPlan.Item {
  /// Completes the play with a watched event.
  fileprivate mutating func finish(_ event: OutboxEvent) {
    action.at = max(action.at, event.at)
    action.total = action.total ?? event.duration.flatMap { $0 >= 1000 ? $0 : nil }
    action.finish()
    events.append(event.id)
  }
}

extension SyncAction {
  /// Sets the position to the end, since servers represent "watched" only by a position at the end.
  /// Without a known length, the end is the last position, at least one second.
  fileprivate mutating func finish() {
    let end = total ?? max(position ?? 0, 1000)
    (position, total) = (end, end)
  }
}

extension Subscription {
  /// Whether its address contains a password or a token.
  package var hasSecretAddress: Bool { secret != nil || SecretAddress.isSecret(url) }
}
