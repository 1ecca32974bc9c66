import VmxModel

extension Runner {
  /// Runs the part like `run`, and again after each wait that the run is asked to wait for.
  ///
  /// During the wait the record says `waiting` with the reason, for other processes to read.
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
