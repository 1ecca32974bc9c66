package import SystemPackage
package import VmxModel
package import VmxStore
package import VmxSystem

// A bundle may be on a disk that is not mounted. So vmx never searches for a bundle and never
// reports it missing: the record contains its path and the content that it had when this library
// wrote, imported or verified it. A record of the store is one line, so the episodes of a large
// bundle are spread over several records. A folder is identified by its manifest, and each of its
// videos by a mark of its own, since a file may change without the manifest. When a verification
// finds a bundle damaged, its records are deleted.

/// A bundle or exported folder that holds files of episodes, a record of kind `copy`.
package struct BundleCopy: Sendable, Equatable {
  /// The number of episodes in one record.
  private static let episodesPerRecord = 500

  /// The absolute path of the bundle: a file, or the folder of a bag.
  package let path: FilePath
  /// The name of its format, as in `vmx export --type`.
  package let type: String
  /// The time since which all its bytes have been written or verified; nil if some never were by
  /// this library.
  package let verified: Timestamp?
  /// The size and modification time of its file, or of the manifest of a folder.
  private let mark: Mark
  /// The videos of its episodes.
  package let episodes: [EpisodeID: Video]

  fileprivate struct Mark: Sendable, Equatable {
    let size: Int64
    let modified: Int64
  }

  /// The video of an episode in a bundle.
  package struct Video: Sendable, Equatable {
    /// The first 16 digits of its digest; empty for an episode whose video is elsewhere.
    package let digest: String
    /// Its path in the bag; nil if only the bundle as a whole is compared, as for an archive.
    fileprivate let path: String?
    /// The size and modification time of its file in a folder.
    fileprivate var mark: Mark?

    /// Creates the description of a video; without a digest, the video is elsewhere.
    package init(_ digest: Digest? = nil, path: String? = nil) {
      self.digest = BundleCopy.abbreviated(digest)
      self.path = path
    }

    fileprivate init(digest: String, path: String?, mark: Mark?) {
      self.digest = digest
      self.path = path
      self.mark = mark
    }
  }

  /// Returns the recorded form of a digest: its first 16 digits; empty for nil.
  package static func abbreviated(_ digest: Digest?) -> String {
    digest.map { String($0.hex.prefix(16)) } ?? ""
  }

  /// Creates the description of a bundle that is on the disk.
  ///
  /// - Parameter markFile: the file that shows whether the bundle has changed: the bundle itself,
  ///   or the manifest of a folder.
  /// - Throws: `FileError` if a file cannot be inspected.
  package init?(
    at path: FilePath, markFile: FilePath, type: String, verified: Timestamp?,
    episodes: [EpisodeID: Video]
  ) throws(FileError) {
    guard let mark = try Self.mark(of: markFile) else { return nil }
    self.path = path
    self.type = type
    self.verified = verified
    self.mark = mark
    var marked = episodes
    if type == Self.folderType {
      for (id, video) in episodes {
        marked[id]?.mark = try video.path.flatMap { file throws(FileError) in
          try Self.mark(of: path.appending(file))
        }
      }
    }
    self.episodes = marked
  }

  private static func mark(of file: FilePath) throws(FileError) -> Mark? {
    try FileFacts.of(file).map { Mark(size: $0.size, modified: $0.modified) }
  }

  /// Compares the file at the path, and that of a video in a folder, with the recorded ones.
  package func presence(of video: Video) -> EpisodeCopy.Presence {
    let markFile = type == Self.folderType ? path.appending(Self.manifest) : path
    do throws(FileError) {
      guard let found = try Self.mark(of: markFile) else {
        return try isFolderInUse() ? .missing : .unreachable
      }
      guard found == mark else { return .changed }
      guard let file = video.path, let mark = video.mark else { return .reachable }
      return try Self.mark(of: path.appending(file)) == mark ? .reachable : .changed
    } catch {
      return .unreachable
    }
  }

  /// Whether the folder of the bundle exists and has other content, unlike an empty mount point.
  private func isFolderInUse() throws(FileError) -> Bool {
    guard try FileFacts.of(path.folder)?.isFolder == true else { return false }
    return try OpenFolder(path.folder, followingLinks: true).next() != nil
  }

  /// Whether the bundle of a record has the same file and the same episodes as this one, and is no
  /// longer at its path: it was moved here.
  func isMoved(from other: BundleCopy) throws(FileError) -> Bool {
    guard other.path != path, other.type == type, other.mark == mark,
      Set(other.episodes.keys).isSubset(of: episodes.keys)
    else { return false }
    let markFile = type == Self.folderType ? other.path.appending(Self.manifest) : other.path
    return try Self.mark(of: markFile) == nil
  }

  /// The type of an exported folder.
  package static let folderType = "folder"
  /// The manifest of a bag, which an update of a folder writes last.
  package static let manifest = "manifest-sha256.txt"
}

extension BundleCopy {
  /// Records the bundle. Replaces the earlier records of the same path, and those of the path from
  /// which it was moved.
  ///
  /// - Throws: `FileError` if a former path cannot be inspected.
  package func record(
    in transaction: inout StoreTransaction, before snapshot: StoreSnapshot
  ) throws(FileError) {
    var old = Set(snapshot.copyRecords(at: path).map(\.id))
    var others: [StoredRecord] = []
    snapshot.records(of: .copy) { record in
      others.append(record)
      return true
    }
    for record in others {
      if let other = BundleCopy(record), try isMoved(from: other) { old.insert(record.id) }
    }
    let name = Hex.text(of: StableHash.of(path.string))
    let ids = episodes.keys.sorted()
    for start in stride(from: 0, to: ids.count, by: Self.episodesPerRecord) {
      let id = "\(name).\(start / Self.episodesPerRecord)"
      let held = ids[start..<min(ids.count, start + Self.episodesPerRecord)]
      transaction.write(StoredRecord(kind: .copy, id: id, fields: fields(of: held)))
      old.remove(id)
    }
    for id in old { transaction.delete(.copy, id) }
  }

  private func fields(of ids: ArraySlice<EpisodeID>) -> JSONObject {
    let held = ids.map { id in
      JSONValue.array([.string(id.description)] + (episodes[id] ?? Video()).fields)
    }
    var object = JSONObject(distinct: [
      ("path", .string(path.string)), ("type", .string(type)), ("size", .integer(mark.size)),
      ("modified", .integer(mark.modified)), ("episodes", .array(held)),
    ])
    object.append("verified", verified?.json)
    return object
  }

  /// Decodes a record; nil if it lacks a field, as one of a later version may.
  init?(_ record: StoredRecord) {
    let fields = FieldReader(record.fields, of: record.id)
    do throws(Failure) {
      guard let path = try fields.string("path"), let type = try fields.string("type"),
        let size = try fields.integer("size"), let modified = try fields.integer("modified")
      else { return nil }
      self.path = FilePath(path)
      self.type = type
      verified = try fields.timestamp("verified")
      mark = Mark(size: size, modified: modified)
    } catch {
      return nil
    }
    var episodes: [EpisodeID: Video] = [:]
    for list in record.fields["episodes"]?.array ?? [] {
      guard let list = list.array, let id = list.first?.string else { continue }
      if let id = EpisodeID(valid: id) { episodes[id] = Video(list.dropFirst()) }
    }
    self.episodes = episodes
  }
}

extension BundleCopy.Video {
  fileprivate var fields: [JSONValue] {
    guard let path, let mark else { return [.string(digest)] }
    return [.string(digest), .string(path), .integer(mark.size), .integer(mark.modified)]
  }

  fileprivate init?(_ fields: ArraySlice<JSONValue>) {
    let fields = Array(fields)
    guard let digest = fields.first?.string else { return nil }
    guard fields.count == 4, let size = fields[2].integer, let modified = fields[3].integer else {
      self.init(digest: digest, path: nil, mark: nil)
      return
    }
    self.init(
      digest: digest, path: fields[1].string, mark: BundleCopy.Mark(size: size, modified: modified))
  }
}

extension LibraryStore {
  /// Deletes the records of the bundle at a path.
  ///
  /// - Returns: whether there were any.
  /// - Throws: errors of the store.
  @discardableResult
  package func deleteCopyRecords(at path: FilePath) throws -> Bool {
    let records = try snapshot().copyRecords(at: path)
    if records.isEmpty { return false }
    try update(.durable) { transaction in
      for record in records { transaction.delete(.copy, record.id) }
    }
    return true
  }

  /// Records that the verification of the bundle at a path has failed: it is no copy any more, and
  /// the next export to it reads all of its files.
  ///
  /// - Throws: errors of the store.
  package func recordFailedVerification(of path: FilePath) throws {
    let records = try snapshot().copyRecords(at: path)
    let failed = BundleCopy.failedRecord(of: path)
    if records.map(\.id) == [failed.id], records[0].fields == failed.fields { return }
    try update(.durable) { transaction in
      for record in records where record.id != failed.id { transaction.delete(.copy, record.id) }
      transaction.write(failed)
    }
  }
}

extension BundleCopy {
  private static let failedKey = "failed"

  /// The record of a bundle whose verification has failed. It lists no episode.
  fileprivate static func failedRecord(of path: FilePath) -> StoredRecord {
    let fields = JSONObject(distinct: [("path", .string(path.string)), (failedKey, true)])
    return StoredRecord(
      kind: .copy, id: "\(Hex.text(of: StableHash.of(path.string))).0", fields: fields)
  }

  fileprivate static func hasFailed(_ record: StoredRecord) -> Bool {
    record.fields[failedKey]?.bool ?? false
  }
}

extension StoreSnapshot {
  /// Returns the records of the bundle at a path.
  fileprivate func copyRecords(at path: FilePath) -> [StoredRecord] {
    var found: [StoredRecord] = []
    records(of: .copy, holding: path.string) { record in
      if record.path == path.string { found.append(record) }
      return true
    }
    return found
  }

  /// Whether the last verification of the bundle at a path has failed.
  package func hasFailedVerification(of path: FilePath) -> Bool {
    copyRecords(at: path).contains(where: BundleCopy.hasFailed)
  }

  /// Returns the time since which all bytes of the bundle at a path have been written or verified;
  /// nil if it is unknown.
  package func verified(copyAt path: FilePath) -> Timestamp? {
    copyRecords(at: path).first.flatMap { BundleCopy($0)?.verified }
  }

  /// Returns the bundles whose records list files of an episode under any of its ids, each with the
  /// video.
  package func copies(of id: EpisodeID) -> [(copy: BundleCopy, video: BundleCopy.Video)] {
    var ids: Set<EpisodeID> = [id]
    records(of: .alias) { alias in
      if alias.fields["to"]?.string == id.description, let old = EpisodeID(valid: alias.id) {
        ids.insert(old)
      }
      return true
    }
    var copies: [(copy: BundleCopy, video: BundleCopy.Video)] = []
    for id in ids {
      records(of: .copy, holding: id.description) { record in
        if let copy = BundleCopy(record), let video = copy.episodes[id] {
          copies.append((copy, video))
        }
        return true
      }
    }
    return copies.sorted { $0.copy.path.string < $1.copy.path.string }
  }
}
