import Glibc
import Synchronization
import VmxPresentation

/// Writes to a file descriptor through a buffer of 64 KiB.
final class DescriptorSink: ByteSink {
  private static let room = 64 << 10

  private let number: Int32
  private let waiting = Mutex<[UInt8]>([])

  init(_ descriptor: Int32) {
    number = descriptor
  }

  var descriptor: Int32? { number }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try waiting.withLock { waiting throws(OutputError) in
      waiting.append(contentsOf: bytes)
      if waiting.count >= Self.room { try empty(&waiting) }
    }
  }

  func flush() throws(OutputError) {
    try waiting.withLock { waiting throws(OutputError) in try empty(&waiting) }
  }

  // Drops bytes that could not be written: a second flush must not print them after the message
  // that reports the failure.
  private func empty(_ waiting: inout [UInt8]) throws(OutputError) {
    let bytes = waiting
    waiting.removeAll(keepingCapacity: true)
    var start = 0
    while start < bytes.count {
      let written = bytes.withUnsafeBytes {
        Glibc.write(number, $0.baseAddress?.advanced(by: start), $0.count - start)
      }
      if written > 0 {
        start += written
      } else if written < 0, errno == EAGAIN {
        try wait()
      } else if written == 0 || errno != EINTR {
        throw Self.error(written == 0 ? EIO : errno)
      }
    }
  }

  // Waits for a terminal or pipe that another program sharing it has made non-blocking.
  private func wait() throws(OutputError) {
    var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    guard poll(&request, 1, -1) >= 0 || errno == EINTR else { throw Self.error(errno) }
  }

  private static func error(_ number: Int32) -> OutputError {
    number == EPIPE ? .closed : .failed(reason: String(cString: strerror(number)).lowercased())
  }
}
