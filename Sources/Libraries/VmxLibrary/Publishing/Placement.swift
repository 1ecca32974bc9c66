import Synchronization
package import SystemPackage
package import VmxModel
import VmxSystem

/// The move of one file from the partial folder to its final name.
package final class Placement: Sendable {
  /// The maximum size in bytes of a file that is flushed together with others.
  private static let small: Int64 = 4 << 20

  private let root: MediaRoot
  private let partial: FilePath
  private let target: FilePath
  private let role: PartRole
  private let isReplaceable: @Sendable (FilePath) throws -> Bool
  private let progress = Mutex<Progress>(Progress())

  private struct Progress {
    var failure: Failure?
    var isUnflushed = false
    var hasName = false
    var folders: Set<FilePath> = []
  }

  /// Creates the move of a file.
  ///
  /// - Parameters:
  ///   - root: the root of both paths.
  ///   - partial: its current path.
  ///   - target: the final name, on the same file system.
  ///   - role: the role of the file, which determines its mode.
  ///   - isReplaceable: whether a file that already has the final name holds the same bytes for
  ///     this part, as after a crash that followed the rename.
  package init(
    in root: MediaRoot, partial: FilePath, target: FilePath, role: PartRole,
    isReplaceable: @escaping @Sendable (FilePath) throws -> Bool
  ) {
    self.root = root
    self.partial = partial
    self.target = target
    self.role = role
    self.isReplaceable = isReplaceable
  }

  /// The folders whose entries changed.
  var changedFolders: Set<FilePath> { progress.withLock { $0.folders } }

  /// Whether it has the final name, once its group has ended; false if another file has it.
  func result() throws(Failure) -> Bool {
    let (failure, hasName) = progress.withLock { ($0.failure, $0.hasName) }
    if let failure { throw failure }
    return hasName
  }

  /// The folder of the partial file, if its bytes are still to be flushed.
  var unflushedFolder: FilePath? {
    progress.withLock { $0.isUnflushed && $0.failure == nil } ? partial.folder : nil
  }

  /// Sets the mode. Flushes the bytes, unless the file is small and its group can flush it together
  /// with others.
  func prepare() {
    unlessMoved { () throws(FileError) in
      let file = try RegularFile.open(partial, for: role)
      if try file.facts().size <= Self.small, FileSystemSync.isCheap(below: partial.folder) {
        progress.withLock { $0.isUnflushed = true }
      } else {
        try dataSync(file.descriptor, of: partial)
      }
    }
  }

  /// Flushes the bytes to the disk.
  func flush() {
    unlessMoved { () throws(FileError) in try RegularFile.flush(partial) }
  }

  /// Performs a step on the partial file; does nothing if it was renamed before a crash.
  private func unlessMoved(_ step: () throws(FileError) -> Void) {
    attempt {
      do throws(FileError) {
        try step()
      } catch  where error.errno == .noSuchFileOrDirectory {
      }
    }
  }

  /// Renames the file to its final name, unless another file has that name.
  func rename() {
    attempt {
      try root.checkLinks(on: target.folder)
      guard try renameFile() else { return }
      progress.withLock { progress in
        progress.hasName = true
        progress.folders.insert(target.folder)
      }
    }
  }

  /// Renames the file, and returns whether it is at the target, also if it already was there.
  /// Creates the target's folder only if it is missing, which is rare.
  private func renameFile() throws -> Bool {
    do throws(FileError) {
      try renameNoReplace(from: partial, to: target)
      return true
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory where try FileFacts.of(partial) != nil:
        let made = try root.makeFolders(target.folder, mode: .publishedFolder)
        progress.withLock { $0.folders.formUnion(made.map(\.folder)) }
        return try renameFile()
      case .noSuchFileOrDirectory: return try isReplaceable(target)
      case .fileExists:
        guard try isReplaceable(target) else { return false }
        // It was published before a crash and fetched again, or the user put a copy there.
        try RegularFile.flush(target)
        try RegularFile.remove(partial)
        return true
      default: throw error
      }
    }
  }

  private func attempt(_ step: () throws -> Void) {
    guard progress.withLock({ $0.failure == nil }) else { return }
    do {
      try step()
    } catch {
      progress.withLock { $0.failure = Failure(error) }
    }
  }
}

extension RegularFile {
  /// Sets the mode of a file's role and flushes its bytes, before it gets its final name.
  static func flush(_ path: FilePath, for role: PartRole) throws(FileError) {
    let file = try open(path, for: role)
    try dataSync(file.descriptor, of: path)
  }

  /// Opens a file and sets the mode of its role.
  fileprivate static func open(_ path: FilePath, for role: PartRole) throws(FileError) -> OpenFile {
    let file = try OpenFile(path, .readOnly)
    let mode: FilePermissions = role == .key ? .ownerReadWrite : .published
    // The mode of a file with several hard links applies to all of its names.
    if try file.facts().links == 1 { try setMode(mode, of: file.descriptor, at: path) }
    return file
  }
}
