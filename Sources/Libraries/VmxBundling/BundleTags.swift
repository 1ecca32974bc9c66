import SystemPackage
import VmxArchive
import VmxDigest
package import VmxModel

/// The content of `bag-info.txt`, and the number of a volume among others.
package struct BundleInfo: Sendable {
  /// The day of writing, only if the environment fixes it (`SOURCE_DATE_EPOCH`). Otherwise the
  /// bytes would differ from day to day.
  package var date: CalendarDay?
  /// The volume and the number of volumes, from 1; nil for a bundle in one piece.
  package var volume: (number: Int, count: Int)?
  /// The file names of the bundles whose files an increment omits.
  package var bases: [String] = []
  /// The episodes in other volumes, with the numbers of those volumes.
  package var elsewhere: [EpisodeID: Int] = [:]

  /// Creates the information of a bundle in one piece.
  ///
  /// - Parameter epoch: the value of `SOURCE_DATE_EPOCH`, the time of writing in seconds since 1970
  ///   (reproducible-builds.org).
  package init(epoch: String? = nil) {
    let day = epoch.flatMap { Int64($0) }.map { Timestamp(seconds: $0).text.prefix(10) }
    date = day.flatMap { CalendarDay(String($0)) }
  }
}

// The records and the manifest of many episodes take tens of megabytes. So each text is generated
// twice, piece by piece. The first time yields its size and digest, which the archive needs before
// the text. The second time writes it.

/// The tag files of a bundle (RFC 8493, section 2.2), sorted by name.
struct BundleTags {
  /// The name of the playlist, in the folder of the bag.
  static let playlist = "vmx-playlist.m3u8"
  /// The name of the list of episodes in other volumes.
  static let elsewhere = "vmx-elsewhere.jsonl"

  /// Receives the pieces of a text.
  typealias Output = (UnsafeRawBufferPointer) throws -> Void

  /// A tag file.
  struct File {
    /// The name in the folder of the bag.
    let path: String
    /// The number of bytes.
    let size: Int64
    /// The SHA-256 digest.
    let sha256: [UInt8]
    /// Writes the content, the same in each call.
    let write: (Output) throws -> Void

    /// The order in which a folder update replaces the tag files. The records are the first, since
    /// earlier ones are read while they are written: a read error ends the update before anything
    /// is replaced. The payload manifest is second to last, the tag manifest last.
    var rank: Int {
      if path == BundleRecord.fileName { return -1 }
      return BagManifestName(PathBytes(path)).map { $0.isOfTags ? 2 : 1 } ?? 0
    }

    init(_ path: String, _ write: @escaping (Output) throws -> Void) throws {
      let hasher = ManifestHasher([.sha256])
      var size: Int64 = 0
      try write { piece in
        hasher.update(piece)
        size += Int64(piece.count)
      }
      self.path = path
      self.size = size
      self.write = write
      sha256 = hasher.finish()[.sha256] ?? []
    }

    init(_ path: String, text: String) throws {
      try self.init(path) { try Array(text.utf8).withUnsafeBytes($0) }
    }
  }

  /// The files.
  let files: [File]
  /// The name of the folder in an archive, derived from the manifest's digest.
  let folder: String

  /// Creates the tag files of a plan.
  ///
  /// - Parameters:
  ///   - kept: the records of episodes that a folder already holds.
  ///   - more: the sizes and digests of the files that the folder keeps, by their paths.
  /// - Throws: the errors of the store.
  init(
    _ plan: BundlePlan, info: BundleInfo, keeping kept: EarlierRecords = EarlierRecords(),
    more: [String: Payload] = [:]
  ) throws {
    let planned = more.isEmpty ? [] : Set(plan.files.map(\.file.path))
    let others = more.filter { !planned.contains($0.key) }
    let digests = others.map { (path: $0.key, digest: $0.value.digest) }
      .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    let manifest = try File(BagManifestName(.sha256).file) {
      try Self.writeManifest(of: plan.listed, digests, to: $0)
    }
    var files = [
      try File(BagDeclaration.name, text: BagDeclaration.text),
      try File(BagInfo.name, text: Self.info(info, for: plan, listing: others).text),
      manifest,
      try File(BundleRecord.fileName) { try Self.writeRecords(of: plan, kept, to: $0) },
    ]
    if !plan.remotes.isEmpty {
      files.append(try File(BagFetchLine.name) { try Self.writeSources(of: plan, to: $0) })
    }
    if plan.content.hasPlaylist {
      files.append(try File(Self.playlist) { try Self.writePlaylist(of: plan, kept, to: $0) })
    }
    if !info.elsewhere.isEmpty {
      files.append(
        try File(Self.elsewhere) { try Self.writeList(of: info.elsewhere, to: $0) })
    }
    let lines = files.map { BagManifestLine(PathBytes($0.path), $0.sha256) }
    let tags = BagManifestName(.sha256, isOfTags: true).file
    files.append(try File(tags, text: BagManifestLine.text(lines)))
    self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    folder = "vmx-" + Hex.text(of: manifest.sha256).prefix(12)
  }

  /// The size and digest of a payload file in the bag.
  struct Payload {
    let size: Int64
    let digest: Digest

    init(size: Int64, _ digest: Digest) {
      self.size = size
      self.digest = digest
    }
  }

  /// Returns the path of the temporary file for a file in a folder.
  static func draft(of path: String) -> String {
    FilePath(path).removingLastComponent()
      .appending(LibraryLayout.temporaryName(of: StableHash.of(path))).string
  }

  private static func info(
    _ info: BundleInfo, for plan: BundlePlan, listing others: [String: Payload]
  ) -> BagInfo {
    let size = others.values.reduce(plan.size) { $0.addingClamped($1.size) }
    var fields = [
      BagInfo.Field("Bag-Software-Agent", "vmx"),
      BagInfo.Field("Payload-Oxum", "\(size).\(plan.files.count + others.count)"),
    ]
    for base in info.bases { fields.append(BagInfo.Field(BundleDigests.baseLabel, base)) }
    if let date = info.date { fields.append(BagInfo.Field("Bagging-Date", date.description)) }
    if let volume = info.volume {
      fields.append(BagInfo.Field("Bag-Count", "\(volume.number) of \(volume.count)"))
    }
    return BagInfo(fields.sorted { $0.label < $1.label })
  }
}
