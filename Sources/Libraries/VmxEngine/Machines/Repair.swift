package import VmxModel

/// Prepares a damaged or missing file to be fetched again.
package enum Repair {
  /// A damaged file keeps its name until a sound one replaces it. From `queued` on, its intact
  /// ranges count as fetched.
  package static let machine = StateMachine<PartState, FetchContext>(
    "repair",
    [
      .missing: Action(to: [.queued], onlyLooks: true, fetchAgain),
      .damaged: Action(to: [.queued], onlyLooks: true, begin),
    ])

  static func fetchAgain(_ context: inout FetchContext) -> PartState { .queued }

  /// Records the damaged file's identity, so that no other file is ever replaced.
  static func begin(_ context: inout FetchContext) throws -> PartState {
    context.part.repairs = try context.actions.finisher.damage(of: context.work)
    return .queued
  }
}
