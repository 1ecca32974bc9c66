package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// An increment names its bases in `bag-info.txt` by their file names. They are found beside it, so
// `--since` of the last increment means the whole chain. A base that is not there is an error: the
// increment alone would have everything of the base packed again.

/// Reads the digests of the files in a bundle.
package enum BundleDigests {
  /// The label of a base in `bag-info.txt`.
  static let baseLabel = "Vmx-Increment-Of"
  /// The maximum number of bundles in a chain of increments.
  private static let maxBases = 1000

  /// Returns the digests of the payload files that the bundle and its bases contain, from the
  /// manifests of the bags.
  ///
  /// Reads an archive to its end, since a truncated one lacks files that its manifest lists. The
  /// bytes of the files are skipped where the format permits it, and are not verified. Of a folder,
  /// files with the recorded size that are not newer than the manifest count without being read, as
  /// in an update; other files are digested.
  ///
  /// - Throws: `not-a-bundle`, `bundle-invalid`, `bundle-damaged`, errors of reading,
  ///   `WorkEnded.interrupted` once `shouldStop` returns true.
  /// - Parameters:
  ///   - paths: the bundles, in any order; a base that is among them need not lie beside its
  ///     increment.
  ///   - shouldStop: polled frequently.
  package static func read(
    _ paths: [FilePath], until shouldStop: () -> Bool = { false }
  ) throws -> Set<Digest> {
    var digests: Set<Digest> = []
    var seen = Set(paths)
    var open = paths
    while let next = open.popLast() {
      let (held, bases) = try readOne(next, until: shouldStop)
      digests.formUnion(held)
      for name in bases {
        let base = next.folder.appending(name)
        guard seen.count < maxBases, seen.insert(base).inserted else { continue }
        guard try FileFacts.ifPresent(at: base) != nil else {
          if paths.contains(where: { $0.lastComponent == base.lastComponent }) { continue }
          throw Failure(
            .inputMissing, "the base of the increment '\(next)' is missing: '\(base)'",
            hint: "copy it there, or give '--since' for each bundle that has its files")
        }
        open.append(base)
      }
    }
    return digests
  }

  /// Returns the file names of the bases that the text of `bag-info.txt` names.
  private static func bases(in text: String) -> [String] {
    BagInfo(text: text).fields.filter { $0.label.lowercased() == baseLabel.lowercased() }
      .map(\.value).filter { PathBytes($0).isNormalised && !$0.contains("/") }
  }

  private static func readOne(
    _ path: FilePath, until shouldStop: () -> Bool
  ) throws -> (digests: Set<Digest>, bases: [String]) {
    if isFolder(path) {
      let text =
        try readFile(path.appending(BagInfo.name), limit: ByteCount(clamping: 1 << 20)) ?? []
      return (
        try digests(in: path, until: shouldStop), bases(in: String(decoding: text, as: UTF8.self))
      )
    }
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile(path, .readOnly, followingLinks: true)
    } catch {
      throw error.ofInput
    }
    let reader = try ArchiveReader(file.descriptor)
    var digests: [PathBytes: Digest]?
    var folder: ArraySlice<UInt8> = []
    var bases: [String] = []
    var files = TextTable()
    while let entry = try reader.next() {
      if shouldStop() { throw WorkEnded.interrupted }
      guard entry.kind == .file else { continue }
      files.insert(entry.path.bytes)
      if bases.isEmpty, entry.path.lastName == BagInfo.name {
        bases = Self.bases(in: String(decoding: try reader.readAll(of: entry), as: UTF8.self))
        continue
      }
      let name = BagManifestName(.sha256).file
      guard digests == nil, entry.path.lastName == name else { continue }
      folder = entry.path.bytes.dropLast(name.utf8.count)
      digests = [:]
      let text = String(decoding: try reader.readAll(of: entry), as: UTF8.self)
      for line in text.split(separator: "\n").compactMap({ BagManifestLine($0, .sha256) }) {
        digests?[line.path.path] = Digest(.sha256, bytes: line.digest)
      }
    }
    guard let digests else {
      throw Failure(.notABundle, "'\(path)' has no manifest of SHA-256 digests")
    }
    return (
      Set(digests.filter { files.number(of: folder + $0.key.bytes) != nil }.values), bases
    )
  }

  private static func digests(
    in folder: FilePath, until shouldStop: () -> Bool
  ) throws -> Set<Digest> {
    let name = BagManifestName(.sha256).file
    guard let files = try ExportedFolder.manifest(name, in: folder) else {
      throw Failure(.notABundle, "'\(folder)' has no manifest of SHA-256 digests")
    }
    let written = try FileFacts.of(folder.appending(name))?.modified ?? 0
    let sizes = try sizes(of: files, in: folder)
    // The manifest also lists the files of `fetch.txt`, which are not in the bag.
    let numbers = try (0..<files.count).filter { number in
      if shouldStop() { throw WorkEnded.interrupted }
      let file = folder.appending(files.path(number))
      guard let facts = try FileFacts.ifPresent(at: file), facts.isRegular else { return false }
      if let size = sizes[number] {
        if facts.size != size { return false }
        if facts.modified <= written { return true }
      }
      return try FileDigest.ofInput(file, shouldStop: shouldStop).sha256 == files.digest(number)
    }
    return Set(numbers.map { files.digest($0) })
  }

  /// Returns the size of each file in a manifest; nil if no record gives it.
  private static func sizes(of files: FileDigests, in folder: FilePath) throws -> [Int64?] {
    var sizes = [Int64?](repeating: nil, count: files.count)
    let text = try SpooledText(
      of: folder.appending(BundleRecord.fileName), limit: BundleLimits().records)
    guard let text else { return sizes }
    try BundleRecords(text).forEach { _, record in
      for file in BundleRecord.files(in: record) {
        guard let number = files.number(of: file.path), file.sha256 == files.digest(number).hex
        else { continue }
        sizes[number] = file.size
      }
    }
    return sizes
  }
}

extension LibraryStore {
  /// Records durably which episodes the written bundles hold, for `vmx whereis`. A folder of which
  /// the export has not read all files keeps the time of its earlier record.
  ///
  /// - Parameter type: the name of the bundles' type, as in `--type`.
  /// - Throws: errors of the store, and of inspecting the files.
  package func recordCopies(
    _ written: [BundleExporter.Written], type: String, verified: Timestamp
  ) throws {
    for bundle in written where !bundle.end.plan.isEmpty {
      guard let file = bundle.file else { continue }
      let path = realPath(of: file) ?? file
      var episodes = bundle.end.kept
      for entry in bundle.end.plan.entries {
        let video = entry.files.first(where: \.isVideo)
        episodes[entry.id] = BundleCopy.Video(video?.sha256, path: video?.path)
      }
      let since = bundle.end.hasUnread ? try snapshot().verified(copyAt: path) : verified
      try recordCopy(at: path, type: type, verified: since, episodes)
    }
  }

  /// Records which episodes a bundle holds.
  func recordCopy(
    at path: FilePath, type: String, verified: Timestamp?, _ episodes: [EpisodeID: BundleCopy.Video]
  ) throws {
    let mark = type == BundleCopy.folderType ? path.appending(BundleCopy.manifest) : path
    let copy = try BundleCopy(
      at: path, markFile: mark, type: type, verified: verified, episodes: episodes)
    guard let copy else { return }
    try update(.durable) { transaction in try copy.record(in: &transaction, before: snapshot()) }
  }
}
