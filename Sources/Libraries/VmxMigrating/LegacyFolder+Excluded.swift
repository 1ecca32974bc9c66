package import SystemPackage
package import VmxModel

// Network storage and desktops keep removed files and thumbnails in folders of fixed names. A video
// there is a removed or a converted one, and would shadow the video of the same episode beside it.
// A folder that the user names is always read, whatever its name or its marks.

extension LegacyFolder {
  /// A folder below the named one whose files are not read.
  package struct Excluded: Sendable, Equatable {
    /// The absolute path.
    package let path: FilePath
    /// The number of files in it and below, without the marks.
    package fileprivate(set) var count = 0
    /// The sum of their sizes.
    package fileprivate(set) var size: ByteCount = ByteCount(clamping: 0)
  }

  /// The names of bins, caches and snapshots, in lower case.
  private static let excludedNames: Set<String> = [
    "#recycle", "@recycle", "$recycle.bin", "recycler", "recycled", "network trash folder",
    "@eadir", "#snapshot", "@recently-snapshot", "system volume information", "lost+found",
    "__macosx", "temporary items",
  ]

  /// The names of the empty files that exclude the folder that contains them.
  private static let markNames: Set<String> = [".nomedia", ".ignore"]

  /// Separates the files in excluded folders from the others.
  ///
  /// - Parameters:
  ///   - files: the files, with names below the folder.
  ///   - root: the path of the folder.
  static func separatingExcluded(
    _ files: [File], below root: FilePath
  ) -> (kept: [File], excluded: [Excluded]) {
    // A mark with contents has patterns for other programs, and does not exclude the whole folder.
    let marked = Set(
      files.lazy.map { ($0.size, LegacyName($0.name)) }
        .filter { $0.0.bytes == 0 && markNames.contains($0.1.last) && !$0.1.folder.isEmpty }
        .map(\.1.folder))
    var excluded: [String: Excluded] = [:]
    var kept: [File] = []
    for file in files {
      guard let folder = excludedFolder(of: LegacyName(file.name).folder, marked) else {
        kept.append(file)
        continue
      }
      var entry = excluded[folder] ?? Excluded(path: root.appending(folder))
      if !markNames.contains(LegacyName(file.name).last) { entry.count += 1 }
      entry.size = ByteCount(clamping: entry.size.bytes + file.size.bytes)
      excluded[folder] = entry
    }
    return (kept, excluded.sorted { $0.key < $1.key }.map(\.value))
  }

  /// Returns the first excluded folder on the way to a folder; nil if there is none.
  private static func excludedFolder(of folder: String, _ marked: Set<String>) -> String? {
    var path = ""
    for name in folder.split(separator: "/") {
      path += path.isEmpty ? String(name) : "/\(name)"
      if excludedNames.contains(name.lowercased()) || marked.contains(path) { return path }
    }
    return nil
  }
}
