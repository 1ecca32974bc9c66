import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

/// A small file that is written to a temporary file, flushed, and then renamed.
final class TemporaryFile: Sendable {
  private let draft: FilePath
  private let target: FilePath
  private let replaces: Bool
  private let progress = Mutex<Progress>(Progress())

  private struct Progress {
    var failure: FileError?
    var isEnded = false
  }

  /// Writes the temporary file.
  ///
  /// Creates at most the last folder of the path. If folders above it are missing, the root is
  /// unmounted, and new folders would be on another disk.
  ///
  /// - Parameters:
  ///   - replaces: whether an existing file of that name is replaced; otherwise it is kept and the
  ///     temporary file is removed.
  ///   - makesFolder: whether a missing folder of the file is created.
  /// - Throws: `FileError`, with the path of the final file.
  init(
    of target: FilePath, _ bytes: [UInt8], mode: FilePermissions = .ownerReadWrite,
    replaces: Bool = true, makesFolder: Bool = false
  ) throws(FileError) {
    self.target = target
    self.replaces = replaces
    do throws(FileError) {
      draft = try AtomicFile.draft(of: target, with: bytes, mode: mode)
    } catch  where error.errno == .noSuchFileOrDirectory && makesFolder {
      if try makeFolder(target.folder) { try syncFolder(target.folder.folder) }
      draft = try AtomicFile.draft(of: target, with: bytes, mode: mode)
    }
  }

  /// The folder whose entries change.
  var folder: FilePath { target.folder }

  /// Flushes its bytes to the disk, before it is renamed.
  func flush() {
    do throws(FileError) {
      try RegularFile.flush(draft)
    } catch {
      discard()
      fail(error.about(target))
    }
  }

  /// Renames the flushed temporary file; called once, by the publisher's group.
  func rename() {
    guard progress.withLock({ $0.failure == nil }) else { return }
    do throws(FileError) {
      if replaces {
        try renameReplacing(from: draft, to: target)
      } else {
        try renameNoReplace(from: draft, to: target)
      }
      progress.withLock { $0.isEnded = true }
    } catch {
      discard()
      // Another program created the file first: that file is kept.
      let isTaken = !replaces && error.errno == .fileExists
      progress.withLock { $0.failure = isTaken ? nil : error }
    }
  }

  /// Records the error of flushing its folder.
  func fail(_ error: FileError) {
    progress.withLock { $0.failure = $0.failure ?? error }
  }

  /// Returns if the rename and the flush succeeded.
  ///
  /// - Throws: the error of the rename or the flush.
  func result() throws(FileError) {
    if let failure = progress.withLock({ $0.failure }) { throw failure }
  }

  /// Removes a temporary file that was not renamed; a second call does nothing.
  func discard() {
    let isEnded = progress.withLock { progress in
      defer { progress.isEnded = true }
      return progress.isEnded
    }
    guard !isEnded else { return }
    // If this fails, `vmx clean` removes the temporary file; the cause has been reported already.
    do throws(FileError) { try RegularFile.remove(draft) } catch { return }
  }
}
