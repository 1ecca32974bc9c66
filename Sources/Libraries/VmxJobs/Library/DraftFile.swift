import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

/// A small file whose flushed bytes wait under a temporary name for its final one.
final class DraftFile: Sendable {
  private let draft: FilePath
  private let target: FilePath
  private let replaces: Bool
  private let progress = Mutex<Progress>(Progress())

  private struct Progress {
    var failure: FileError?
    var isEnded = false
  }

  /// Writes and flushes a draft.
  ///
  /// Never makes more than the last folder: without the ones above it the root is away, and folders
  /// made there would be on another disk.
  ///
  /// - Parameters:
  ///   - replaces: whether a file of that name is replaced, or stays and the draft goes.
  ///   - makesFolder: whether the folder of the file is made where it is missing.
  /// - Throws: `FileError`, naming the file and not the draft.
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

  /// Gives the file its name; called once, by its group.
  func rename() {
    do throws(FileError) {
      if replaces {
        try renameReplacing(from: draft, to: target)
      } else {
        try renameNoReplace(from: draft, to: target)
      }
      progress.withLock { $0.isEnded = true }
    } catch {
      discard()
      // Another program was first: its file stays.
      let isTaken = !replaces && error.errno == .fileExists
      progress.withLock { $0.failure = isTaken ? nil : error }
    }
  }

  /// Keeps the error of a flush of its folder.
  func fail(_ error: FileError) {
    progress.withLock { $0.failure = $0.failure ?? error }
  }

  /// Throws what the rename or the flush threw.
  func result() throws(FileError) {
    if let failure = progress.withLock({ $0.failure }) { throw failure }
  }

  /// Removes a draft that got no name; a second call does nothing.
  func discard() {
    let isEnded = progress.withLock { progress in
      defer { progress.isEnded = true }
      return progress.isEnded
    }
    guard !isEnded else { return }
    // A draft that stays is removed by `vmx clean`; the reason for it is told already.
    do throws(FileError) { try MediaFile.remove(draft) } catch { return }
  }
}
