import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// A licence key is opaque: only its player can tell which files it opens. The properties that are
// readable without the player are checked on arrival. No content of the key enters a message.

/// Validates complete key files.
enum KeyCheck {
  /// The maximum size of a key file: 1 MiB.
  static let largest = ByteCount(clamping: 1 << 20)

  /// Rejects a file that cannot be the key of the episode now.
  ///
  /// A key that is a JSON object may name its episode in `episode`, and its end in `expires` (RFC
  /// 3339, or seconds since 1970). A missing field counts as valid.
  ///
  /// - Parameter isOurs: whether an id is a present or former id of the episode.
  /// - Throws: `not-key`, `key-foreign`, `key-expired`, `FileError`, and errors of `isOurs`.
  static func look(
    at file: FilePath, _ subject: String, now: Timestamp, isOurs: (EpisodeID) throws -> Bool
  ) throws {
    let bytes = try RegularFile.prefix(of: file, upTo: Int(largest.bytes))
    let kind = MediaKind.sniff(bytes)
    if kind == .html { throw Failure(.notKey, "\(subject) is a web page") }
    guard kind == .json else { return }
    guard let key = object(in: bytes) else {
      throw Failure(.notKey, "\(subject) begins like JSON and is none")
    }
    if let id = key["episode"]?.string.flatMap(EpisodeID.init(valid:)), try !isOurs(id) {
      throw Failure(.keyForeign, "\(subject) says that it is for another episode")
    }
    if let expires = moment(key["expires"]), expires <= now {
      throw Failure(.keyExpired, "\(subject) held until \(expires.text)")
    }
  }

  private static func moment(_ value: JSONValue?) -> Timestamp? {
    if let seconds = value?.integer { return Timestamp(seconds: seconds) }
    return value?.string.flatMap { Timestamp($0) }
  }

  private static func object(in bytes: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(bytes).object
    } catch {
      return nil
    }
  }
}
