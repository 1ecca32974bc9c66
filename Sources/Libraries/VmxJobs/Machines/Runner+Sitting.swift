import VmxModel

extension Runner {
  /// Runs the part like `run`, and again where it waits for something that the run sits through.
  ///
  /// While it sits there, the record says `waiting` with the reason, for whoever asks meanwhile.
  ///
  /// - Throws: as `run`, and `WorkEnded` out of the wait.
  func runThroughWaits(_ context: inout PartContext) throws {
    try run(&context)
    while context.part.state == .waiting, try context.bytes.waitForPolicy(context) {
      try lift(&context)
      try run(&context)
    }
  }
}
