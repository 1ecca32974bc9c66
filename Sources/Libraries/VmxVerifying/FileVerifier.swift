import SystemPackage
import VmxLibrary
import VmxMedia
import VmxModel
import VmxStore
import VmxSystem

/// Verifies files one by one, for one of several workers.
struct FileVerifier: Sendable {
  let tools: LibraryTools
  let settings: VerificationSettings
  var store: LibraryStore { tools.store }
  var mediaRoots: MediaRoots { tools.mediaRoots }
  var clock: any WallClock { tools.clock }
  var shouldStop: @Sendable () -> Bool { tools.shouldStop }

  /// The progress of one file.
  enum Step {
    case done(VerificationResult)
    /// The file is open; any idle worker may verify its segments.
    case opened(SegmentVerification)
    /// The run was cancelled.
    case stopped

    /// Wraps the result of a file; nil means that the run was cancelled.
    init(_ result: VerificationResult?) {
      self = result.map { .done($0) } ?? .stopped
    }
  }

  /// Inspects a file and, unless the run is quick, verifies its bytes.
  ///
  /// A file that is recorded as missing or damaged is verified by its bytes even in a quick run. A
  /// file of the right size alone does not clear that state.
  func begin(
    _ item: VerificationItem, in root: MediaRoot, open: borrowing VerifiedRoot,
    reader: inout SegmentReader
  ) -> Step {
    guard case .file(let facts) = status(of: item.recordedFile, below: open) else {
      return .done(inspectAgain(item, in: root))
    }
    guard !settings.isQuick || item.part.state != .ready else {
      return .done(intact(item, root, byDigest: false))
    }
    do {
      guard let claim = try store.claims.claim(item.id, .shared) else {
        return .done(skipped(item, root))
      }
      return try verify(item, in: root, size: facts.size, claim: claim, reader: &reader)
    } catch {
      return .done(failed(item, in: root, problem: error))
    }
  }

  private func verify(
    _ item: VerificationItem, in root: MediaRoot, size: Int64, claim: Claim,
    reader: inout SegmentReader
  ) throws(FileError) -> Step {
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile(root.folder.appending(item.recordedFile.path), .readOnly)
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory?, .notDirectory?, .tooManySymbolicLinkLevels?:
        return .done(inspectAgain(item, in: root))
      default: throw error
      }
    }
    guard let whole = item.recordedFile.sha256 else {
      defer { claim.release() }
      return Step(try checkContent(item, in: root, file))
    }
    let sidecar = SidecarStatus(
      of: item.part, item.recordedFile, in: item.id, on: root,
      wantsNFO: settings.sidecars?.writesNFO ?? false)
    let isLarge = size > SegmentMap.size
    if isLarge, sidecar.segments != nil {
      return .opened(
        SegmentVerification(item, in: root, file, size: size, against: sidecar, claim: claim))
    }
    defer { claim.release() }
    let resident = ResidentPieces(of: file, size: size, pieceSize: SegmentMap.size)
    let segments = isLarge ? [] : [0]
    do throws(FileError) {
      // Reads one byte more than recorded, so that a file that has grown gets another digest.
      let found = try reader.digest(
        of: file, from: 0, size + 1, resident, withSegments: !sidecar.isCurrent)
      guard let found else { return .stopped }
      if found.sha256 == whole {
        let unsaved = sidecar.isCurrent ? nil : found.segments
        return Step(try checkContent(item, in: root, file, unsaved: unsaved))
      }
      let words = "SHA-256 \(found.sha256.hex)"
      return .done(
        confirmed(
          damaged(item, in: root, words: words, segments: segments), in: root, try file.facts()))
    } catch {
      return .done(unreadable(item, in: root, file: file, error: error, segments: segments))
    }
  }

  /// Combines the results of the segments of a file; nil if the run was cancelled.
  func combine(
    _ open: SegmentVerification, at end: SegmentVerification.End, reader: inout SegmentReader
  ) -> VerificationResult? {
    let (item, root) = (open.item, open.root)
    var segments: [Int] = []
    do throws(FileError) {
      switch end {
      case .abandoned: return nil
      case .intact:
        return try checkContent(
          item, in: root, open.file, unsaved: open.isOutdated ? [] : nil)
      case .mismatch(let wrong, let problem):
        segments = wrong
        if let problem { throw problem }
      }
      // If the whole file has the recorded digest, the list of segments is wrong.
      guard let found = try open.digest(&reader) else { return nil }
      if found.sha256 == item.recordedFile.sha256 {
        return try checkContent(item, in: root, open.file, unsaved: found.segments)
      }
      let words = SegmentVerification.message(forDamaged: segments, of: open.count)
      let result = damaged(item, in: root, words: words, segments: segments)
      return confirmed(result, in: root, try open.file.facts())
    } catch {
      return unreadable(item, in: root, file: open.file, error: error, segments: segments)
    }
  }

  /// Checks the container and the tracks of a file whose bytes match the record or have no digest.
  ///
  /// - Parameter unsaved: the digests of segments that the sidecar lacks.
  /// - Returns: the result; nil if the run was cancelled.
  private func checkContent(
    _ item: VerificationItem, in root: MediaRoot, _ file: borrowing OpenFile,
    unsaved: [Digest]? = nil
  ) throws(FileError) -> VerificationResult? {
    let hasDigest = item.recordedFile.sha256 != nil
    var result = intact(item, root, byDigest: hasDigest)
    if item.part.role == .video {
      // The structure decides about a file that is recorded as damaged, since its digest may be
      // that of the broken bytes.
      if settings.walksContainers || !hasDigest || item.part.state != .ready,
        case .broken(let fault) = try MediaStructure.examine(file)
      {
        return confirmed(broken(item, in: root, words: fault.text), in: root, try file.facts())
      }
      if let prober = settings.prober {
        guard let probed = try checkTracks(item, in: root, file, by: prober) else { return nil }
        result = probed
      }
    }
    if result.recordVerdict == .intact { result.unsaved = unsaved }
    return result
  }

  /// Compares the durations of the tracks of a video with the declared duration.
  ///
  /// - Returns: the result; nil if the run was cancelled.
  private func checkTracks(
    _ item: VerificationItem, in root: MediaRoot, _ file: borrowing OpenFile, by prober: TrackProber
  ) throws(FileError) -> VerificationResult? {
    let result: VerificationResult
    do {
      guard let report = try prober.report(on: file) else { return nil }
      switch report {
      case .none(let words): return unprobed(item, in: root, words: words)
      case .unreadable(let words):
        result = broken(item, in: root, words: "cannot be read by ffprobe, '\(words)'")
      case .tracks(let tracks):
        let episode = try store.snapshot().episode(item.id)
        let part = episode?.part(named: item.part.name)
        result = timed(item, in: root, times: TrackTimes(tracks, declared: part?.variant?.duration))
      }
    } catch {
      return failed(item, in: root, problem: error)
    }
    return result.verdict == .damaged ? confirmed(result, in: root, try file.facts()) : result
  }

  /// Maps a read error to a result. `EIO` means that the disk has lost these bytes, so the file is
  /// damaged. Any other error says nothing about the bytes.
  private func unreadable(
    _ item: VerificationItem, in root: MediaRoot, file: borrowing OpenFile, error: FileError,
    segments: [Int]
  ) -> VerificationResult {
    do throws(FileError) {
      guard error.errno == .ioError else { throw error }
      let range =
        segments.isEmpty ? "" : " in segment \(SegmentVerification.ranges(of: segments))"
      let result = damaged(item, in: root, words: "unreadable\(range)", segments: segments)
      return confirmed(result, in: root, try file.facts())
    } catch {
      return failed(item, in: root, problem: error)
    }
  }
}
