import Glibc
import Synchronization
import SystemPackage
package import VmxModel
import VmxPresentation
import VmxSystem

/// A source of bytes.
package protocol ByteSource: AnyObject, Sendable {
  /// Whether the source can hold rows: a pipe, a socket or a regular file, but not a terminal.
  var isData: Bool { get }
  /// Whether the source is a terminal with this process in its foreground.
  var isTerminal: Bool { get }
  /// Whether bytes wait in a pipe or socket; never blocks and reads nothing.
  var hasWaitingBytes: Bool { get }
  /// Whether the source is a pipe that another process can still write to; never blocks. A socket
  /// is none: it stays open during a whole remote login.
  var isOpenPipe: Bool { get }
  /// Whether bytes or the end of the source arrive within a time in milliseconds.
  func isReady(within milliseconds: Int64) -> Bool
  /// Returns the next bytes as soon as some are available; empty at the end.
  ///
  /// - Throws: `input-missing` if reading fails.
  func read() throws(Failure) -> [UInt8]
}

extension ByteSource {
  package var isTerminal: Bool { false }
  package var hasWaitingBytes: Bool { false }
  package var isOpenPipe: Bool { false }
  package func isReady(within milliseconds: Int64) -> Bool { true }
}

/// Reads a file descriptor.
final class DescriptorSource: ByteSource {
  private static let bufferSize = 64 << 10

  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isData: Bool { hasType([S_IFIFO, S_IFSOCK, S_IFREG]) }

  // A background process that reads from its terminal is stopped (SIGTTIN).
  var isTerminal: Bool { isatty(descriptor) == 1 && tcgetpgrp(descriptor) == getpgrp() }

  var hasWaitingBytes: Bool {
    var count: Int32 = 0
    return hasType([S_IFIFO, S_IFSOCK]) && ioctl(descriptor, UInt(FIONREAD), &count) == 0
      && count > 0
  }

  var isOpenPipe: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return hasType([S_IFIFO]) && poll(&request, 1, 0) >= 0
      && request.revents & Int16(POLLHUP) == 0
  }

  func isReady(within milliseconds: Int64) -> Bool {
    FileDescriptor(rawValue: descriptor).isReady(for: .reading, within: milliseconds)
  }

  private func hasType(_ types: [mode_t]) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && types.contains(status.st_mode & S_IFMT)
  }

  func read() throws(Failure) -> [UInt8] {
    while true {
      var failed: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferSize) { buffer, count in
        let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        failed = result < 0 ? errno : 0
        count = max(0, result)
      }
      switch failed {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN:
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
      default:
        let reason = String(cString: strerror(failed)).lowercased()
        throw Failure(.inputMissing, "cannot read standard input: \(reason)")
      }
    }
  }
}

/// Drops all bytes: standard output under `--quiet`.
final class NullSink: ByteSink {
  func write(_ bytes: [UInt8]) throws(OutputError) {}
  func flush() throws(OutputError) {}
}

/// Writes to a file descriptor through a buffer of 64 KiB.
final class DescriptorSink: ByteSink {
  private static let bufferSize = 64 << 10

  private let number: Int32
  private let waiting = Mutex<[UInt8]>([])

  init(_ number: Int32) {
    self.number = number
  }

  var descriptor: Int32? { number }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try waiting.withLock { waiting throws(OutputError) in
      waiting.append(contentsOf: bytes)
      if waiting.count >= Self.bufferSize { try empty(&waiting) }
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
