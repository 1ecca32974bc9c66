import Synchronization
package import SystemPackage
package import VmxModel
import VmxSystem

/// The move of one file from the partial folder to its final name.
package final class Placement: Sendable {
  private let partial: FilePath
  private let target: FilePath
  private let role: PartRole
  private let isOurs: @Sendable (FilePath) throws -> Bool
  private let progress = Mutex<Progress>(Progress())

  private struct Progress {
    var failure: Failure?
    var hasName = false
    var folders: Set<FilePath> = []
  }

  /// Creates the move of a file.
  ///
  /// - Parameters:
  ///   - partial: where it lies now.
  ///   - target: the final name, on the same file system.
  ///   - role: what the file is for, which decides its mode.
  ///   - isOurs: whether a file that already has the final name holds the same bytes for this
  ///     part, as after a crash behind the rename.
  package init(
    partial: FilePath, target: FilePath, role: PartRole,
    isOurs: @escaping @Sendable (FilePath) throws -> Bool
  ) {
    self.partial = partial
    self.target = target
    self.role = role
    self.isOurs = isOurs
  }

  /// The folders whose entries changed.
  var touchedFolders: Set<FilePath> { progress.withLock { $0.folders } }

  /// Whether it has the final name, once its group has ended; false if another file has it.
  func result() throws(Failure) -> Bool {
    let (failure, hasName) = progress.withLock { ($0.failure, $0.hasName) }
    if let failure { throw failure }
    return hasName
  }

  /// Sets the mode and brings the bytes to the disk; a partial file that is gone may have been renamed already.
  func flushBytes() {
    attempt {
      do throws(FileError) {
        try RegularFile.flush(partial, for: role)
      } catch  where error.errno == .noSuchFileOrDirectory {
      }
    }
  }

  /// Gives the file its final name, unless another file has it.
  func rename() {
    attempt {
      guard try take() else { return }
      progress.withLock { progress in
        progress.hasName = true
        progress.folders.insert(target.folder)
      }
    }
  }

  /// Whether the file now stands, or already stood, at the target; its folder is made where it is
  /// missing, which is rare.
  private func take() throws -> Bool {
    do throws(FileError) {
      try renameNoReplace(from: partial, to: target)
      return true
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory where try FileFacts.of(partial) != nil:
        let made = try makeFolders(target.folder, mode: .publishedFolder)
        progress.withLock { $0.folders.formUnion(made.map(\.folder)) }
        return try take()
      case .noSuchFileOrDirectory: return try isOurs(target)
      case .fileExists:
        guard try isOurs(target) else { return false }
        // Published before a crash and fetched once more, or a copy that a person put there.
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
  /// Gives it the mode of its role and brings its bytes to the disk, before it gets its final name.
  static func flush(_ path: FilePath, for role: PartRole) throws(FileError) {
    let file = try OpenFile(path, .readOnly)
    let mode: FilePermissions = role == .key ? .ownerReadWrite : .published
    // The mode of a file with another name belongs to that name too.
    if try file.facts().links == 1 { try setMode(mode, of: file.descriptor, at: path) }
    try dataSync(file.descriptor, of: path)
  }
}
