package import SystemPackage
import VmxModel
import VmxSystem

/// A reader of a folder as if it were an archive: an unpacked bundle, or a plain folder.
///
/// Files are visited before folders, both sorted by the bytes of their names, and a folder before
/// its content. So the tag files of a bag precede its payload, as in an archive that vmx writes.
/// Links and devices are refused, and each folder is opened relative to its parent, so that no path
/// leaves the bundle.
package final class FolderReader: BundleReader {
  /// An open folder, with the entries that are not yet visited.
  private final class Level {
    let folder: OpenFolder
    let path: [UInt8]
    var rest: [FolderEntry] = []

    init(_ folder: consuming OpenFolder, path: [UInt8]) throws(FileError) {
      self.folder = folder
      self.path = path
      while let entry = try self.folder.next() { rest.append(entry) }
      // The last one is visited first.
      rest.sort { left, right in
        let isFolder = (left.kind == .folder, right.kind == .folder)
        if isFolder.0 != isFolder.1 { return isFolder.0 }
        return right.name.lexicographicallyPrecedes(left.name)
      }
    }
  }

  private let limits = BundleLimits()
  private var levels: [Level]
  private var file: OpenFile?
  private var offset: Int64 = 0
  private var count = 0

  /// Opens the folder; it may be a symbolic link.
  ///
  /// - Throws: `input-missing`.
  package init(_ path: FilePath) throws(ArchiveError) {
    levels = []
    try push(path: []) { () throws(FileError) in try OpenFolder(path, followingLinks: true) }
  }

  package func next() throws(ArchiveError) -> BundleEntry? {
    file = nil
    while let level = levels.last {
      guard let entry = level.rest.popLast() else {
        levels.removeLast()
        continue
      }
      let path = PathBytes((level.path.isEmpty ? [] : level.path + [0x2F]) + entry.name)
      count += 1
      guard count <= limits.entries else { throw .tooLarge(.entries(limits.entries)) }
      if let fault = EntryNames.fault(of: path.bytes) { throw .refused(entry: path, fault) }
      switch entry.kind {
      case .folder:
        try push(path: path.bytes) { () throws(FileError) in
          try OpenFolder(entry.name, in: level.folder)
        }
        return BundleEntry(path: path, kind: .folder, size: nil, isEncrypted: false)
      case .file: return try open(entry.name, in: level, path)
      case .other: throw try refusal(of: entry.name, in: level, path)
      }
    }
    return nil
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    do throws(FileError) {
      let done = try file?.read(into: buffer, at: offset) ?? 0
      offset += Int64(done)
      return done
    } catch {
      throw .file(error.ofInput)
    }
  }

  private func push(
    path: [UInt8], _ open: () throws(FileError) -> OpenFolder
  ) throws(ArchiveError) {
    do throws(FileError) {
      levels.append(try Level(try open(), path: path))
    } catch {
      throw .file(error.ofInput)
    }
  }

  private func open(
    _ name: [UInt8], in level: Level, _ path: PathBytes
  ) throws(ArchiveError) -> BundleEntry {
    do throws(FileError) {
      let file = try OpenFile(name, in: level.folder)
      let size = try file.facts().size
      self.file = consume file
      offset = 0
      return BundleEntry(path: path, kind: .file, size: size, isEncrypted: false)
    } catch {
      throw .file(error.ofInput)
    }
  }

  private func refusal(
    of name: [UInt8], in level: Level, _ path: PathBytes
  ) throws(ArchiveError) -> ArchiveError {
    do throws(FileError) {
      let isLink = try level.folder.facts(of: name)?.isLink == true
      return .refused(entry: path, isLink ? .link : .special)
    } catch {
      throw .file(error.ofInput)
    }
  }
}
