package import VmxModel

/// Removes a part's files from the library.
package enum Removal {
  /// Expired and revoked parts are removed like those that the user removed. `removing` is recorded
  /// before the first file is changed.
  package static let machine = StateMachine<PartState, PartContext>(
    "removal",
    [
      .expired: Action(to: [.removing], onlyLooks: true, begin),
      .revoked: Action(to: [.removing], onlyLooks: true, begin),
      .removing: Action(to: [.removed], remove),
    ])

  static func begin(_ context: inout PartContext) -> PartState { .removing }

  /// Removes the files. A missing file is no error: an earlier run may have removed it.
  static func remove(_ context: inout PartContext) throws -> PartState {
    try context.bytes.remove(context)
    context.part.forgetBytes()
    return .removed
  }
}

extension PartState {
  /// Whether it is being removed, so that no other work may be done on it.
  package var isLeaving: Bool { [.expired, .revoked, .removing].contains(self) }
}
