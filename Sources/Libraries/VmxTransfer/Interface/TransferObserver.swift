package import VmxModel

/// The reason to end a transfer before its file is whole.
package enum StopRequest: Sendable, Equatable {
  /// The user interrupts the transfer, or the process ends.
  case interrupted
  /// The user's request or a policy holds the transfer, with its own code and time.
  case held(Failure)
}

/// Receives the progress of one transfer and may stop it. Called on the thread that runs the job.
package protocol TransferObserver: Sendable {
  /// Called before a response whose head announces the size is received. Returns a request to stop,
  /// or nil if its bytes may be kept. May block.
  ///
  /// - Parameters:
  ///   - total: the announced size of the whole in bytes.
  ///   - held: the bytes of the file in the partial file.
  func announced(total: Int64, held: Int64) -> StopRequest?
  /// Reports the progress, at least four times a second while bytes may arrive. If no size was
  /// announced, it is called before each piece is kept, and `stop` is read after it.
  ///
  /// - Parameters:
  ///   - held: the bytes of the file in the partial file.
  ///   - total: the size of the whole in bytes, once known.
  ///   - received: the body bytes received from the network in this run, discarded ones included.
  ///   - connections: the number of connections that fetch the part.
  func progressed(held: Int64, total: Int64?, received: Int64, connections: Int)
  /// Reports that all bytes have arrived and that no remaining verification can require more. The
  /// network is free for other transfers.
  func allBytesReceived()
  /// Reports that all bytes have arrived and that their digests are compared from now on.
  func verifying()
  /// Reports that an attempt failed and that the next one follows after this many milliseconds.
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64)
  /// Reports that the first request is being sent.
  func requestSent()
  /// Reports that a host has sent the head of a response.
  func responseReceived(_ host: HostName)
  /// Reports that a source is tried from now on. Returns the reason not to request it now; the next
  /// source is tried then.
  func willTry(source url: String) -> Failure?
  /// The reason to give up the source that is being tried, once there is one; read as often as
  /// `stop`. Other sources of the part are tried then.
  var sourceRefusal: Failure? { get }
  /// Reports that a source is given up and the next one is tried, if there is one.
  func abandoned(source url: String, after failure: Failure)
  /// Reports a note that is not a failure, such as an unusable checksum file. Its URLs contain no
  /// user, password or query.
  func noted(_ text: String)
  /// The request to stop, once there is one; read at least four times a second.
  var stop: StopRequest? { get }
}

extension TransferObserver {
  /// Returns nil by default.
  package func announced(total: Int64, held: Int64) -> StopRequest? { nil }
  /// Does nothing by default.
  package func allBytesReceived() {}
  /// Does nothing by default.
  package func requestSent() {}
  /// Does nothing by default.
  package func responseReceived(_ host: HostName) {}
  /// Does nothing by default.
  package func verifying() {}
  /// Returns nil by default.
  package func willTry(source url: String) -> Failure? { nil }
  /// Nil by default.
  package var sourceRefusal: Failure? { nil }
  /// Does nothing by default.
  package func abandoned(source url: String, after failure: Failure) {}
}
