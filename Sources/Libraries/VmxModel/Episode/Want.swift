/// The user's wish for an episode; independent of its state.
package enum Want: String, Sendable, CaseIterable {
  /// Fetch the episode and keep it complete.
  case fetch
  /// Do not fetch now; keep the files that exist.
  case hold
  /// Known, but not requested.
  case none
  /// Removed by the user; a feed does not add it again.
  case gone

  /// All values but `gone`.
  package static let present: Set<Want> = [.fetch, .hold, .none]
}

/// The reason for which a part waits.
package enum WaitReason: String, Sendable, CaseIterable {
  case metered, offline, space, quota, window, backoff, after, licence, parental
  case rootAway = "root-away"
}

/// How far the bytes of a part are trusted, strongest first.
package enum Proof: String, Sendable, CaseIterable {
  /// They match a digest of the publisher.
  case published
  /// Two fetches returned the same bytes.
  case repeated
  /// An overlap at each join was fetched again and matched.
  case probe
  /// Only their length matches.
  case length
  /// Nothing was verified.
  case none
}
