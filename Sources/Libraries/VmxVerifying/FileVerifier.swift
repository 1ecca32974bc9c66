import SystemPackage
import VmxEngine
import VmxLibrary
import VmxMedia
import VmxModel
import VmxStore
import VmxSystem

/// Verifies one file after another, for one of several workers.
struct FileVerifier: Sendable {
  let look: FileStatus
  let settings: VerificationSettings
  let shouldStop: @Sendable () -> Bool

  /// The progress of one file.
  enum Step {
    case done(VerificationResult)
    /// The file is open; any idle worker may verify its segments.
    case opened(FileVerification)
    /// The run was cancelled.
    case stopped

    /// Wraps the result of a file; nil means that the run was cancelled.
    init(_ proof: VerificationResult?) {
      self = proof.map { .done($0) } ?? .stopped
    }
  }

  var proof: ProofWriter { look.proof }

  /// Inspects a file and, unless the run is quick, verifies its bytes.
  ///
  /// A file that the record calls missing or damaged is verified by its bytes even in a quick run.
  /// A file of the right size alone does not clear that state.
  func begin(
    _ item: VerificationItem, in root: MediaRoot, _ hold: borrowing VerifiedRoot,
    _ reader: inout SegmentReader
  ) -> Step {
    guard case .file(let facts) = look.sight(of: item.judged, below: hold) else {
      return .done(look.secondLook(at: item, in: root))
    }
    guard !settings.isQuick || item.part.state != .ready else {
      return .done(proof.intact(item, root, byDigest: false))
    }
    do {
      guard let claim = try look.store.claims.claim(item.id, .shared) else {
        return .done(proof.passedOver(item, root))
      }
      return try open(item, in: root, size: facts.size, claim, &reader)
    } catch {
      return .done(proof.failed(item, root, error))
    }
  }

  private func open(
    _ item: VerificationItem, in root: MediaRoot, size: Int64, _ claim: Claim,
    _ reader: inout SegmentReader
  ) throws(FileError) -> Step {
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile(root.folder.appending(item.judged.path), .readOnly)
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory?, .notDirectory?, .tooManySymbolicLinkLevels?:
        return .done(look.secondLook(at: item, in: root))
      default: throw error
      }
    }
    guard let whole = item.judged.sha256 else {
      defer { claim.release() }
      return Step(try sound(item, in: root, file))
    }
    let sidecar = SidecarStatus(
      of: item.part, item.judged, in: item.id, on: root,
      wantsNFO: settings.sidecars?.writesNFO ?? false)
    if size > SegmentList.segmentSize, let list = sidecar.segments {
      return .opened(
        FileVerification(
          item, in: root, file, size: size, against: list, isOutdated: !sidecar.isCurrent,
          claim: claim))
    }
    defer { claim.release() }
    let resident = ResidentPieces(of: file, size: size, pieceSize: SegmentList.segmentSize)
    let segments = size > SegmentList.segmentSize ? [] : [0]
    do throws(FileError) {
      var list: [Digest]? = sidecar.isCurrent ? nil : []
      // Reads one byte more than recorded, so that a file that has grown gets another digest.
      guard let found = try reader.digest(of: file, from: 0, size + 1, resident, &list) else {
        return .stopped
      }
      if found == whole {
        return Step(try sound(item, in: root, file, unsaved: list))
      }
      let words = "its SHA-256 is \(found.hex)"
      let damaged = proof.damaged(item, root, words, segments: segments)
      return .done(look.damage(damaged, in: root, of: try file.facts()))
    } catch {
      return .done(unreadable(item, in: root, file, error, segments: segments))
    }
  }

  /// Combines the results of the segments of a file; nil if the run was cancelled.
  func conclude(
    _ open: FileVerification, _ end: FileVerification.End, _ reader: inout SegmentReader
  ) -> VerificationResult? {
    let (item, root) = (open.item, open.root)
    var segments: [Int] = []
    do throws(FileError) {
      switch end {
      case .abandoned: return nil
      case .intact:
        return try sound(item, in: root, open.file, unsaved: open.isOutdated ? [] : nil)
      case .wrong(let wrong, let problem):
        segments = wrong
        if let problem { throw problem }
      }
      var list: [Digest]?
      guard let agrees = try open.wholeAgrees(&reader, &list) else { return nil }
      if agrees { return try sound(item, in: root, open.file, unsaved: list) }
      let words = SegmentWords.differing(segments, of: open.count)
      let damaged = proof.damaged(item, root, words, segments: segments)
      return look.damage(damaged, in: root, of: try open.file.facts())
    } catch {
      return unreadable(item, in: root, open.file, error, segments: segments)
    }
  }

  /// Checks the container of a file whose bytes are intact or have no digest.
  ///
  /// - Parameter unsaved: the digests of segments that the sidecar lacks.
  /// - Returns: the result; nil if the run was cancelled.
  private func sound(
    _ item: VerificationItem, in root: MediaRoot, _ file: borrowing OpenFile,
    unsaved: [Digest]? = nil
  ) throws(FileError) -> VerificationResult? {
    var found = try sound(item, in: root, file)
    if found?.verdict == .intact { found?.unsaved = unsaved }
    return found
  }

  private func sound(
    _ item: VerificationItem, in root: MediaRoot, _ file: borrowing OpenFile
  ) throws(FileError) -> VerificationResult? {
    let hasDigest = item.judged.sha256 != nil
    if item.part.role == .video, settings.walksContainers || !hasDigest,
      case .broken(let fault) = try MediaStructure.examine(file)
    {
      return look.damage(proof.broken(item, root, fault.words), in: root, of: try file.facts())
    }
    if item.part.role == .video, let prober = settings.prober {
      return try timed(item, in: root, file, by: prober)
    }
    return proof.intact(item, root, byDigest: hasDigest)
  }

  /// Maps a read error to a result. `EIO` means that the disk has lost these bytes, so the file is
  /// damaged. Any other error says nothing about the bytes.
  private func unreadable(
    _ item: VerificationItem, in root: MediaRoot, _ file: borrowing OpenFile, _ error: FileError,
    segments: [Int]
  ) -> VerificationResult {
    do throws(FileError) {
      guard error.errno == .ioError else { throw error }
      let place = segments.isEmpty ? "" : " in segment \(SegmentWords.text(of: segments))"
      let damaged = proof.damaged(item, root, "it cannot be read\(place)", segments: segments)
      return look.damage(damaged, in: root, of: try file.facts())
    } catch {
      return proof.failed(item, root, error)
    }
  }
}
