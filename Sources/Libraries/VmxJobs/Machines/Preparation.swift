package import VmxModel

/// Brings a wanted part to the point where bytes may flow.
package enum Preparation {
  /// `new` and `queued` wait for nothing but a worker; `probed` knows what is held.
  package static let machine = StateMachine<PartState, PartContext>(
    "preparation",
    [
      .new: Action(to: [.queued], onlyLooks: true, enter),
      .queued: Action(to: [.probed, .complete], onlyLooks: true, look),
      .probed: Action(to: [.partial], onlyLooks: true, admit),
    ])

  /// A part without any source cannot be fetched, whatever is tried.
  static func enter(_ context: inout PartContext) throws(Failure) -> PartState {
    try context.checkSources()
    return .queued
  }

  /// What an earlier process fetched is used, whatever the record says of it, unless it is of
  /// another file than the one that is to be fetched.
  static func look(_ context: inout PartContext) throws -> PartState {
    var held = try context.bytes.held(of: context)
    if try context.part.settle(by: context.order, isBegun: held != .some(0)) {
      held = try context.bytes.held(of: context)
    }
    guard case .some(let bytes) = held else { return .complete }
    context.heldBefore = bytes
    return .probed
  }

  /// Policies are asked anew each time, since they may have changed while it waited.
  static func admit(_ context: inout PartContext) throws -> PartState {
    try context.checkSources()
    try context.bytes.admit(context)
    return .partial
  }
}
