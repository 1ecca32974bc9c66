package import VmxModel

/// Prepares a wanted part for its transfer.
package enum Preparation {
  /// In `new` and `queued` the part waits only for a worker; in `probed` the held bytes are known.
  package static let machine = StateMachine<PartState, FetchContext>(
    "preparation",
    [
      .new: Action(to: [.queued], onlyLooks: true, enter),
      .queued: Action(to: [.probed, .complete], onlyLooks: true, look),
      .probed: Action(to: [.partial], onlyLooks: true, admit),
    ])

  /// Queues the part. A part without a source cannot be fetched.
  static func enter(_ context: inout FetchContext) throws(Failure) -> PartState {
    try context.checkSources()
    return .queued
  }

  /// Inspects the held bytes. Bytes that an earlier process fetched are used whatever the record
  /// says of them, unless they belong to another variant than the chosen one.
  static func look(_ context: inout FetchContext) throws -> PartState {
    var held = try context.actions.source.held(of: context)
    if try context.part.settle(by: context.order, isBegun: held != .some(0)) {
      held = try context.actions.source.held(of: context)
    }
    guard case .some(let bytes) = held else { return .complete }
    context.heldBefore = bytes
    return .probed
  }

  /// Asks the policies, each time anew, since their conditions may have changed while the part
  /// waited.
  static func admit(_ context: inout FetchContext) throws -> PartState {
    try context.checkSources()
    try context.actions.source.admit(context)
    return .partial
  }
}
