import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A disk may be unmounted between two calls, and mounted again. The marker of a root is therefore
// read before a file is inspected.
//
// Before a file is reported missing or damaged, both are read again through an open descriptor of
// the root folder. The record is then read again under a claim, because another process may have
// removed or fetched the file in the meantime.

/// Inspects the file at the path of a record, and confirms every negative result by a second check.
struct FileStatus: Sendable {
  let store: LibraryStore
  let mediaRoots: MediaRoots
  let proof: ProofWriter

  /// The state of a path.
  enum Sight {
    /// A regular file of the recorded size, or of any size if none was recorded.
    case file(FileFacts)
    /// A regular file of another size.
    case otherSize(FileFacts, recorded: Int64)
    /// No entry, or an entry that is not a regular file.
    case nothing
    case refused(FileError)
  }

  /// Returns the state of the file's path below its root.
  func sight(of judged: JudgedFile, below hold: borrowing VerifiedRoot) -> Sight {
    do throws(FileError) {
      let facts = try FileFacts.of(judged.path, below: hold.descriptor)
      guard let facts, facts.isRegular else { return .nothing }
      guard let recorded = judged.size?.bytes, recorded != facts.size else {
        return .file(facts)
      }
      return .otherSize(facts, recorded: recorded)
    } catch {
      // `ENOTDIR`: a file has replaced a folder of the path.
      return error.errno == .notDirectory ? .nothing : .refused(error)
    }
  }

  /// Returns the result for an item that failed the first check, from a second check.
  func secondLook(at item: VerificationItem, in root: MediaRoot) -> VerificationResult {
    sure(of: item, in: root) { sight in
      switch sight {
      case .nothing: proof.missing(item, root)
      case .otherSize(let facts, let recorded):
        proof.damaged(item, root, "it has \(facts.size) bytes instead of \(recorded)")
      case .file: proof.passedOver(item, root)
      case .refused(let error): proof.failed(item, root, error)
      }
    }
  }

  /// Returns a result of damage found in an open file, after confirming that the path of the record
  /// still leads to this file.
  func damage(_ found: VerificationResult, in root: MediaRoot, of open: FileFacts)
    -> VerificationResult
  {
    sure(of: found.item, in: root) { sight in
      switch sight {
      case .file(let facts) where facts.isSameContent(as: open): found
      case .refused(let error): proof.failed(found.item, root, error)
      default: proof.passedOver(found.item, root)
      }
    }
  }

  /// Inspects an item again, with its root open and its episode claimed, and passes the state to
  /// the closure.
  ///
  /// Returns a result without a verdict if the root is unreachable, another worker holds the claim,
  /// or the record now names another file.
  private func sure(
    of item: VerificationItem, in root: MediaRoot, _ judge: (Sight) -> VerificationResult
  ) -> VerificationResult {
    do {
      guard let claim = try store.claims.claim(item.id, .shared) else {
        return proof.passedOver(item, root)
      }
      defer { claim.release() }
      let sight: Sight
      do {
        let hold = try VerifiedRoot(root)
        sight = self.sight(of: item.judged, below: hold)
      } catch {
        return proof.unreachable(item, error)
      }
      let fresh = try store.snapshot().summary(of: item.id)
      let part = fresh?.parts.first { $0.name == item.part.name }
      guard let part, JudgedFile(part) == item.judged else { return proof.passedOver(item, root) }
      return judge(sight)
    } catch {
      return proof.failed(item, root, error)
    }
  }
}
