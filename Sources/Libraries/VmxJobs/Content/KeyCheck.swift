import SystemPackage
import VmxJSON
import VmxModel

// A licence key is opaque: nobody but its player can say what opens with it. What can be told
// without that is told when it comes. Nothing of what stands in it gets into a message.

/// Looks at whole key files.
enum KeyCheck {
  /// Bytes of the largest file that is taken for a key.
  static let largest = ByteCount(clamping: 1 << 20)

  /// Refuses what cannot be the key of an episode now.
  ///
  /// A key that is a JSON object may say in `episode` whose it is, and in `expires` (RFC 3339, or
  /// seconds since 1970) how long it holds; what it does not say counts as right.
  ///
  /// - Parameter isOurs: whether an id is one of the episode's, also one that it had before.
  /// - Throws: `not-key`, `key-foreign`, `key-expired`, `FileError`, and what `isOurs` throws.
  static func look(
    at file: FilePath, _ subject: String, now: Timestamp, isOurs: (EpisodeID) throws -> Bool
  ) throws {
    let bytes = try MediaFile.prefix(of: file, upTo: Int(largest.bytes))
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
