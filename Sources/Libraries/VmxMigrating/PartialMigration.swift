import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// The bytes are copied, never linked, since a fetch writes to its partial file. The resume data
// name the held ranges with their digests, and mark them as written by another program
// (`ResumeData.isForeign`). So the first fetch requests an overlap from the origin, and starts from
// zero unless the overlapping bytes are equal. The source is always kept, since nothing is verified
// before that fetch.

/// Migrates the unfinished video of a recorded episode.
struct PartialMigration {
  private let episode: Episode
  private let partial: LegacyPartial
  private let migrator: Migrator
  private let staging: Staging

  init(
    of episode: Episode, _ partial: LegacyPartial, migrator: Migrator, staging: Staging
  ) {
    self.episode = episode
    self.partial = partial
    self.migrator = migrator
    self.staging = staging
  }

  /// Copies the bytes, and writes the resume data. Both are durable on return.
  ///
  /// - Returns: `unchanged` if the video is complete, has been begun, or is no longer wanted.
  /// - Throws: `lock-busy`, `input-missing`, `input-changed`, `disk-full`, errors of the store.
  func result() throws -> OperationResult {
    let claim = try staging.claims.claim(episode.id)
    defer { staging.claims.release(claim) }
    let present = try migrator.store.snapshot().episode(episode.id) ?? episode
    guard present.id == episode.id else {
      throw Failure(.lockBusy, "'\(episode.id)' was just renamed to '\(present.id)'")
    }
    guard let index = present.parts.firstIndex(where: { $0.role == .video }),
      let url = present.parts[index].urls.first
    else { return .unchanged(.doubtful) }
    let part = present.parts[index]
    guard [.new, .queued, .probed].contains(part.state), part.path == nil else {
      return .unchanged()
    }
    let files = PartFiles(root: staging.root.folder, episode: present.id, part: part)
    guard try RegularFile.size(of: files.resume) == nil else { return .unchanged() }
    let copy = staging.path()
    defer { RegularFile.discard(copy) }
    let data = try resumeData(by: copy, for: part, of: url)
    guard data.completedRanges.count > 0 else { return .unchanged(.doubtful) }
    try files.adopt(whole: copy)
    try AtomicFile.replace(files.resume, with: data.line, durable: true)
    try migrator.store.update(.durable) { transaction in
      guard var episode = try transaction.episode(present.id),
        episode.parts.indices.contains(index), episode.parts[index].root == nil
      else { return }
      episode.parts[index].root = staging.root.uuid
      _ = transaction.recorded(episode)
    }
    return .done
  }

  /// Copies the file, and digests its held ranges.
  private func resumeData(by copy: FilePath, for part: Part, of url: String) throws -> ResumeData {
    guard let facts = try FileFacts.of(partial.path), facts.isRegular else {
      throw Failure(.inputMissing, "'\(partial.path)' is not there any longer")
    }
    let end = try copyFile(
      from: partial.path, to: copy, mode: .ownerReadWrite,
      shouldStop: { _ in migrator.shouldStop() })
    guard end != .stopped else { throw WorkEnded.interrupted }
    guard let now = try FileFacts.of(partial.path), now.isSameContent(as: facts) else {
      throw Failure(.inputChanged, "'\(partial.path)' changed while it was read")
    }
    try RegularFile.flush(copy)
    var held = partial.completedRanges
    held.remove(ByteRange(facts.size..<Int64.max))
    try held.removeZeroRuns(of: copy)
    let digests = try RangeDigests(of: copy, held, size: facts.size)
    var data = ResumeData(
      episode: episode.id, part: part.name, source: StableHash.of(url),
      url: URLRedaction.redacted(url), finalURL: URLRedaction.redacted(url),
      version: SourceVersion(
        validators: Validators(
          etag: partial.entityTag, lastModified: partial.lastModified),
        total: partial.total?.bytes),
      completedRanges: digests.digestedRanges, segments: digests.segments, tail: digests.tail,
      boot: bootID(),
      isProbed: true)
    data.isForeign = true
    return data
  }
}

extension ByteRangeSet {
  private static let page: Int64 = 4096
  private static let piece: Int64 = 1 << 20
  private static let maxRanges = 256

  /// Removes the runs of zeros that fill at least one page of 4096 bytes. A crash leaves such
  /// pages, and programs that download several pieces at once leave them between the pieces. Once
  /// there are more than 256 ranges, all later bytes are removed.
  fileprivate mutating func removeZeroRuns(of path: FilePath) throws {
    let file = try OpenFile(path, .readOnly)
    for range in ranges {
      var run = ZeroRun()
      var offset = range.start / Self.page * Self.page
      while offset < range.end {
        let bytes = try file.read(Int(min(Self.piece, range.end - offset)), at: offset)
        guard !bytes.isEmpty else { break }
        for start in stride(from: 0, to: bytes.count, by: Int(Self.page)) {
          let page = bytes[start..<min(start + Int(Self.page), bytes.count)]
          if let zeros = run.end(before: page, at: offset + Int64(start)) { remove(zeros) }
          guard ranges.count <= Self.maxRanges else {
            return remove(ByteRange(offset..<Int64.max))
          }
        }
        offset += Int64(bytes.count)
      }
      if let start = run.start { remove(ByteRange(start..<Swift.max(start, range.end))) }
    }
  }

  /// A run of zeros in a file that is read page by page.
  private struct ZeroRun {
    /// The offset of its first byte; nil outside of a run.
    private(set) var start: Int64?
    /// The number of zeros at the end of the last page that also has other bytes.
    private var trailing: Int64 = 0

    /// Processes the next page, and returns the run that ends in it, or nil.
    mutating func end(before page: ArraySlice<UInt8>, at offset: Int64) -> ByteRange? {
      let leading = Int64(page.prefix { $0 == 0 }.count)
      guard leading < page.count else {
        start = start ?? offset - trailing
        return nil
      }
      trailing = Int64(page.reversed().prefix { $0 == 0 }.count)
      defer { start = nil }
      return start.map { ByteRange($0..<offset + leading) }
    }
  }
}

/// The digests of the held bytes of a partial file: of complete segments, and of the incomplete
/// segment after a range that starts at 0.
private struct RangeDigests {
  private(set) var digestedRanges = ByteRangeSet()
  private(set) var segments: [Int: Digest] = [:]
  private(set) var tail: ResumeData.Tail?

  init(of path: FilePath, _ ranges: ByteRangeSet, size: Int64) throws {
    let file = try OpenFile(path, .readOnly)
    for index in 0..<Int(size / SegmentMap.size) {
      let range = SegmentMap.range(index)
      guard ranges.contains(range) else { continue }
      segments[index] = try Self.digest(of: range, in: file)
      digestedRanges.insert(range)
    }
    // Resume data have one digest for an incomplete segment, so only the range that starts at 0 may
    // end within a segment.
    guard let first = ranges.ranges.first, first.start == 0 else { return }
    let start = first.end / SegmentMap.size * SegmentMap.size
    guard first.end > start else { return }
    let rest = ByteRange(start..<first.end)
    tail = ResumeData.Tail(end: first.end, sha256: try Self.digest(of: rest, in: file))
    digestedRanges.insert(rest)
  }

  private static func digest(
    of range: ByteRange, in file: borrowing OpenFile
  ) throws -> Digest {
    var hasher = DigestHasher(.sha256)
    var offset = range.start
    while offset < range.end {
      let bytes = try file.read(Int(min(1 << 20, range.end - offset)), at: offset)
      guard !bytes.isEmpty else { throw Failure(.inputChanged, "'\(file.path)' became shorter") }
      hasher.update(bytes)
      offset += Int64(bytes.count)
    }
    return hasher.finish()
  }
}
