import SystemPackage
import VmxArchive
import VmxDigest
package import VmxModel

/// The text of `bag-info.txt`, and the place of a volume among others.
package struct BundleInfo: Sendable {
  /// The day of writing, only if the environment fixes it (`SOURCE_DATE_EPOCH`); else the bytes would
  /// differ from day to day.
  package var date: CalendarDay?
  /// The volume and the number of volumes, from 1; nil for a bundle in one piece.
  package var volume: (number: Int, count: Int)?
  /// The episodes in other volumes, with their numbers.
  package var elsewhere: [EpisodeID: Int] = [:]

  /// Creates the information of a bundle in one piece.
  ///
  /// - Parameter epoch: `SOURCE_DATE_EPOCH`, the seconds since 1970 that stand for the time of
  ///   writing (reproducible-builds.org).
  package init(epoch: String? = nil) {
    let day = epoch.flatMap { Int64($0) }.map { Timestamp(seconds: $0).text.prefix(10) }
    date = day.flatMap { CalendarDay(String($0)) }
  }
}

/// The tag files of a bundle (RFC 8493, section 2.2), in the order of their names.
struct BundleTags {
  /// The name of the list of episodes in other volumes.
  static let elsewhere = "vmx-elsewhere.jsonl"

  /// A tag file.
  struct File {
    /// The name in the folder of the bag.
    let path: String
    /// The content.
    let bytes: [UInt8]

    /// The place among the replacements of a folder: the manifest comes last but one, and the
    /// manifest of the tag files last.
    var rank: Int {
      BagManifestName(PathBytes(path)).map { $0.isOfTags ? 2 : 1 } ?? 0
    }
  }

  /// The files.
  let files: [File]
  /// The name of the folder in an archive, made from the content.
  let folder: String

  /// Creates the tag files of a plan.
  ///
  /// - Parameters:
  ///   - kept: the lines of episodes that a folder holds already, by their ids.
  ///   - more: the digests of the files of these, by their paths.
  init(
    _ plan: BundlePlan, _ info: BundleInfo, keeping kept: [String: JSONObject] = [:],
    _ more: [String: Payload] = [:]
  ) {
    var payload = more
    for placed in plan.files {
      payload[placed.file.path] = Payload(size: placed.file.size.bytes, placed.file.sha256)
    }
    let remotes = plan.entries.flatMap(\.remotes)
    var listed = payload.mapValues(\.digest)
    for remote in remotes { listed[remote.path] = remote.sha256 }
    var records = kept
    for entry in plan.entries { records[entry.episode.id.description] = entry.record }

    let manifest = Self.manifest(of: listed)
    var files = [
      File(path: BagDeclaration.name, bytes: Array(BagDeclaration.text.utf8)),
      File(path: BagInfo.name, bytes: Array(Self.info(info, payload).text.utf8)),
      File(path: BagManifestName(.sha256).file, bytes: manifest),
      File(path: BundleRecord.fileName, bytes: Self.lines(of: records)),
    ]
    if !remotes.isEmpty {
      let lines = remotes.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        .map { BagFetchLine(PathBytes($0.path), url: $0.url, size: $0.size.bytes).text }
      files.append(File(path: BagFetchLine.name, bytes: Array(lines.joined().utf8)))
    }
    if !info.elsewhere.isEmpty {
      let others = info.elsewhere.map { id, volume in
        (
          id.description,
          JSONObject(distinct: [
            ("schema", 1), ("id", .string(id.description)), ("volume", .integer(Int64(volume))),
          ])
        )
      }
      let lines = Dictionary(others) { first, _ in first }
      files.append(File(path: Self.elsewhere, bytes: Self.lines(of: lines)))
    }
    let tags = Self.manifest(
      of: Dictionary(files.map { ($0.path, DigestHasher.sha256(of: $0.bytes)) }) { $1 })
    files.append(File(path: BagManifestName(.sha256, isOfTags: true).file, bytes: tags))
    self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    folder = "vmx-" + DigestHasher.sha256(of: manifest).hex.prefix(12)
  }

  /// A payload file in the bag.
  struct Payload {
    let size: Int64
    let digest: Digest

    init(size: Int64, _ digest: Digest) {
      self.size = size
      self.digest = digest
    }
  }

  /// Returns a manifest of files by their paths.
  static func manifest(of files: [String: Digest]) -> [UInt8] {
    Array(
      BagManifestLine.text(files.map { BagManifestLine(PathBytes($0.key), $0.value.bytes) }).utf8)
  }

  /// The path of the draft of a file in a folder.
  static func draft(of path: String) -> String {
    FilePath(path).removingLastComponent()
      .appending(LibraryLayout.temporaryName(of: StableHash.of(path))).string
  }

  private static func info(_ info: BundleInfo, _ payload: [String: Payload]) -> BagInfo {
    let size = payload.values.reduce(Int64(0)) { $0.addingClamped($1.size) }
    var fields = [
      BagInfo.Field("Bag-Software-Agent", "vmx"),
      BagInfo.Field("Payload-Oxum", "\(size).\(payload.count)"),
    ]
    if let date = info.date { fields.append(BagInfo.Field("Bagging-Date", date.description)) }
    if let volume = info.volume {
      fields.append(BagInfo.Field("Bag-Count", "\(volume.number) of \(volume.count)"))
    }
    return BagInfo(fields.sorted { $0.label < $1.label })
  }

  /// Returns JSON Lines in the order of their keys.
  private static func lines(of objects: [String: JSONObject]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (_, object) in objects.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      JSONWriter.append(object, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
