package import VmxModel

/// Fetches the bytes of a part.
package enum Transferring {
  /// The machine has one state: a transfer that ends early stays `partial` and resumes from the
  /// held bytes.
  package static let machine = StateMachine<PartState, FetchContext>(
    "transfer",
    [
      .partial: Action(to: [.complete], fetch)
    ])

  static func fetch(_ context: inout FetchContext) throws -> PartState {
    try context.checkSources()
    let found = try context.actions.source.transfer(context)
    context.found = found
    context.part.size = found.size
    context.part.sha256 = found.sha256
    // A repair only shows that the bytes are those of the recorded file.
    if context.part.repairs == nil { context.part.proof = found.proof }
    context.part.original = nil
    return .complete
  }
}
