import Glibc
import Synchronization
package import VmxModel

/// Where bytes come from.
package protocol ByteSource: AnyObject, Sendable {
  /// Whether it can hold rows: a pipe, a socket or a regular file; never a terminal.
  var isData: Bool { get }
  /// Whether a person types it.
  var isTerminal: Bool { get }
  /// The next bytes, as soon as there are some; none at the end.
  ///
  /// - Throws: `input-missing` if reading fails.
  func read() throws(Failure) -> [UInt8]
}

extension ByteSource {
  package var isTerminal: Bool { false }
}

/// Reads a file descriptor.
final class DescriptorSource: ByteSource {
  private static let room = 64 << 10

  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isData: Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFREG].contains(status.st_mode & S_IFMT)
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  func read() throws(Failure) -> [UInt8] {
    while true {
      var failed: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.room) { buffer, count in
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

/// Gives made pieces, one after another.
package final class MadeSource: ByteSource {
  package let isData: Bool
  package let isTerminal: Bool
  private let pieces: Mutex<[[UInt8]]>

  /// A source of these texts; without any it is like `/dev/null`.
  ///
  /// - Parameter isTyped: whether it is as if a person typed them.
  package init(_ pieces: String..., isTyped: Bool = false) {
    isData = !pieces.isEmpty && !isTyped
    isTerminal = isTyped
    self.pieces = Mutex(pieces.map { Array($0.utf8) })
  }

  package func read() throws(Failure) -> [UInt8] {
    pieces.withLock { $0.isEmpty ? [] : $0.removeFirst() }
  }
}
