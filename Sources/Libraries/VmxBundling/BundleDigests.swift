package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

/// Reads the digests of the files in a bundle.
package enum BundleDigests {
  /// Returns the digests of the payload files, from the manifest of a bundle. Reads only the
  /// beginning of an archive that vmx wrote.
  ///
  /// - Throws: `not-a-bundle`, `bundle-invalid`, errors of reading.
  package static func read(_ path: FilePath) throws -> Set<Digest> {
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
    return try held(by: ArchiveReader(file.descriptor)) {
      Failure(.notABundle, "'\(path)' has no manifest of SHA-256 digests")
    }
  }

  /// Reads up to the first payload file after the manifest. In an archive that vmx wrote, all tag
  /// files precede it.
  private static func held(
    by reader: ArchiveReader, _ missing: () -> Failure
  ) throws -> Set<Digest> {
    var digests: [PathBytes: Digest]?
    var remote: Set<PathBytes> = []
    while let entry = try reader.next() {
      let name = entry.path.text?.split(separator: "/").last
      switch name.map(String.init) {
      case BagManifestName(.sha256).file:
        digests = [:]
        for line in try lines(of: entry, reader).compactMap({ BagManifestLine($0, .sha256) }) {
          digests?[line.path.path] = Digest(.sha256, bytes: line.digest)
        }
      case BagFetchLine.name:
        remote.formUnion(try lines(of: entry, reader).compactMap { BagFetchLine($0)?.path.path })
      case _ where digests != nil && entry.path.text?.contains("/data/") == true:
        return Set((digests ?? [:]).filter { !remote.contains($0.key) }.values)
      default: continue
      }
    }
    guard let digests else { throw missing() }
    return Set(digests.filter { !remote.contains($0.key) }.values)
  }

  private static func lines(
    of entry: BundleEntry, _ reader: ArchiveReader
  ) throws -> [Substring] {
    String(decoding: try reader.readAll(of: entry), as: UTF8.self).split(separator: "\n")
  }
}

extension LibraryStore {
  /// Records durably which episodes the written bundles hold, for `vmx whereis`.
  ///
  /// - Parameter type: the name of the bundles' type, as in `--type`.
  /// - Throws: errors of the store, and of inspecting the files.
  package func recordCopies(
    _ written: [BundleExporter.Written], type: String, verified: Timestamp
  ) throws {
    for bundle in written where !bundle.end.plan.isEmpty {
      guard let file = bundle.file else { continue }
      var episodes = bundle.end.kept.mapValues { BundleCopy.short($0) }
      for entry in bundle.end.plan.entries {
        let video = entry.files.first(where: \.isVideo)
        episodes[entry.id] = BundleCopy.short(video?.sha256)
      }
      try recordCopy(at: file, type: type, verified: verified, episodes)
    }
  }

  /// Records which episodes a bundle holds.
  func recordCopy(
    at path: FilePath, type: String, verified: Timestamp, _ episodes: [EpisodeID: String]
  ) throws {
    let path = realPath(of: path) ?? path
    let mark = type == BundleCopy.folderType ? path.appending(BundleCopy.manifest) : path
    let copy = try BundleCopy(
      at: path, markFile: mark, type: type, verified: verified, episodes: episodes)
    guard let copy else { return }
    try update(.durable) { transaction in try copy.record(in: &transaction, before: snapshot()) }
  }
}
