package import SystemPackage
package import VmxModel
package import VmxStore
package import VmxSystem

// A bundle may be on a disk that is not mounted. So vmx never searches for a bundle and never
// reports it missing: the record contains its path and the content that it had when this library
// wrote, imported or verified it. A record of the store is one line, so the episodes of a large
// bundle are spread over several records.

/// A bundle or exported folder that holds files of episodes, a record of kind `copy`.
package struct BundleCopy: Sendable, Equatable {
  /// The number of episodes in one record.
  private static let episodesPerRecord = 500

  /// The absolute path of the bundle: a file, or the folder of a bag.
  package let path: FilePath
  /// The name of its format, as in `vmx export --type`.
  package let type: String
  /// The time at which all its bytes were written or verified.
  package let verified: Timestamp
  /// The size and modification time of its file, or of the manifest of a folder.
  private let mark: Mark
  /// The first 16 digits of the digest of the video, by episode; empty for an episode whose video
  /// is elsewhere.
  package let episodes: [EpisodeID: String]

  private struct Mark: Sendable, Equatable {
    let size: Int64
    let modified: Int64
  }

  /// Returns the recorded form of a digest: its first 16 digits; empty for nil.
  package static func short(_ digest: Digest?) -> String {
    digest.map { String($0.hex.prefix(16)) } ?? ""
  }

  /// Creates the description of a bundle that is on the disk.
  ///
  /// - Parameter markFile: the file that shows whether the bundle has changed: the bundle itself,
  ///   or the manifest of a folder.
  /// - Throws: `FileError` if the file cannot be inspected.
  package init?(
    at path: FilePath, markFile: FilePath, type: String, verified: Timestamp,
    episodes: [EpisodeID: String]
  ) throws(FileError) {
    guard let mark = try Self.mark(of: markFile) else { return nil }
    self.path = path
    self.type = type
    self.verified = verified
    self.mark = mark
    self.episodes = episodes
  }

  private static func mark(of file: FilePath) throws(FileError) -> Mark? {
    try FileFacts.of(file).map { Mark(size: $0.size, modified: $0.modified) }
  }

  /// Compares the file at the path with the recorded one.
  package var presence: EpisodeCopy.Presence {
    let markFile = type == Self.folderType ? path.appending(Self.manifest) : path
    do throws(FileError) {
      guard let found = try Self.mark(of: markFile) else { return .unreachable }
      return found == mark ? .reachable : .changed
    } catch {
      return .unreachable
    }
  }

  /// The type of an exported folder.
  package static let folderType = "folder"
  /// The manifest of a bag, which an update of a folder writes last.
  package static let manifest = "manifest-sha256.txt"
}

extension BundleCopy {
  /// Records the bundle and replaces the earlier records of the same path.
  package func record(in transaction: inout StoreTransaction, before snapshot: StoreSnapshot) {
    var old: Set<String> = []
    snapshot.records(of: .copy, holding: path.string) { record in
      if record.fields["path"]?.string == path.string { old.insert(record.id) }
      return true
    }
    let name = Hex.text(of: StableHash.of(path.string))
    let ids = episodes.keys.sorted()
    for start in stride(from: 0, to: ids.count, by: Self.episodesPerRecord) {
      let id = "\(name).\(start / Self.episodesPerRecord)"
      let held = ids[start..<min(ids.count, start + Self.episodesPerRecord)]
      transaction.put(StoredRecord(kind: .copy, id: id, fields: fields(of: held)))
      old.remove(id)
    }
    for id in old { transaction.delete(.copy, id) }
  }

  private func fields(of ids: ArraySlice<EpisodeID>) -> JSONObject {
    let held = ids.map { JSONValue.array([.string($0.description), .string(episodes[$0] ?? "")]) }
    return JSONObject(distinct: [
      ("path", .string(path.string)), ("type", .string(type)), ("verified", verified.json),
      ("size", .integer(mark.size)), ("modified", .integer(mark.modified)),
      ("episodes", .array(held)),
    ])
  }

  /// Decodes a record; nil if it lacks a field, as one of a later version may.
  init?(_ record: StoredRecord) {
    let fields = FieldReader(record.fields, of: record.id)
    do throws(Failure) {
      guard let path = try fields.string("path"), let type = try fields.string("type"),
        let verified = try fields.timestamp("verified"), let size = try fields.integer("size"),
        let modified = try fields.integer("modified")
      else { return nil }
      self.path = FilePath(path)
      self.type = type
      self.verified = verified
      mark = Mark(size: size, modified: modified)
    } catch {
      return nil
    }
    var episodes: [EpisodeID: String] = [:]
    for pair in record.fields["episodes"]?.array ?? [] {
      guard let pair = pair.array, pair.count == 2, let id = pair[0].string,
        let digest = pair[1].string
      else { continue }
      if let id = EpisodeID(valid: id) { episodes[id] = digest }
    }
    self.episodes = episodes
  }
}

extension StoreSnapshot {
  /// Returns the bundles whose records list files of an episode under any of its ids, each with the
  /// digest of the video.
  package func copies(of id: EpisodeID) -> [(copy: BundleCopy, digest: String)] {
    var ids: Set<EpisodeID> = [id]
    records(of: .alias) { alias in
      if alias.fields["to"]?.string == id.description, let old = EpisodeID(valid: alias.id) {
        ids.insert(old)
      }
      return true
    }
    var copies: [(copy: BundleCopy, digest: String)] = []
    for id in ids {
      records(of: .copy, holding: id.description) { record in
        if let copy = BundleCopy(record), let digest = copy.episodes[id] {
          copies.append((copy, digest))
        }
        return true
      }
    }
    return copies.sorted { $0.copy.path.string < $1.copy.path.string }
  }
}
