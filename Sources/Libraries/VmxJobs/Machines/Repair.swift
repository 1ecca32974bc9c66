package import VmxModel

/// Brings a file that is hurt or gone back to where it is fetched.
package enum Repair {
  /// A damaged file stays under its name until a sound one replaces it; from `queued` on, what is
  /// intact of it counts as fetched.
  package static let machine = StateMachine<PartState, PartContext>(
    "repair",
    [
      .missing: Action(to: [.queued], onlyLooks: true, fetchAgain),
      .damaged: Action(to: [.queued], onlyLooks: true, begin),
    ])

  static func fetchAgain(_ context: inout PartContext) -> PartState { .queued }

  /// Which file was found damaged is recorded, so that no other is ever replaced.
  static func begin(_ context: inout PartContext) throws -> PartState {
    context.part.repairs = try context.bytes.damage(of: context)
    return .queued
  }
}
