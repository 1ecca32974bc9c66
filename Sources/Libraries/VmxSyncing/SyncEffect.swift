package import VmxModel

/// One thing that a sync changes, here or at the server.
package struct SyncEffect: Sendable, Equatable {
  /// The kind of a change; the raw value is in rows.
  package enum Change: String, Sendable, CaseIterable {
    /// An episode counts as watched.
    case watched
    /// An episode counts as not watched.
    case unwatched
    /// An episode is played on from a position.
    case position
    /// An episode was played up to a position.
    case played
    /// The files of an episode were fetched.
    case downloaded
    /// The files of an episode were deleted.
    case deleted
    /// A feed is followed.
    case subscribed
    /// A feed is not followed any longer; here, its updates end.
    case unsubscribed
  }

  /// Where it is changed; the raw value is in rows.
  package enum Direction: String, Sendable, CaseIterable {
    /// In the library, as another device has done it.
    case here
    /// At the server, as this library has done it.
    case there
  }

  /// The direction.
  package let direction: Direction
  /// The change.
  package let change: Change
  /// The id of the episode or feed; of a feed without one, its address without secrets.
  package let id: String
  /// The position in milliseconds from which an episode is played on; nil for none.
  package var position: Int64?
  /// The time at which it happened; nil if unknown.
  package var at: Timestamp?
  /// The result.
  package var result: OperationResult

  init(
    _ direction: Direction, _ change: Change, _ id: String, position: Int64? = nil,
    at: Timestamp? = nil, _ result: OperationResult = .done
  ) {
    self.direction = direction
    self.change = change
    self.id = id
    self.position = position
    self.at = at
    self.result = result
  }
}

/// The extent of a sync, and the rules by which it is done.
package struct SyncOrder: Sendable {
  /// Whether all that the server has is merged anew.
  package var isFull = false
  /// Whether nothing is changed, here or at the server.
  package var isDryRun = false
  /// The rule for the episodes of feeds that other devices have added.
  package var want = WantRule.none
  /// Whether addresses with passwords or tokens are sent.
  package var sendsSecrets = false
  /// The share of the length, in hundredths, from which on an episode counts as watched.
  package var watchedPercent: Int64 = 90

  /// Creates the usual order.
  package init() {}

  /// Reads the settings `sync.…` and `play.watched`.
  ///
  /// - Throws: `bad-setting`.
  package init(_ settings: Settings) throws(Failure) {
    let want = try settings.text(.syncWant) ?? "none"
    guard let rule = WantRule(text: want) else {
      throw Failure(.badSetting, "'sync.want' is \(WantRule.allowed), not '\(want)'")
    }
    self.want = rule
    sendsSecrets = try settings.bool(.syncSecretURLs)
    watchedPercent = try settings.integer(.playWatched)
  }
}

/// The findings of a sync besides its effects.
package struct SyncNotes: Sendable, Equatable {
  /// The rows of the server that could not be read.
  package var skipped = 0
  /// The episodes with actions that the library does not have.
  package var unmatched = 0
  /// The events and feeds that were not sent because their addresses have secrets.
  package var secret = 0
  /// The events that were not sent because their episode has no address at the server.
  package var withoutAddress = 0
  /// Whether pages of the server had to be skipped by a second.
  package var hasSkippedSeconds = false

  /// The findings for people, one line each.
  package var texts: [String] {
    var texts: [String] = []
    if unmatched > 0 {
      texts.append("not matched: \(unmatched) episodes that are not in the library")
    }
    if skipped > 0 { texts.append("\(skipped) rows of the server cannot be understood") }
    if secret > 0 {
      texts.append(
        "not sent: \(secret) with a password or token in an address "
          + "('sync.secret-urls = yes' sends them)")
    }
    if withoutAddress > 0 { texts.append("not sent: \(withoutAddress) of episodes without a feed") }
    if hasSkippedSeconds {
      texts.append("the server has a thousand actions of one second, of which some may be missing")
    }
    return texts
  }
}
