import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// Reads the lines that a player writes, each a JSON object.
struct MessageReader {
  private let parser = JSONParser()
  private var lines: LineReader

  init(_ connection: FileDescriptor) {
    lines = LineReader(connection)
  }

  /// Waits for bytes or the end of the connection.
  ///
  /// - Returns: false if the time is up or a stop is requested.
  func waits(until deadline: Deadline, or interruption: Interruption?) -> Bool {
    lines.waits(until: deadline, or: interruption)
  }

  /// Returns the messages that are there now; lines that are none are skipped. Nil at the end of
  /// the connection.
  mutating func read() -> [JSONObject]? { lines.read()?.compactMap(message) }

  private func message(_ line: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try parser.parse(line).object
    } catch {
      // A line that is no message tells nothing.
      return nil
    }
  }
}
