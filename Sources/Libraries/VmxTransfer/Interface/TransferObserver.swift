package import VmxModel

/// Why a transfer is to end before its file is whole.
package enum StopRequest: Sendable, Equatable {
  /// The person, or the end of the process, interrupts it.
  case interrupted
  /// A wish or a policy holds it back, with its own code and time.
  case held(Failure)
}

/// Watches one transfer and may end it; called on the thread that runs the job.
package protocol TransferObserver: Sendable {
  /// Tells how far it is: called at least four times a second while bytes may flow.
  ///
  /// - Parameters:
  ///   - held: bytes of the file that stand in the partial file.
  ///   - total: bytes of the whole, once known.
  ///   - received: body bytes that came from the network in this run, those thrown away included.
  func progressed(held: Int64, total: Int64?, received: Int64)
  /// Tells that all bytes are here and that no proof that is left can ask for more: the network is
  /// free for others.
  func arrived()
  /// Tells that an attempt failed and another will follow after so many milliseconds.
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64)
  /// Tells what is no failure but worth a word, such as a checksum that was asked for and cannot
  /// be used. URLs stand in it without user, password and query.
  func noted(_ text: String)
  /// Set as soon as the transfer is to end; asked at least four times a second.
  var stop: StopRequest? { get }
}

extension TransferObserver {
  /// Who is told need not do anything.
  package func arrived() {}
}
