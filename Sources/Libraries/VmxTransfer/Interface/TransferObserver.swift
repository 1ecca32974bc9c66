package import VmxModel

/// The reason to end a transfer before its file is whole.
package enum StopRequest: Sendable, Equatable {
  /// The user interrupts it, or the process ends.
  case interrupted
  /// The user's request or a policy holds it back, with its own code and time.
  case held(Failure)
}

/// Receives the progress of one transfer and may stop it. Called on the thread that runs the job.
package protocol TransferObserver: Sendable {
  /// Reports the progress, at least four times a second while bytes may arrive.
  ///
  /// - Parameters:
  ///   - held: the bytes of the file in the partial file.
  ///   - total: the size of the whole in bytes, once known.
  ///   - received: the body bytes received from the network in this run, discarded ones included.
  func progressed(held: Int64, total: Int64?, received: Int64)
  /// Reports that all bytes have arrived and that no remaining verification can require more. The
  /// network is free for other transfers.
  func arrived()
  /// Reports that an attempt failed and that the next one follows after this many milliseconds.
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64)
  /// Reports a note that is not a failure, such as an unusable checksum file. Its URLs contain no
  /// user, password or query.
  func noted(_ text: String)
  /// The request to stop, once there is one; read at least four times a second.
  var stop: StopRequest? { get }
}

extension TransferObserver {
  /// Does nothing by default.
  package func arrived() {}
}
