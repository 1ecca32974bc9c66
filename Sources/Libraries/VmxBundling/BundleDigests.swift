package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

/// The digests of the files that a bundle holds.
package enum BundleDigests {
  /// Reads the manifest of a bundle. Of an archive of vmx only the beginning is read.
  ///
  /// - Throws: `not-a-bundle`, `bundle-invalid`, errors of reading.
  package static func read(_ path: FilePath) throws -> Set<Digest> {
    if isFolder(path) {
      let files = try ExportedFolder(at: path).files
      guard !files.isEmpty else { throw Failure(.notABundle, "'\(path)' has no manifest") }
      return Set(files.values)
    }
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile(path, .readOnly, followingLinks: true)
    } catch {
      throw error.ofInput
    }
    let reader = try ArchiveReader(file.descriptor)
    while let entry = try reader.next() {
      guard let name = entry.path.text, name.hasSuffix("/\(BundleCopy.manifest)") else { continue }
      let text = String(decoding: try reader.readAll(of: entry), as: UTF8.self)
      return Set(
        text.split(separator: "\n").compactMap { line in
          BagManifestLine(line, .sha256).flatMap { Digest(.sha256, bytes: $0.digest) }
        })
    }
    throw Failure(.notABundle, "'\(path)' has no manifest of SHA-256 digests")
  }
}

extension LibraryStore {
  /// Records which episodes bundles hold, durably, so that `vmx whereis` tells.
  ///
  /// - Parameter type: the name of their type, as in `--type`.
  /// - Throws: errors of the store, and of inspecting the files.
  package func recordCopies(
    _ written: [BundleExporter.Written], type: String, verified: Timestamp
  ) throws {
    for bundle in written where !bundle.end.plan.entries.isEmpty {
      guard let file = bundle.file else { continue }
      var episodes: [EpisodeID: String] = [:]
      for entry in bundle.end.plan.entries {
        let video = entry.files.first { file in
          if case .part(PartRole.video.rawValue, _, _) = file.content { true } else { false }
        }
        episodes[entry.episode.id] = BundleCopy.short(video?.sha256)
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
