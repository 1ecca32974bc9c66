import Synchronization
package import VmxModel

/// The reason why bytes could not be written to a stream.
package enum OutputError: CodedError, Equatable {
  /// The reader has closed its end of the pipe; SIGPIPE then ends the command silently.
  case closed
  /// The write failed; the reason is the text of the system.
  case failed(reason: String)

  package var code: ErrorCode { .outputFailed }
  package var summary: String {
    switch self {
    case .closed: "cannot write to standard output: its reader has closed it"
    case .failed(let reason): "cannot write to standard output: \(reason)"
    }
  }
}

/// The destination to which renderers write their bytes.
package protocol ByteSink: AnyObject, Sendable {
  /// Writes all bytes, in order; they may stay in a buffer until `flush`.
  func write(_ bytes: [UInt8]) throws(OutputError)
  /// Writes the buffered bytes.
  func flush() throws(OutputError)
  /// The file descriptor, whose reader may be gone before anything is written; nil if there is
  /// none.
  var descriptor: Int32? { get }
}

extension ByteSink {
  package var descriptor: Int32? { nil }

  /// Writes a text as UTF-8.
  package func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }
}

/// Collects the bytes in memory, for tests and for composing a text before it is shown.
package final class ByteBuffer: ByteSink {
  private let bytes = Mutex<[UInt8]>([])

  /// Creates an empty buffer.
  package init() {}

  /// All bytes written so far, as text.
  package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  package func write(_ more: [UInt8]) throws(OutputError) {
    bytes.withLock { $0.append(contentsOf: more) }
  }

  package func flush() throws(OutputError) {}
}
