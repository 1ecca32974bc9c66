package import VmxModel
package import VmxNaming
package import VmxSettings

/// A change that a sync makes, in the library or at the server.
package struct SyncEffect: Sendable, Equatable {
  /// The kind of a change. The raw value appears in output rows.
  package enum Change: String, Sendable, CaseIterable {
    /// An episode was marked as watched.
    case watched
    /// An episode was marked as not watched.
    case unwatched
    /// The resume position of an episode was set.
    case position
    /// An episode was played up to a position.
    case played
    /// The files of an episode were downloaded.
    case downloaded
    /// The files of an episode were deleted.
    case deleted
    /// A feed was subscribed.
    case subscribed
    /// A feed was unsubscribed. In the library its updates are paused.
    case unsubscribed
  }

  /// The place of the change. The raw value appears in output rows.
  package enum Direction: String, Sendable, CaseIterable {
    /// In the library, as a result of another device's change.
    case incoming = "here"
    /// At the server, as a result of a change in this library.
    case outgoing = "there"
  }

  /// The direction.
  package let direction: Direction
  /// The change.
  package let change: Change
  /// The id of the episode or feed; for a feed without an id, its redacted address.
  package let id: String
  /// The playback position in milliseconds; nil for none.
  package var position: Int64?
  /// The time of the action; nil if unknown.
  package var at: Timestamp?
  /// The result.
  package var result: OperationResult

  /// Creates an effect.
  package init(
    _ direction: Direction, _ change: Change, id: String, position: Int64? = nil,
    at: Timestamp? = nil, result: OperationResult = .done
  ) {
    self.direction = direction
    self.change = change
    self.id = id
    self.position = position
    self.at = at
    self.result = result
  }
}

/// The extent and the rules of a sync.
package struct SyncOptions: Sendable {
  /// Whether all data of the server is merged again.
  package var isFull = false
  /// The download rule for feeds that other devices have added.
  package var want: WantRule
  /// Whether addresses that contain passwords or tokens are sent.
  package var sendsSecrets: Bool
  /// The percentage of the length after which an episode counts as watched.
  package var watchedPercent: Int64
  /// The settings of NFO files, which may record merged marks.
  package var nfo: NFOSettings

  /// Reads the settings `sync.…`, `play.watched`, and those of NFO files.
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
    nfo = try settings.nfo()
  }
}

/// The findings of a sync that are not effects.
package struct SyncNotes: Sendable, Equatable {
  /// The number of unreadable rows from the server.
  package var skipped = 0
  /// The number of episodes in the actions that are not in the library.
  package var unmatched = 0
  /// The number of events and feeds that were not sent because their addresses contain secrets.
  package var secret = 0
  /// The number of events that were not sent because their episode has no address at the server.
  package var withoutAddress = 0
  /// Whether a second with more actions than a page holds was skipped.
  package var hasSkippedSeconds = false

  /// The findings as text, one line each.
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
