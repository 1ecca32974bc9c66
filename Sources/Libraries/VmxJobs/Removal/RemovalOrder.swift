package import VmxModel

/// How episodes are to be removed.
package struct RemovalOrder: Sendable, Equatable {
  /// What is wanted of them from now on: `gone` for what a person removed, so that no feed brings
  /// it back; `none` for what was watched, expired or gave way.
  package var want: Want
  /// Why, for people.
  package var reason: String
  /// The state it begins with: `removing`, or `expired` or `revoked`, whose files never rest in the
  /// trash.
  package var cause: PartState
  /// Whether files are deleted at once and not kept in the trash.
  package var isPermanent: Bool
  /// Whether the record is removed too.
  package var forgets: Bool

  /// An order.
  package init(
    want: Want, reason: String, cause: PartState = .removing, isPermanent: Bool = false,
    forgets: Bool = false
  ) {
    self.want = want
    self.reason = reason
    self.cause = cause
    self.isPermanent = isPermanent || cause != .removing
    self.forgets = forgets
  }
}

/// What became of one episode that was to be removed.
package struct RemovalResult: Sendable {
  /// As it is recorded now; nil where its record was removed too.
  package let episode: Episode?
  /// Bytes that went into the trash, or away for good.
  package let bytes: Int64
  /// Whether anything had to be done.
  package let isChanged: Bool
  /// Why it is not done yet; it stays on its way out, and goes on later.
  package var failure: Failure?

  init(_ episode: Episode?, bytes: Int64 = 0, isChanged: Bool, failure: Failure? = nil) {
    self.episode = episode
    self.bytes = bytes
    self.isChanged = isChanged
    self.failure = failure
  }
}
