import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The record of an episode beside its media, `.vmx/records/<show>~<rest>.json`: with the digests
/// of its segments it is enough to rebuild the store without a network.
///
/// It is written after the store and without waiting for the disk: whatever it lacks, the store
/// has. Digests of segments are kept for parts whose bytes are still the same.
enum Sidecar {
  /// Where the sidecar of an episode lies.
  static func path(of id: EpisodeID, below root: FilePath) -> FilePath {
    root.appending(".vmx").appending("records").appending("\(id.show)~\(id.episode).json")
  }

  /// Writes the sidecar of an episode whose video stands below the root.
  ///
  /// - Parameter segments: digests of the parts that this process has seen pass, by part name.
  static func write(
    _ episode: Episode, segments: [String: [Digest]], below root: FilePath
  ) throws(FileError) {
    let path = path(of: episode.id, below: root)
    let old = try digests(in: path)
    var parts = JSONObject()
    for part in episode.parts {
      guard let whole = part.sha256?.hex else { continue }
      let known = old?[part.name]?.object
      let made = segments[part.name].map { JSONValue.array($0.map { .string($0.hex) }) }
      guard let list = made ?? (known?["sha256"]?.string == whole ? known?["list"] : nil) else {
        continue
      }
      var entry = JSONObject()
      entry.append("sha256", whole)
      entry.append("size", .integer(4 << 20))
      entry.append("list", list)
      parts.append(part.name, .object(entry))
    }
    var object = JSONObject()
    object.append("schema", 1)
    object.append("id", episode.id.description)
    object.append("rev", .integer(episode.rev))
    object.append("record", .object(episode.record))
    object.append("segments", .object(parts))
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    try makeFolders(path.folder)
    try AtomicFile.replace(path, with: bytes, durable: false)
  }

  /// Segment digests of an earlier sidecar; nil where there is none that can be read.
  private static func digests(in path: FilePath) throws(FileError) -> JSONObject? {
    guard let size = try MediaFile.size(of: path) else { return nil }
    let bytes = try MediaFile.prefix(of: path, upTo: Int(min(size.bytes, 64 << 20)))
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(bytes).object?["segments"]?.object
    } catch {
      return nil
    }
  }
}
