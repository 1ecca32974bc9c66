package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

/// Reads the digests of the files in a bundle.
package enum BundleDigests {
  /// Returns the digests of the payload files that the bundle contains, from the manifest of a bag.
  /// Reads an archive to its end, since a truncated one lacks files that its manifest lists. The
  /// bytes of the files are skipped where the format permits it, and are not verified.
  ///
  /// - Throws: `not-a-bundle`, `bundle-invalid`, `bundle-damaged`, errors of reading,
  ///   `WorkEnded.interrupted` once `shouldStop` returns true.
  package static func read(
    _ path: FilePath, until shouldStop: () -> Bool = { false }
  ) throws -> Set<Digest> {
    if isFolder(path) {
      let name = BagManifestName(.sha256).file
      guard let files = try ExportedFolder.manifest(name, in: path) else {
        throw Failure(.notABundle, "'\(path)' has no manifest of SHA-256 digests")
      }
      // The manifest also lists the files of `fetch.txt`, which are not in the bag.
      let numbers = try (0..<files.count).filter {
        try FileFacts.of(path.appending(files.path($0)))?.isRegular == true
      }
      return Set(numbers.map { files.digest($0) })
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
    var files = TextTable()
    while let entry = try reader.next() {
      if shouldStop() { throw WorkEnded.interrupted }
      guard entry.kind == .file else { continue }
      files.insert(entry.path.bytes)
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
    return Set(digests.filter { files.number(of: folder + $0.key.bytes) != nil }.values)
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
