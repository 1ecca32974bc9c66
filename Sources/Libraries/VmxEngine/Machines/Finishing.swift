package import VmxModel

/// Publishes a part whose bytes are all received.
package enum Finishing {
  /// The name is recorded before the file gets it, so that the next process finds the file after a
  /// crash.
  package static let machine = StateMachine<PartState, FetchContext>(
    "finishing",
    [
      .complete: Action(to: [.checked], onlyLooks: true, check),
      .checked: Action(to: [.ready, .complete], place),
    ])

  /// Verifies the bytes. Rejected bytes are set aside; after a crash following that, they are
  /// fetched again.
  static func check(_ context: inout FetchContext) throws -> PartState {
    // A file under repair has a name; a record without it cannot tell which file is damaged.
    if context.part.path == nil { context.part.repairs = nil }
    let checked = try context.actions.finisher.check(context.work, context.found)
    context.part.size = checked.found.size
    context.part.sha256 = checked.found.sha256
    let isRepair = context.part.repairs != nil
    if !isRepair { context.part.proof = checked.found.proof }
    context.part.original = checked.original
    // The kept bytes are described from here on; they still came from the same source.
    if let before = context.found {
      context.found = checked.found
      context.found?.source = before.source
    }
    context.part.root = checked.root
    // A repaired file keeps its name.
    if !isRepair { context.part.path = checked.path }
    return .checked
  }

  /// Another file may have taken the recorded name since; then the next free one is recorded
  /// before the file gets it. A record without a name or a digest gets both that way.
  static func place(_ context: inout FetchContext) throws -> PartState {
    guard let placed = try context.actions.finisher.place(context.work) else { return .complete }
    context.part.path = placed.path
    context.part.proven = placed.proven ?? context.part.proven
    context.part.repairs = nil
    return .ready
  }
}
