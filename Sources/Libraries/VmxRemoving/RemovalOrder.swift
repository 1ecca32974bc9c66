package import VmxModel

/// The options of a removal.
package struct RemovalOrder: Sendable, Equatable {
  /// The want after the removal: `gone` for an episode that the user removed, so that no feed adds
  /// it again; `none` for one that was watched, has expired or was removed to free space.
  package var want: Want
  /// The reason, as text for the user.
  package var reason: String
  /// The first state: `removing`, or `expired` or `revoked`, whose files never go into the trash.
  package var cause: PartState
  /// Whether files are deleted at once instead of moved to the trash.
  package var isPermanent: Bool
  /// Whether the record is removed too.
  package var forgets: Bool

  /// Creates an order.
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
