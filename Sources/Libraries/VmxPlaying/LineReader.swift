import Glibc
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// Reads lines from a socket that is connected to a program.
struct LineReader {
  /// The maximum length of a line in bytes; longer lines are skipped.
  private static let maxLineLength = 1 << 20

  private let connection: FileDescriptor
  private var rest: [UInt8] = []
  private var isSkipping = false

  init(_ connection: FileDescriptor) {
    self.connection = connection
  }

  /// Waits for data or the end of the connection.
  ///
  /// - Returns: false if the deadline has passed or a stop was requested.
  func waits(until deadline: Deadline, or interruption: Interruption?) -> Bool {
    var watched = [connection, interruption?.descriptor].map {
      pollfd(fd: $0?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
    }
    // A signal ends the wait early; the caller then checks for an interruption.
    return poll(&watched, 2, deadline.pollTimeout) > 0 && watched[0].revents != 0
  }

  /// Returns the complete lines available now, without line terminators; nil at the end of the
  /// connection.
  mutating func read() -> [[UInt8]]? {
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(connection.rawValue, &piece, piece.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    guard count > 0 else { return nil }
    var lines: [[UInt8]] = []
    for byte in piece.prefix(count) {
      if byte == UInt8(ascii: "\n") {
        if !isSkipping { lines.append(rest) }
        (rest, isSkipping) = ([], false)
      } else if rest.count < Self.maxLineLength {
        rest.append(byte)
      } else {
        isSkipping = true
      }
    }
    return lines
  }

  /// Returns the JSON objects available now and skips other lines; nil at the end of the
  /// connection.
  mutating func readObjects(_ parser: JSONParser) -> [JSONObject]? {
    read()?.compactMap { line in
      do throws(JSONSyntaxError) {
        return try parser.parse(line).object
      } catch {
        // A line that is not a message is ignored.
        return nil
      }
    }
  }
}

/// Creates a socket pair for the connection to a program that is about to be started.
///
/// - Throws: `ProcessError.notStarted`.
func socketPair(for program: FilePath) throws(ProcessError) -> (FileDescriptor, FileDescriptor) {
  var ends: [Int32] = [-1, -1]
  let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
    throw .notStarted(program, Errno(rawValue: errno))
  }
  return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
}
