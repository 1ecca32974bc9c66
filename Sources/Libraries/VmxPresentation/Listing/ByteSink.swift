import Synchronization
package import VmxModel

/// Why bytes could not be written to a stream.
package enum OutputError: CodedError, Equatable {
  /// Nobody reads any more: the tool ends silently by SIGPIPE.
  case closed
  /// The write failed for this reason, in the system's words.
  case failed(reason: String)

  package var code: ErrorCode { .outputFailed }
  package var summary: String {
    switch self {
    case .closed: "cannot write to standard output: nobody reads it"
    case .failed(let reason): "cannot write to standard output: \(reason)"
    }
  }
}

/// Where renderers put their bytes.
package protocol ByteSink: AnyObject, Sendable {
  /// Takes the bytes, whole and in order; they may wait in a buffer until `flush`.
  func write(_ bytes: [UInt8]) throws(OutputError)
  /// Hands on what waits.
  func flush() throws(OutputError)
  /// The descriptor behind it, whose far end may be gone before anything is written; nil without
  /// one.
  var descriptor: Int32? { get }
}

extension ByteSink {
  package var descriptor: Int32? { nil }

  /// Takes a text as UTF-8.
  package func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }
}

/// Keeps what is written, for tests and for composing a whole before it is shown.
package final class ByteBuffer: ByteSink {
  private let bytes = Mutex<[UInt8]>([])

  /// An empty buffer.
  package init() {}

  /// Everything written so far, as text.
  package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  package func write(_ more: [UInt8]) throws(OutputError) {
    bytes.withLock { $0.append(contentsOf: more) }
  }

  package func flush() throws(OutputError) {}
}
