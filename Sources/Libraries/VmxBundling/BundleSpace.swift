import SystemPackage
import VmxModel
import VmxSystem

/// The room that a bundle needs and that its file system has.
struct BundleSpace {
  /// An upper bound for what an archive needs of a file beside its bytes: headers, padding, an entry
  /// of the directory, and its lines in the manifest and in the records.
  private static let overhead: Int64 = 8 << 10

  private let folder: FilePath

  /// Asks about the file system of a folder, or of the nearest one above it that exists.
  init(of folder: FilePath) {
    var folder = folder
    while !isFolder(folder), folder.folder != folder, folder.folder != "." {
      folder = folder.folder
    }
    self.folder = folder
  }

  /// Returns an upper bound for the size of an archive.
  static func bound(of files: [BundlePlan.File]) -> Int64 {
    files.reduce(64 << 10) { sum, file in
      sum.addingClamped(file.size.bytes).addingClamped(overhead)
    }
  }

  /// Refuses an archive for which there is no room, before anything is written.
  ///
  /// - Parameter needsScratch: whether its format needs a temporary file of the same size.
  /// - Throws: `disk-full`, `file-too-large`, errors of asking.
  func check(_ plan: BundlePlan, needsScratch: Bool) throws {
    let size = plan.size
    if let limit = try largestFile(below: folder), size >= limit.bytes {
      throw Failure(
        .fileTooLarge, "the bundle has \(size) bytes, and a file on '\(folder)' less than 4 GiB",
        hint: "'--split 4G' writes volumes, '--type folder' a file for each part")
    }
    try check(needsScratch ? size.addingClamped(size) : size)
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
