import SystemPackage
import VmxModel
import VmxSystem

/// The room that a bundle needs and that its file system has.
struct BundleSpace {
  private let folder: FilePath

  /// Asks about the file system of a folder, or of the nearest one above it that exists.
  init(of folder: FilePath) {
    var folder = folder
    while !isFolder(folder), folder.folder != folder, folder.folder != "." {
      folder = folder.folder
    }
    self.folder = folder
  }

  /// Refuses an archive for which there is no room, before anything is written.
  ///
  /// - Parameter needsScratch: whether its format needs a temporary file of the same size.
  /// - Throws: `disk-full`, `file-too-large`, errors of asking.
  func check(_ plan: BundlePlan, needsScratch: Bool) throws {
    let size = plan.bound
    if let limit = try largestFile(below: folder), size >= limit.bytes {
      throw Failure(
        .fileTooLarge,
        "the bundle may have \(size) bytes, and a file on '\(folder)' less than 4 GiB",
        hint: "'--split 4G' writes volumes, '--type folder' a file for each part")
    }
    try check(needsScratch ? plan.size.addingClamped(plan.size) : plan.size)
  }

  /// Returns the failure of each episode with a file that is larger than the file system takes.
  ///
  /// - Throws: errors of asking.
  func tooLarge(_ files: PlannedFiles) throws -> [EpisodeID: Failure] {
    guard let limit = try largestFile(below: folder) else { return [:] }
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

  /// Refuses bytes for which there is no room.
  ///
  /// - Throws: `disk-full`, errors of asking.
  func check(_ size: Int64) throws {
    let free = try freeSpace(at: folder).bytes
    guard size <= free else {
      throw Failure(
        .diskFull, "the bundle needs \(size) bytes, and '\(folder)' has \(free) left",
        hint: "choose another disk, or fewer episodes")
    }
  }
}

// An archive has more bytes than its payload: headers and padding, the directory of a zip or a 7z,
// the tag files, and what Zstandard adds to bytes that it cannot compress.
extension BundlePlan {
  /// An upper bound for the size of an archive in one piece, in bytes.
  var bound: Int64 {
    entries.reduce(Self.ofBundle) { $0.addingClamped(Self.bound(of: $1)) }
  }

  /// The bytes of the tag files that are the same for all bundles, with the headers of all.
  private static let ofBundle: Int64 = 64 << 10
  /// The bytes of a file beside its own: headers and padding, which have its path up to three times,
  /// and its line of the manifest.
  private static let ofFile: Int64 = 8 << 10

  private static func bound(of entry: Entry) -> Int64 {
    entry.files.reduce(entry.recordSize + entry.sourcesSize) { sum, file in
      // Zstandard adds 3 bytes to each block of 128 KiB.
      let bytes = file.size.bytes.addingClamped(file.size.bytes >> 14)
      return sum.addingClamped(bytes).addingClamped(ofFile)
    }
  }

  /// Divides the episodes among volumes, in their order. No episode is divided.
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
