import Synchronization
package import SystemPackage
import VmxModel
import VmxSystem

/// One file on its way from the partial folder to its final name.
package final class Placement: Sendable {
  private let partial: FilePath
  private let root: FilePath
  private let candidate: @Sendable (Int) -> String?
  private let isOurs: @Sendable (FilePath) throws -> Bool
  private let progress = Mutex<Progress>(Progress())

  private struct Progress {
    var failure: Failure?
    var path: String?
    var folders: Set<FilePath> = []
  }

  /// A file to be placed.
  ///
  /// - Parameters:
  ///   - partial: where it lies now.
  ///   - root: the folder below which it goes, on the same file system.
  ///   - candidate: the paths below the root in the order in which they are tried, from 1 on;
  ///     nil when there are no more.
  ///   - isOurs: whether a file that already has such a name holds the same bytes, as after a
  ///     crash behind the rename.
  package init(
    partial: FilePath, root: FilePath, candidate: @escaping @Sendable (Int) -> String?,
    isOurs: @escaping @Sendable (FilePath) throws -> Bool
  ) {
    self.partial = partial
    self.root = root
    self.candidate = candidate
    self.isOurs = isOurs
  }

  /// The folders whose entries changed.
  var touchedFolders: Set<FilePath> { progress.withLock { $0.folders } }

  /// The path it got, once its group has ended.
  func result() throws(Failure) -> String {
    let (failure, path) = progress.withLock { ($0.failure, $0.path) }
    if let failure { throw failure }
    guard let path else { throw Failure(.internalError, "a file was left without a name") }
    return path
  }

  /// Brings the bytes to the disk; a partial file that is gone may have been renamed already.
  func flushBytes() {
    attempt {
      do throws(FileError) {
        try MediaFile.flush(partial)
      } catch  where error.errno == .noSuchFileOrDirectory {
      }
    }
  }

  /// Gives the file the first name that is free or already its own.
  func rename() {
    attempt {
      var number = 1
      while let path = candidate(number) {
        number += 1
        let target = root.appending(path)
        if try take(target) {
          progress.withLock { progress in
            progress.path = path
            progress.folders.insert(target.folder)
          }
          return
        }
      }
      throw Failure(.nameTaken, "the name is taken: '\(candidate(1) ?? "")'")
    }
  }

  /// Whether the file now stands, or already stood, at the target; its folder is made where it is
  /// missing, which is rare.
  private func take(_ target: FilePath) throws -> Bool {
    do throws(FileError) {
      try renameNoReplace(from: partial, to: target)
      return true
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory where try FileFacts.of(partial) != nil:
        let made = try makeFolders(target.folder)
        progress.withLock { $0.folders.formUnion(made.map(\.folder)) }
        return try take(target)
      case .fileExists:
        guard try isOurs(target) else { return false }
        // Placed before a crash, then brought here once more: one of them is enough.
        try MediaFile.remove(partial)
        return true
      case .noSuchFileOrDirectory where try isOurs(target): return true
      case .noSuchFileOrDirectory:
        let name = partial.lastComponent?.string ?? ""
        throw Failure(.partLost, "the fetched bytes are gone: '\(name)'")
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
