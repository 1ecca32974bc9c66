import SystemPackage
import VmxModel
import VmxSystem

/// Checks the space that a bundle needs against the limits of the target's file system.
struct BundleSpace {
  private let folder: FilePath

  /// Selects the file system of a folder, or of its nearest existing ancestor.
  init(of folder: FilePath) {
    self.folder = nearestFolder(folder)
  }

  /// Refuses an archive that does not fit, before anything is written.
  ///
  /// - Parameter needsScratch: whether its format needs a temporary file of the same size.
  /// - Throws: `disk-full`, `file-too-large`, errors of the file system query.
  func check(_ plan: BundlePlan, needsScratch: Bool) throws {
    let size = plan.bound
    if let limit = try maxFileSize(below: folder), size >= limit.bytes {
      throw Failure(
        .fileTooLarge,
        "the bundle may have \(size) bytes, and a file on '\(folder)' less than 4 GiB",
        hint: "'--split 4G' writes volumes, '--type folder' a file for each part")
    }
    try check(needsScratch ? plan.size.addingClamped(plan.size) : plan.size)
  }

  /// Returns the failure of each episode with a file that exceeds the file system's size limit.
  ///
  /// - Throws: errors of the file system query.
  func tooLarge(_ files: PlannedFiles) throws -> [EpisodeID: Failure] {
    guard let limit = try maxFileSize(below: folder) else { return [:] }
    let failures = files.filter { $0.file.size > limit }.map { placed in
      (
        placed.episode,
        Failure(
          .fileTooLarge,
          "'\(placed.file.path)' has \(placed.file.size.bytes) bytes, and a file on '\(folder)'"
            + " less than 4 GiB",
          hint: "choose a disk with another file system")
      )
    }
    return Dictionary(failures) { first, _ in first }
  }

  /// Refuses a number of bytes that exceeds the free space.
  ///
  /// - Throws: `disk-full`, errors of the file system query.
  func check(_ size: Int64) throws {
    let free = try freeSpace(at: folder).bytes
    guard size <= free else {
      throw Failure(
        .diskFull, "the bundle needs \(size) bytes, and '\(folder)' has \(free) left",
        hint: "choose another disk, or fewer episodes")
    }
  }
}

// An archive is larger than its payload. It has headers and padding, the directory of a zip or a
// 7z, and the tag files. Zstandard also adds bytes to incompressible data.
extension BundlePlan {
  /// An upper bound in bytes for the size of an archive in one piece.
  var bound: Int64 {
    entries.reduce(Self.ofBundle) { $0.addingClamped(Self.bound(of: $1)) }
  }

  /// An upper bound in bytes for the tag files that do not depend on the episodes, and the headers
  /// of all tag files.
  private static let ofBundle: Int64 = 64 << 10
  /// An upper bound in bytes for the overhead of a file: headers, padding and its line in the
  /// manifest. The headers contain its path up to three times.
  private static let ofFile: Int64 = 8 << 10

  private static func bound(of entry: Entry) -> Int64 {
    entry.files.reduce(entry.recordSize + entry.sourcesSize) { sum, file in
      // Zstandard adds 3 bytes to each block of 128 KiB.
      let bytes = file.size.bytes.addingClamped(file.size.bytes >> 14)
      return sum.addingClamped(bytes).addingClamped(ofFile)
    }
  }

  /// Distributes the episodes over volumes, in their order. No episode is split.
  ///
  /// - Throws: `usage` for an episode that does not fit into a volume.
  func volumes(below limit: Int64) throws(Failure) -> [BundlePlan] {
    // Each volume lists the episodes of all others.
    let others = entries.reduce(Int64(0)) { $0 + Int64($1.id.description.utf8.count) + 64 }
    let empty = others.addingClamped(Self.ofBundle)
    var volumes: [[Entry]] = []
    var size = limit
    for entry in entries {
      let bound = Self.bound(of: entry)
      let alone = empty.addingClamped(bound)
      guard alone < limit else {
        throw Failure(
          .usage, "'\(entry.id)' needs a volume of more than \(alone) bytes",
          hint: "choose a larger --split")
      }
      if size.addingClamped(bound) >= limit {
        volumes.append([])
        size = empty
      }
      volumes[volumes.count - 1].append(entry)
      size += bound
    }
    return volumes.map { BundlePlan($0, of: self) }
  }
}
