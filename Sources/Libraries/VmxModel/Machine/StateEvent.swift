/// A kind of event that moves a part from one state to another without an action of a machine: a
/// request of the user, a finding of a check, or the end of a right.
package struct StateEvent: Sendable {
  /// A transition between two states.
  package typealias Edge = (from: PartState, to: PartState)

  /// The word for the event in the state diagram.
  package let name: String
  /// The states that it may end.
  package let from: Set<PartState>
  /// The states to which it may lead.
  package let to: Set<PartState>
  /// The transitions that the diagram shows, in its order; the others are rare.
  package let usual: [Edge]

  /// All events. Code that moves a part outside a machine belongs to a row of this table, or
  /// `vmx doctor` reports the trail that it leaves.
  package static let all: [StateEvent] = [
    StateEvent(
      "detected", from: published.union(unfinished), to: [.missing, .damaged],
      usual: [(.ready, .missing), (.ready, .damaged), (.checked, .damaged)]),
    StateEvent("expired", from: present, to: [.expired], usual: [(.ready, .expired)]),
    StateEvent("licence ended", from: present, to: [.revoked], usual: [(.ready, .revoked)]),
    StateEvent("removed", from: present, to: [.removing], usual: [(.ready, .removing)]),
    // A removed part, and a removal that is withdrawn, return to the state before the removal.
    StateEvent(
      "undone", from: leaving.union([.removed]), to: Set(PartState.allCases),
      usual: [(.removed, .ready)]),
    StateEvent("requested", from: [.removed], to: [.queued], usual: [(.removed, .queued)]),
    StateEvent(
      "resumed", from: [.waiting], to: [.queued, .damaged], usual: [(.waiting, .queued)]),
    StateEvent("retried", from: [.failed], to: [.queued, .damaged], usual: [(.failed, .queued)]),
    StateEvent("other variant", from: [.probed, .partial, .complete], to: [.queued]),
    // The damaged file of a cancelled repair stays.
    StateEvent("cancelled", from: unfinished, to: [.new, .damaged]),
    StateEvent("received", from: present, to: [.complete]),
    // A file that lies there already: of another program, of a rebuilt or a cut episode.
    StateEvent("found", from: Set(PartState.allCases), to: [.ready]),
    StateEvent("lost", from: Set(PartState.allCases).subtracting([.removed]), to: [.missing]),
    StateEvent("rebuilt", from: [.new], to: [.missing, .damaged]),
    // An older store takes over a removal that its trash has recorded.
    StateEvent("already removed", from: Set(PartState.allCases), to: [.removed]),
  ]

  /// The states of a file with its final name, also while that file is known to be lost.
  private static let published: Set<PartState> = [.ready, .missing, .damaged]
  /// The states of a part on its way to a file.
  private static let unfinished: Set<PartState> = [
    .queued, .probed, .partial, .complete, .checked, .waiting, .failed,
  ]
  /// The states of a part that is being removed.
  private static let leaving: Set<PartState> = [.expired, .revoked, .removing]
  /// The states in which a removal may begin.
  private static let present = published.union(unfinished).union([.new, .removed])

  private init(
    _ name: String, from: Set<PartState>, to: Set<PartState>, usual: [Edge] = []
  ) {
    self.name = name
    self.from = from
    self.to = to
    self.usual = usual
  }
}
