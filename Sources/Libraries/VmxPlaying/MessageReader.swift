import Glibc
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// Reads the lines that a player writes, each a JSON object.
struct MessageReader {
  /// The longest line in bytes; one that is longer is skipped.
  private static let longest = 1 << 20

  private let connection: FileDescriptor
  private let parser = JSONParser()
  private var rest: [UInt8] = []
  private var isSkipping = false

  init(_ connection: FileDescriptor) {
    self.connection = connection
  }

  /// Waits for bytes or the end of the connection.
  ///
  /// - Returns: false if the time is up or a stop is requested.
  func waits(until deadline: Deadline, or interruption: Interruption?) -> Bool {
    var watched = [connection, interruption?.descriptor].map {
      pollfd(fd: $0?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)
    }
    // A signal ends the wait early; the caller looks at its request then.
    return poll(&watched, 2, deadline.pollTimeout) > 0 && watched[0].revents != 0
  }

  /// Returns the messages that are there now; lines that are none are skipped. Nil at the end of
  /// the connection.
  mutating func read() -> [JSONObject]? {
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(connection.rawValue, &piece, piece.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    guard count > 0 else { return nil }
    var messages: [JSONObject] = []
    for byte in piece.prefix(count) {
      if byte == UInt8(ascii: "\n") {
        if !isSkipping, let message = message(rest) { messages.append(message) }
        (rest, isSkipping) = ([], false)
      } else if rest.count < Self.longest {
        rest.append(byte)
      } else {
        isSkipping = true
      }
    }
    return messages
  }

  private func message(_ line: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try parser.parse(line).object
    } catch {
      // A line that is no message tells nothing.
      return nil
    }
  }
}
