package import VmxModel

/// Removes a part's files from the library.
package enum Removal {
  /// Expired and revoked parts are removed like those that the user removed. `removing` is recorded
  /// before the first file is changed.
  package static let machine = StateMachine<PartState, RemovalContext>(
    "removal",
    [
      .expired: Action(to: [.removing], onlyLooks: true, begin),
      .revoked: Action(to: [.removing], onlyLooks: true, begin),
      .removing: Action(to: [.removed], remove),
    ])

  static func begin(_ context: inout RemovalContext) -> PartState { .removing }

  /// Removes the files. A missing file is no error: an earlier run may have removed it.
  static func remove(_ context: inout RemovalContext) throws -> PartState {
    try context.actions.remove(context.work)
    context.part.forgetBytes()
    return .removed
  }
}
