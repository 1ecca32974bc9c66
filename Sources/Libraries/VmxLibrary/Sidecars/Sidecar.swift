package import SystemPackage
import VmxJSON
package import VmxModel
import VmxStore
package import VmxSystem

/// The record of an episode beside its media, `.vmx/records/<show>~<rest>.json`. Together with its
/// segment digests, it suffices to rebuild the store without a network.
///
/// It is written after the store, so the store has all its content except the segment digests.
/// Those are kept for parts whose bytes are unchanged. So no sidecar is ever replaced by bytes that
/// a power cut could lose.
package struct Sidecar {
  let path: FilePath
  /// The whole file as it was read; nil if it did not exist.
  let bytesBefore: [UInt8]?
  private let before: JSONObject?

  /// Reads the sidecar of an episode, if it exists.
  ///
  /// - Throws: `FileError` if it exists and cannot be read; a file that is not JSON counts as
  ///   missing.
  package init(of id: EpisodeID, below root: FilePath) throws(FileError) {
    path = root.appending(LibraryLayout.sidecar(of: id))
    bytesBefore = try Self.bytes(in: path)
    before = bytesBefore.flatMap { JSONParser().object(in: $0) }
  }

  /// Returns the segment entry of a part.
  func segmentEntry(of part: String) -> JSONObject? {
    before?["segments"]?.object?[part]?.object
  }

  /// Returns the record that the sidecar has of an episode; nil if it is of another one.
  package func record(of id: EpisodeID) -> JSONObject? {
    before?["id"]?.string == id.description ? before?["record"]?.object : nil
  }

  /// Returns the marks and values of the user that the sidecar has and the store has lost, as after
  /// a home was restored from a backup: those that were set later, and in a record with a higher
  /// rev those of earlier versions, which have no time.
  ///
  /// - Parameter now: the current time; a time that is ahead of it was written by a wrong clock.
  /// - Returns: the episode with these marks; nil if the store lacks none.
  package func restoringMarks(of episode: Episode, now: Timestamp) -> Episode? {
    guard let known = self.episode(episode.id) else { return nil }
    var restored = episode
    if let at = known.watchedAt, !TrustedClock.isAhead(at, of: now),
      episode.watchedAt.map({ $0 < at }) ?? true,
      known.isWatched != episode.isWatched
    {
      (restored.isWatched, restored.watchedAt) = (known.isWatched, at)
    }
    let isNewer = before?["rev"]?.integer.map { $0 > episode.rev } ?? false
    restored.takeValues(of: known, isNewer: isNewer) { !TrustedClock.isAhead($0, of: now) }
    return restored == episode ? nil : restored
  }

  /// Whether it was written before a person marked or described the episode, as while its disk was
  /// read-only.
  package func isOutdated(for episode: Episode) -> Bool {
    guard let known = self.episode(episode.id) else { return false }
    if episode.hasLaterValues(than: known) { return true }
    guard let rev = before?["rev"]?.integer, rev < episode.rev else { return false }
    return known.isWatched != episode.isWatched || known.watchedAt != episode.watchedAt
      || known.isKept != episode.isKept
      || episode.by[.title] == .person && known.title != episode.title
  }

  /// Whether it holds a record, or content that cannot be parsed and may hold one.
  package var mayHoldRecord: Bool {
    bytesBefore != nil && (before.map { $0["record"] != nil } ?? true)
  }

  /// The NFO file that vmx wrote; nil if it wrote none.
  package var nfo: NFOFile.Written? {
    guard let written = before?["nfo"]?.object, let path = written["path"]?.string,
      PathBytes(path).isNormalised, let sha256 = written["sha256"]?.string
    else { return nil }
    return NFOFile.Written(path: path, sha256: sha256)
  }

  /// Whether it has the recorded path and digest of a file.
  func describes(_ file: RecordedFile) -> Bool {
    guard let sha256 = file.sha256?.hex, let parts = before?["record"]?.object?["parts"]?.array
    else { return false }
    return parts.contains { part in
      part.object?["path"]?.string == file.path && part.object?["sha256"]?.string == sha256
    }
  }

  /// Returns the content of the sidecar for an episode whose video is below the root.
  ///
  /// - Parameters:
  ///   - found: the bytes that this process received or read, by part name.
  ///   - nfo: the NFO file that vmx wrote; nil if it wrote none.
  func bytes(
    of episode: Episode, found: [String: FoundBytes], nfo: NFOFile.Written?
  ) -> [UInt8] {
    var object = JSONObject()
    object.append("schema", 1)
    object.append("id", episode.id.description)
    object.append("rev", .integer(episode.rev))
    object.append("record", .object(episode.record))
    object.append("segments", .object(merged(found, of: episode.parts)))
    object.append(
      "nfo",
      nfo.map {
        .object(JSONObject(distinct: [("path", .string($0.path)), ("sha256", .string($0.sha256))]))
      })
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  private func merged(_ found: [String: FoundBytes], of parts: [Part]) -> JSONObject {
    var merged = JSONObject()
    for part in parts {
      guard let whole = part.sha256?.hex else { continue }
      let known = segmentEntry(of: part.name).flatMap { $0["sha256"]?.string == whole ? $0 : nil }
      let version = known.flatMap { FetchedVersion(in: $0) }
      guard
        let entry = found[part.name].map({ Self.entry($0, whole: whole, known: version) }) ?? known
      else {
        continue
      }
      merged.append(part.name, .object(entry))
    }
    return merged
  }

  /// - Parameter known: the version that the sidecar records for the same bytes; a verification,
  ///   which reads the bytes from the disk, cannot determine from which version they were fetched.
  private static func entry(
    _ found: FoundBytes, whole: String, known: FetchedVersion?
  ) -> JSONObject {
    var entry = JSONObject()
    entry.append("sha256", whole)
    entry.append("size", .integer(SegmentMap.size))
    entry.append("list", .array(found.segments.map { .string($0.hex) }))
    (found.version ?? known)?.append(to: &entry)
    return entry
  }

  private static func bytes(in path: FilePath) throws(FileError) -> [UInt8]? {
    guard let size = try RegularFile.size(of: path) else { return nil }
    return try RegularFile.prefix(of: path, upTo: Int(min(size.bytes, 64 << 20)))
  }
}

extension Sidecar {
  /// Writes an episode's current record to its sidecar, if its video is published. Segment digests
  /// and the NFO entry are kept.
  ///
  /// The bytes are flushed before the rename, so that a power cut never loses the digests. Either
  /// of the two records may survive it, since the store has the latest one.
  package static func refresh(_ episode: Episode, on mediaRoots: MediaRoots) {
    let video = episode.publishedVideo
    guard let uuid = video?.root else { return }
    do {
      let known = try Sidecar(of: episode.id, below: try mediaRoots.root(uuid).folder)
      // 'vmx clean' takes the newer marks over first.
      guard known.restoringMarks(of: episode, now: mediaRoots.store.now) == nil else { return }
      let draft = try TemporaryFile(
        of: known.path, known.bytes(of: episode, found: [:], nfo: known.nfo))
      draft.flush()
      draft.rename()
    } catch {
      // The store has the change; the next change of the episode writes the sidecar.
    }
  }
}
