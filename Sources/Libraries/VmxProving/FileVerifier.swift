import SystemPackage
import VmxJobs
import VmxMedia
import VmxModel
import VmxStore
import VmxSystem

/// Proves one file after another, as one of several workers.
struct FileVerifier: Sendable {
  let look: FileStatus
  let settings: VerificationSettings
  let shouldStop: @Sendable () -> Bool

  /// How far a file was brought.
  enum Step {
    case done(VerificationResult)
    /// Its segments are to be proven by whoever has time.
    case opened(FileVerification)
    /// It was told to stop.
    case stopped

    /// The end of a file; nil where it was told to stop.
    init(_ proof: VerificationResult?) {
      self = proof.map { .done($0) } ?? .stopped
    }
  }

  var proof: ProofWriter { look.proof }

  /// Looks at a file and, if that is asked for, at its bytes.
  ///
  /// What the record calls missing or damaged is proven by its bytes however quick the run is:
  /// that something of the same size stands there mends nothing.
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
      // One byte more than recorded, so that a file that grows meanwhile is another.
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

  /// Sums up what the segments of a file say; nil if it was told to stop.
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

  /// What to say of a file whose bytes are right, or have no digest: its container may tell more;
  /// nil if it was told to stop.
  ///
  /// - Parameter unsaved: the digests of segments that the sidecar lacks.
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

  /// A disk that gives an input/output error has lost these bytes; any other refusal says nothing
  /// about them.
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
