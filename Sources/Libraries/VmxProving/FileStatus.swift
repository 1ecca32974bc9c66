import SystemPackage
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

// A disk may go away between two calls, and come back. So the mark of a root is read before a file
// is looked at, and before anything is called missing or damaged once more, together with the file,
// through a folder that is held open. By then the record is looked at afresh under a claim, since
// somebody may have removed or fetched the file meanwhile.

/// Looks at what stands at the path of a file, and makes sure before it says anything bad.
struct FileStatus: Sendable {
  let store: LibraryStore
  let mediaRoots: MediaRoots
  let proof: ProofWriter

  /// What stands at a path.
  enum Sight {
    /// A file of the recorded size, or of any where none was recorded.
    case file(FileFacts)
    /// A file of another size.
    case otherSize(FileFacts, recorded: Int64)
    /// Nothing, or something that is no file.
    case nothing
    case refused(FileError)
  }

  /// What stands at the path of a file below its root.
  func sight(of judged: JudgedFile, below hold: borrowing VerifiedRoot) -> Sight {
    do throws(FileError) {
      let facts = try FileFacts.of(judged.path, below: hold.descriptor)
      guard let facts, facts.isRegular else { return .nothing }
      guard let recorded = judged.size?.bytes, recorded != facts.size else {
        return .file(facts)
      }
      return .otherSize(facts, recorded: recorded)
    } catch {
      // A file stands where a folder should be.
      return error.errno == .notDirectory ? .nothing : .refused(error)
    }
  }

  /// What to say of an item that is not what it should be, by a second look.
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

  /// The proof of damage that was found in an open file, once it is sure that this is the file
  /// that the record means.
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

  /// Looks once more at an item, with its root held and its episode claimed; says why nothing bad
  /// may be said where its root is away, somebody has it in work, or its record speaks of another
  /// file by now.
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
      let fresh = try store.snapshot().mediaGlance(of: item.id)
      let part = fresh?.parts.first { $0.name == item.part.name }
      guard let part, JudgedFile(part) == item.judged else { return proof.passedOver(item, root) }
      return judge(sight)
    } catch {
      return proof.failed(item, root, error)
    }
  }
}
