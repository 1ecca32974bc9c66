package import VmxModel

/// Takes a part's files out of the library.
package enum Removal {
  /// What expired or was revoked goes the same way as what a person removed; `removing` is recorded
  /// before the first file is touched.
  package static let machine = StateMachine<PartState, PartContext>(
    "removal",
    [
      .expired: Action(to: [.removing], onlyLooks: true, begin),
      .revoked: Action(to: [.removing], onlyLooks: true, begin),
      .removing: Action(to: [.removed], remove),
    ])

  static func begin(_ context: inout PartContext) -> PartState { .removing }

  /// What is gone already is not missed: a run before this one may have got so far.
  static func remove(_ context: inout PartContext) throws -> PartState {
    try context.bytes.remove(context)
    context.part.forgetBytes()
    return .removed
  }
}

extension PartState {
  /// Whether it is on its way out, and nothing but its removal may be done to it.
  package var isLeaving: Bool { [.expired, .revoked, .removing].contains(self) }
}
