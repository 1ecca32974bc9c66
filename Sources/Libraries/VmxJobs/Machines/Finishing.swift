package import VmxModel

/// Takes a part whose bytes are all here to its final name.
package enum Finishing {
  /// The name is recorded before the file gets it, so that the next process knows where to look.
  package static let machine = StateMachine<PartState, PartContext>(
    "finishing",
    [
      .complete: Action(to: [.checked], onlyLooks: true, check),
      .checked: Action(to: [.ready, .complete], place),
    ])

  /// Bytes that fail are set aside; after a crash behind that they are fetched anew.
  static func check(_ context: inout PartContext) throws -> PartState {
    // What is repaired has a name; a record without it cannot tell which file is damaged.
    if context.part.path == nil { context.part.repairs = nil }
    let checked = try context.bytes.check(context)
    context.part.size = checked.found.size
    context.part.sha256 = checked.found.sha256
    let isRepair = context.part.repairs != nil
    if !isRepair { context.part.proof = checked.found.proof }
    context.part.original = checked.original
    // What is found again after this is what is kept; it still came from the same source.
    if let before = context.found {
      context.found = checked.found
      context.found?.source = before.source
    }
    context.part.root = checked.root
    // What is repaired keeps its name.
    if !isRepair { context.part.path = checked.path }
    return .checked
  }

  /// Another file may have taken the recorded name since; then the next free one is recorded
  /// before the file gets it. A record without a name or a digest gets both that way.
  static func place(_ context: inout PartContext) throws -> PartState {
    guard let placed = try context.bytes.place(context) else { return .complete }
    context.part.path = placed.path
    context.part.proven = placed.proven ?? context.part.proven
    context.part.repairs = nil
    return .ready
  }
}
