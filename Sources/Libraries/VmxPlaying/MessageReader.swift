import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// Reads JSON objects from a player, one per line.
struct MessageReader {
  private let parser = JSONParser()
  private var lines: LineReader

  init(_ connection: FileDescriptor) {
    lines = LineReader(connection)
  }

  /// Waits for data or the end of the connection.
  ///
  /// - Returns: false if the deadline has passed or a stop was requested.
  func waits(until deadline: Deadline, or interruption: Interruption?) -> Bool {
    lines.waits(until: deadline, or: interruption)
  }

  /// Returns the messages available now and skips invalid lines; nil at the end of the connection.
  mutating func read() -> [JSONObject]? { lines.read()?.compactMap(message) }

  private func message(_ line: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try parser.parse(line).object
    } catch {
      // A line that is not a message is ignored.
      return nil
    }
  }
}
