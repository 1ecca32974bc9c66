import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

/// The bytes of one part on the disk, and the resume data that record their version.
///
/// ```swift
/// let part = try PartialDownload(job, boot: boot)
/// try part.restore { observer.stop != nil }
/// try part.write(bytes, at: part.prefix)
/// try part.close()
/// ```
final class PartialDownload {
  /// The version of the bytes held.
  private(set) var version = SourceVersion()
  /// The `StableHash` of the URL of their source; nil while nothing is held.
  private(set) var source: UInt64?
  /// Whether they were joined because of a matching overlap alone, without a validator.
  private(set) var isProbed = false
  /// Whether another program wrote the bytes, so that an overlap must agree whatever the
  /// validators.
  private(set) var isForeign = false
  /// Whether the download may be resumed, in this run and in later ones.
  var isResumable: Bool
  /// The evidence for the end of the file.
  private(set) var end = End.announced
  /// A number that changes whenever held bytes are discarded.
  private(set) var era = 0
  /// The URL after all redirects, as shown in messages.
  var finalURL = ""

  /// The limit of bytes compared with those kept aside.
  private static let maxComparedBytes: Int64 = 64 << 20

  private let job: TransferJob
  private let boot: String
  private var url = ""
  private var file: PartialFile
  private var record: ResumeWriter

  /// Opens the file without trusting anything in it.
  ///
  /// - Parameter boot: the id of this boot.
  init(_ job: TransferJob, boot: String) throws(TransferError) {
    self.job = job
    self.boot = boot
    isResumable = job.kind == .media
    record = ResumeWriter(job.resume)
    do throws(FileError) {
      file = try PartialFile(job.partial)
    } catch {
      throw .file(error)
    }
  }

  /// Restores the bytes that earlier runs recorded, after verifying their digests.
  ///
  /// - Parameter shouldStop: called repeatedly; if it returns true, the caller ends without
  ///   recording anything.
  func restore(shouldStop: () -> Bool) throws(TransferError) {
    // An empty file holds nothing, whatever was recorded.
    guard !file.isEmpty else { return }
    try onDisk { () throws(FileError) in
      let data = isResumable ? try ResumeData.load(job.resume) : nil
      let urls = job.sources.map(\.url)
      if let data, data.matches(job.partName, of: job.episode, urls: urls) {
        try file.restore(data, boot: boot, shouldStop: shouldStop)
        adopt(data)
      }
    }
    try file.catchUp(shouldStop: shouldStop)
  }

  /// The number of bytes held, at any offset.
  var completedBytes: Int64 { file.completedRanges.count }
  /// The number of bytes held from the first byte on without a gap.
  var prefix: Int64 { file.prefix }
  /// The size of the whole file in bytes, once known.
  var total: Int64? { version.total }
  /// Whether every byte is held; always false while no response has confirmed the bytes.
  var isComplete: Bool {
    !isForeign && (version.total.map { $0 > 0 && file.prefix == $0 } ?? false)
  }
  /// The missing ranges within a range, ascending, without the claims of other connections.
  func missing(in range: ByteRange, besides claims: [ByteRange] = []) -> [ByteRange] {
    var taken = file.completedRanges
    taken.insert(ByteRange(0..<range.start))
    for claim in claims { taken.insert(claim) }
    return taken.gaps(upTo: range.end)
  }
  /// The first missing range; its end is nil if it extends to the end of the file.
  var gap: (start: Int64, end: Int64?) {
    let later = file.completedRanges.ranges.first { $0.start > file.prefix }
    return (file.prefix, later?.start)
  }

  /// The number of bytes held before an offset, without a gap and up to a limit.
  func held(before offset: Int64, upTo limit: Int64) -> Int64 {
    let run = file.completedRanges.ranges.first { $0.start < offset && $0.end >= offset }
    return run.map { min(limit, offset - $0.start) } ?? 0
  }

  /// The known version of the held bytes, for judging responses of a source.
  ///
  /// Validators are omitted for another source: they have no meaning on another server.
  func version(at source: UInt64) -> SourceVersion {
    guard source != self.source else { return version }
    var known = version
    known.validators = Validators()
    return known
  }

  /// The version held, for a later run that fetches more of it.
  var fetchedVersion: FetchedVersion {
    FetchedVersion(
      source: source ?? 0, etag: version.validators.etag,
      lastModified: version.validators.lastModified, date: version.validators.date)
  }

  /// Whether the held bytes came from this source.
  func isFrom(_ source: TransferSource) -> Bool {
    guard let known = self.source, let url = RequestURL(source.url) else { return false }
    return StableHash.of(url.text) == known
  }

  private func adopt(_ data: ResumeData) {
    // Validators without any held byte would describe nothing.
    guard file.completedRanges.count > 0 else { return }
    version = data.version
    source = data.source
    url = data.url
    finalURL = data.finalURL
    isProbed = data.isProbed
    isForeign = data.isForeign
    file.length = data.version.total
    record.adoptCount(file.completedRanges.count)
  }
}

// Reading and writing bytes.
extension PartialDownload {
  /// Discards all held bytes and begins with another version.
  ///
  /// - Parameter aside: whether the bytes held so far are kept aside, replacing older ones.
  func reset(
    _ version: SourceVersion, from url: RequestURL, aside: Bool
  ) throws(TransferError) {
    try onDisk { () throws(FileError) in
      // The record is removed before the bytes: a crash in between loses the held bytes and nothing
      // else.
      try record.reset()
      if aside, file.completedRanges.count > 0 {
        try renameReplacing(from: job.partial, to: job.rejectedFile)
        file = try PartialFile(job.partial)
      } else {
        try file.reset()
      }
      if let total = version.total { try file.reserve(total) }
    }
    era += 1
    self.version = version
    source = StableHash.of(url.text)
    self.url = url.redacted
    file.length = version.total
    isProbed = false
    isForeign = false
    end = .announced
  }

  /// Adopts the version of a response that continues the held bytes.
  ///
  /// - Parameter probed: whether only a matching overlap shows that it does.
  func adoptVersion(_ response: SourceVersion, from url: RequestURL, probed: Bool) {
    let before = (version, source, isProbed)
    let isOther = source != StableHash.of(url.text)
    if isOther || probed || version.validators.strong == nil {
      version.validators = response.validators
    }
    version.total = version.total ?? response.total
    version.published = version.published ?? response.published
    version.contentType = version.contentType ?? response.contentType
    source = StableHash.of(url.text)
    self.url = url.redacted
    file.length = version.total
    if version.total != nil { end = .announced }
    isProbed = isProbed || probed
    isForeign = isForeign && !probed
    if before != (version, source, isProbed) { record.isOutdated() }
  }

  /// Adopts the validators of the first response whose bytes agree with those of another program,
  /// so that the responses to the other probes must have the same version.
  func adoptValidators(with response: SourceVersion, from url: RequestURL) {
    guard isForeign, version.validators == Validators() else { return }
    version.validators = response.validators
    version.total = version.total ?? response.total
    source = StableHash.of(url.text)
    self.url = url.redacted
    record.isOutdated()
  }

  /// Sets the size, and the digest if none is known yet, at the end of a body.
  ///
  /// - Parameter evidence: the evidence for this end; if unsure, the size stays unknown.
  func ends(at length: Int64, published: Digest?, _ evidence: End = .announced) {
    version.total = evidence == .ambiguous ? nil : length
    version.published = version.published ?? published
    file.length = version.total
    end = evidence
  }

  /// Ends the file after the held bytes if they are a whole container; returns whether they are.
  func endsByStructure() throws(TransferError) -> Bool {
    let isClosed = try onDisk { () throws(FileError) in try file.isClosedContainer() }
    if isClosed { ends(at: prefix, published: nil, .structure) }
    return isClosed
  }

  /// Adopts a version whose response has delivered all held bytes again.
  func belongs(to version: SourceVersion, of url: RequestURL) {
    self.version = version
    source = StableHash.of(url.text)
    self.url = url.redacted
    era += 1
    file.length = version.total
    record.isOutdated()
  }

  /// Discards the held bytes from an offset on, because the source has other bytes there.
  ///
  /// Removes the record first: it must not describe bytes that are about to be overwritten.
  func truncate(to offset: Int64) throws(TransferError) {
    try onDisk { () throws(FileError) in try record.reset() }
    era += 1
    file.discard(from: offset)
  }

  /// Verifies the content of a response. If its digest differs, discards the bytes that it has
  /// written and all after them.
  ///
  /// - Parameter start: the offset of the first byte that the response wrote.
  /// - Throws: `range-broken`, and errors of the disk.
  func verify(
    _ check: ContentCheck, from start: Int64, of cursor: RangeCursor, _ url: String
  ) throws(TransferError) {
    do throws(TransferError) {
      try check.verify(url)
    } catch {
      if cursor.written > 0 { try truncate(to: start) }
      throw error
    }
  }

  /// Writes bytes and records them.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(TransferError) {
    try onDisk { () throws(FileError) in
      try file.write(bytes, at: offset)
      if isResumable { try record.append(file, data(tail: nil)) }
    }
  }

  /// Hashes and records the complete segments that wait for others to share a pass; called while no
  /// bytes arrive.
  func digestPending() throws(TransferError) {
    guard !file.backlog.indices.isEmpty else { return }
    try onDisk { () throws(FileError) in
      try file.digestPending()
      if isResumable { try record.append(file, data(tail: nil)) }
    }
  }

  /// Discards the held bytes from an offset on.
  func discard(from offset: Int64) {
    era += 1
    file.discard(from: offset)
  }

  /// Whether the same bytes are held at an offset.
  func contains(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(TransferError) -> Bool {
    try onDisk { () throws(FileError) in try file.contains(bytes, at: offset) }
  }

  /// The blocks to fetch again if there is no strong validator; nil if the download must start
  /// over.
  ///
  /// - Parameter between: the number of blocks between the first and the last.
  func probe(between: Int) throws(TransferError) -> OverlapProbe? {
    try onDisk { () throws(FileError) in
      try OverlapProbe(held: file.prefix, between: between) { range throws(FileError) in
        try file.isUniform(range)
      }
    }
  }

  /// The bytes held after the first gap.
  var laterRanges: ArraySlice<ByteRange> { file.completedRanges.ranges.dropFirst() }

  /// The blocks of a later run to fetch again; nil unless they are at both of its ends.
  func probe(of run: ByteRange, between: Int) throws(TransferError) -> OverlapProbe? {
    let probe = try onDisk { () throws(FileError) in
      try OverlapProbe(held: run.count, between: between) { block throws(FileError) in
        try file.isUniform(block.shifted(by: run.start))
      }
    }
    guard let shifted = probe?.shifted(by: run.start), shifted.first.start == run.start,
      shifted.last.end == run.end
    else { return nil }
    return shifted
  }

  /// The digests of the complete file; nil if `shouldStop` returned true.
  func finish(
    at batcher: DigestBatcher, shouldStop: () -> Bool
  ) throws(TransferError) -> (whole: Digest, segments: [Digest])? {
    try file.finish(length: file.prefix, at: batcher, shouldStop: shouldStop)
  }

  /// The file itself, whatever is at its path now.
  func identity() throws(TransferError) -> FileIdentity { try file.identity() }

  /// Computes the digest of the whole by reading the file again with libcrypto; nil if `shouldStop`
  /// returned true.
  func digest(
    _ algorithm: DigestAlgorithm, shouldStop: () -> Bool
  ) throws(TransferError) -> Digest? {
    try file.digest(algorithm, shouldStop: shouldStop)
  }

  /// Whether the bytes kept aside as another version begin with the bytes held now.
  ///
  /// Compares up to 64 MiB; returns false if there are too few for a probe.
  func matchesRejectedFile() throws(TransferError) -> Bool {
    do throws(FileError) {
      let aside = try OpenFile(job.rejectedFile, .readOnly)
      let end = try min(file.prefix, aside.facts().size, Self.maxComparedBytes)
      guard end >= OverlapProbe.leastHeld else { return false }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { buffer.deallocate() }
      for start in stride(from: 0, to: end, by: buffer.count) {
        let count = try aside.read(into: buffer, at: start)
        let bytes = Array(buffer.prefix(min(count, Int(end - start))))
        guard try file.contains(bytes[...], at: start) else { return false }
      }
      return true
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw .file(error) }
      return false
    }
  }

  /// Removes the bytes kept aside, once the file is complete and verified.
  func removeRejectedFile() throws(TransferError) {
    do throws(FileError) {
      try removeFile(job.rejectedFile)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw .file(error) }
    }
  }
}

// The record.
extension PartialDownload {
  /// Records the held bytes, with a digest of those that fill no segment yet. Removes the file if
  /// no later run can continue it.
  ///
  /// Called when a run ends before the file is whole. Does not flush to the disk.
  func close() throws(TransferError) {
    try onDisk { () throws(FileError) in
      if file.completedRanges.count == 0 || !isResumable {
        try removeFile(job.partial)
      } else {
        try file.digestPending()
        try record.close(data(tail: try file.tail()))
      }
    }
  }

  private func data(tail: ResumeData.Tail?) -> ResumeData {
    var data = ResumeData(
      episode: job.episode, part: job.partName, source: source ?? 0, url: url,
      finalURL: finalURL, version: version, completedRanges: file.completedRanges,
      segments: file.segments,
      tail: tail,
      rolling: file.rolling.recorded, boot: boot, isProbed: isProbed)
    data.isForeign = isForeign
    return data
  }
}

/// Performs an operation on files; maps its error to a transfer error.
func onDisk<Result>(_ body: () throws(FileError) -> Result) throws(TransferError) -> Result {
  do throws(FileError) {
    return try body()
  } catch {
    throw .file(error)
  }
}
