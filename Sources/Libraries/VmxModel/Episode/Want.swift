/// What the person asked for; beside the state, never instead of it.
package enum Want: String, Sendable, CaseIterable {
  /// Bring it here and keep it whole.
  case fetch
  /// Not now: keep what there is.
  case hold
  /// Known, but not asked for.
  case none
  /// Removed on purpose: no feed brings it back.
  case gone

  /// All but what was removed on purpose.
  package static let present: Set<Want> = [.fetch, .hold, .none]
}

/// Why a part waits.
package enum WaitReason: String, Sendable, CaseIterable {
  case metered, offline, space, quota, window, backoff, after, licence, parental
  case rootAway = "root-away"
}

/// How far the bytes of a part are trusted, strongest first.
package enum Proof: String, Sendable, CaseIterable {
  /// They have a digest that their publisher gave.
  case published
  /// Two fetches gave the same bytes.
  case repeated
  /// Where they were joined, an overlap was fetched again and agreed.
  case probe
  /// Only their number agrees.
  case length
  /// Nothing is known of them.
  case none
}
