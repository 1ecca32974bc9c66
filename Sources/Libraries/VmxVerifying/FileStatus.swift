import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A disk may be unmounted between two calls, and mounted again. The marker of a root is therefore
// read before a file is inspected.
//
// Before a file is reported missing or damaged, the marker and the file are read again through an
// open descriptor of the root folder. The record is then read again under a claim, because another
// process may have removed or fetched the file in the meantime.

/// The status of the file at the path of a record.
enum FileStatus {
  /// A regular file of the recorded size, or of any size if none was recorded.
  case file(FileFacts)
  /// A regular file of another size.
  case otherSize(FileFacts, recorded: Int64)
  /// No entry, or an entry that is not a regular file.
  case nothing
  case refused(FileError)
}

extension FileVerifier {
  /// Returns the status of a file below its root.
  func status(of judged: RecordedFile, below root: borrowing VerifiedRoot) -> FileStatus {
    do throws(FileError) {
      let facts = try FileFacts.ifPresent { () throws(FileError) in
        try FileFacts.of(judged.path, below: root.descriptor)
      }
      guard let facts, facts.isRegular else { return .nothing }
      guard let recorded = judged.size?.bytes, recorded != facts.size else {
        return .file(facts)
      }
      return .otherSize(facts, recorded: recorded)
    } catch {
      return .refused(error)
    }
  }

  /// Returns the result for an item that failed the first inspection, from a second one.
  func inspectAgain(_ item: VerificationItem, in root: MediaRoot) -> VerificationResult {
    withCurrentStatus(of: item, in: root) { status in
      switch status {
      case .nothing: missing(item, root)
      case .otherSize(let facts, let recorded):
        damaged(item, in: root, words: "\(facts.size) bytes instead of \(recorded)")
      case .file: skipped(item, root)
      case .refused(let error): failed(item, in: root, problem: error)
      }
    }
  }

  /// Returns a result of damage found in an open file, after confirming that the path of the record
  /// still leads to this file.
  func confirmed(
    _ result: VerificationResult, in root: MediaRoot, _ open: FileFacts
  ) -> VerificationResult {
    withCurrentStatus(of: result.item, in: root) { status in
      switch status {
      case .file(let facts) where facts.isSameContent(as: open): result
      case .refused(let error): failed(result.item, in: root, problem: error)
      default: skipped(result.item, root)
      }
    }
  }

  /// Inspects an item again, with its root open and its episode claimed, and passes the status to
  /// the closure.
  ///
  /// Returns a result without a verdict if the root is unreachable, another worker holds the claim,
  /// or the record now names another file.
  private func withCurrentStatus(
    of item: VerificationItem, in root: MediaRoot, _ body: (FileStatus) -> VerificationResult
  ) -> VerificationResult {
    do {
      guard let claim = try store.claims.claim(item.id, .shared) else { return skipped(item, root) }
      defer { claim.release() }
      let fresh: FileStatus
      do {
        let open = try VerifiedRoot(root)
        fresh = status(of: item.recordedFile, below: open)
      } catch {
        return unreachable(item, error)
      }
      let summary = try store.snapshot().summary(of: item.id)
      let part = summary?.part(named: item.part.name)
      guard let part, RecordedFile(part) == item.recordedFile else { return skipped(item, root) }
      return body(fresh)
    } catch {
      return failed(item, in: root, problem: error)
    }
  }
}
