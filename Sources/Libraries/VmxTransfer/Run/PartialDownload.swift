import SystemPackage
import VmxModel
import VmxSystem

/// The bytes of one part on the disk, with the record of which version they are of.
struct PartialDownload: ~Copyable {
  /// The version of the bytes held.
  private(set) var version = SourceVersion()
  /// `StableHash` of the URL of the source they came from; nil while nothing is held.
  private(set) var source: UInt64?
  /// Whether they were joined on the word of an overlap alone.
  private(set) var isProbed = false
  /// Whether what is held may be gone on with, in this run and in later ones.
  var isResumable: Bool
  /// Whether only the end of a connection says that what is held is the whole.
  private(set) var isEndUnsure = false
  /// Whether two answers gave the same bytes up to the same end.
  private(set) var isRepeated = false
  /// Another number whenever bytes held are given up.
  private(set) var era = 0
  /// Where redirects led, as shown in messages.
  var finalURL = ""

  /// Bytes that are compared with those kept aside at most.
  private static let comparedAside: Int64 = 64 << 20

  private let job: TransferJob
  private let boot: String
  private var url = ""
  private var file: PartialFile
  private var record: ResumeWriter

  /// Opens the file; nothing in it is believed yet.
  ///
  /// - Parameter boot: the id of this boot.
  init(_ job: TransferJob, boot: String) throws(TransferError) {
    let file: PartialFile
    do throws(FileError) {
      file = try PartialFile(job.partial)
    } catch {
      throw .file(error)
    }
    self.job = job
    self.boot = boot
    self.file = file
    isResumable = job.kind == .media
    record = ResumeWriter(job.resume)
  }

  /// Believes what earlier runs held, after a look at its digests.
  ///
  /// - Parameter shouldStop: asked now and then; the caller then ends without recording anything.
  mutating func restore(shouldStop: () -> Bool) throws(TransferError) {
    // Of a file without bytes nothing is believed, whatever was recorded.
    guard !file.isEmpty else { return }
    do throws(FileError) {
      let data = isResumable ? try ResumeData.load(job.resume) : nil
      let urls = job.sources.map(\.url)
      if let data, data.isOf(job.partName, of: job.episode, urls: urls) {
        try file.restore(data, boot: boot, shouldStop: shouldStop)
        adopt(data)
      }
    } catch {
      throw .file(error)
    }
    try file.catchUp(shouldStop: shouldStop)
  }

  /// How many bytes are held, wherever they lie.
  var held: Int64 { file.held.count }
  /// How many are held from the first on.
  var prefix: Int64 { file.prefix }
  /// Bytes of the whole, once known.
  var total: Int64? { version.total }
  /// Whether every byte is held.
  var isWhole: Bool { version.total.map { $0 > 0 && file.prefix == $0 } ?? false }
  /// What is missing of a range, ascending, without what others bring.
  func missing(in range: ByteRange, besides claims: [ByteRange] = []) -> [ByteRange] {
    var taken = file.held
    taken.insert(ByteRange(0..<range.start))
    for claim in claims { taken.insert(claim) }
    return taken.gaps(upTo: range.end)
  }
  /// What is missing first; reaches to no end where that is the end of the file.
  var gap: (start: Int64, end: Int64?) {
    let later = file.held.ranges.first { $0.start > file.prefix }
    return (file.prefix, later?.start)
  }

  /// What is known of the bytes held, as answers of a source are to be judged by it: validators
  /// of one server mean nothing at another.
  func version(at source: UInt64) -> SourceVersion {
    guard source != self.source else { return version }
    var known = version
    known.validators = Validators()
    return known
  }

  /// The version held, for whoever is to fetch more of it later.
  var fetchedVersion: FetchedVersion {
    FetchedVersion(
      source: source ?? 0, etag: version.validators.etag,
      lastModified: version.validators.lastModified, date: version.validators.date)
  }

  /// Whether what is held came from a source.
  func isFrom(_ source: TransferSource) -> Bool {
    guard let known = self.source, let url = RequestURL(source.url) else { return false }
    return StableHash.of(url.text) == known
  }

  private mutating func adopt(_ data: ResumeData) {
    // Without a byte held there is nothing that its validators could speak of.
    guard file.held.count > 0 else { return }
    version = data.version
    source = data.source
    url = data.url
    finalURL = data.finalURL
    isProbed = data.isProbed
    file.length = data.version.total
    record.holds(file.held.count)
  }
}

// Bytes.
extension PartialDownload {
  /// Begins with another version, or anew: nothing is held any more.
  ///
  /// - Parameter aside: whether the bytes held so far are kept aside, in place of older ones.
  mutating func startOver(
    _ version: SourceVersion, from url: RequestURL, aside: Bool
  ) throws(TransferError) {
    do throws(FileError) {
      // First the record, then the bytes: a crash in between costs what was held, never more.
      try record.startOver()
      if aside, file.held.count > 0 {
        try renameReplacing(from: job.partial, to: job.aside)
        file = try PartialFile(job.partial)
      } else {
        try file.startOver()
      }
      if let total = version.total { try file.reserve(total) }
    } catch {
      throw .file(error)
    }
    era += 1
    self.version = version
    source = StableHash.of(url.text)
    self.url = url.shown
    file.length = version.total
    isProbed = false
    isEndUnsure = false
    isRepeated = false
  }

  /// Takes note of an answer that goes on with what is held.
  ///
  /// - Parameter probed: whether an overlap alone says that it does.
  mutating func goOn(_ response: SourceVersion, from url: RequestURL, probed: Bool) {
    let before = (version, source, isProbed)
    let isOther = source != StableHash.of(url.text)
    if isOther || probed || version.validators.strong == nil {
      version.validators = response.validators
    }
    version.total = version.total ?? response.total
    version.published = version.published ?? response.published
    version.contentType = version.contentType ?? response.contentType
    source = StableHash.of(url.text)
    self.url = url.shown
    file.length = version.total
    if version.total != nil { isEndUnsure = false }
    isProbed = isProbed || probed
    if before != (version, source, isProbed) { record.isOutdated() }
  }

  /// Ends a body whose length, or whose digest, may not have been told before.
  mutating func ends(at length: Int64, published: Digest?) {
    version.total = length
    version.published = version.published ?? published
    file.length = length
    isEndUnsure = false
  }

  /// A body has ended where nobody said that it would: it may have been cut.
  mutating func doubtsEnd() {
    version.total = nil
    file.length = nil
    isEndUnsure = true
  }

  /// A second answer gave the same bytes up to the same end.
  mutating func isConfirmed() {
    ends(at: prefix, published: nil)
    isRepeated = true
  }

  /// All that is held has come again in an answer of this version.
  mutating func belongs(to version: SourceVersion, of url: RequestURL) {
    self.version = version
    source = StableHash.of(url.text)
    self.url = url.shown
    era += 1
    file.length = version.total
    record.isOutdated()
  }

  /// Forgets what is held from an offset on, because the source has other bytes there: no record
  /// may say otherwise once they are written over.
  mutating func cutBack(to offset: Int64) throws(TransferError) {
    do throws(FileError) {
      try record.startOver()
    } catch {
      throw .file(error)
    }
    era += 1
    file.drop(from: offset)
  }

  /// Writes bytes and records them.
  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(TransferError) {
    do throws(FileError) {
      try file.write(bytes, at: offset)
      if isResumable { try record.note(file, data(tail: nil)) }
    } catch {
      throw .file(error)
    }
  }

  /// Nothing comes at the moment: digests and records what else would wait for more.
  mutating func rest() throws(TransferError) {
    guard !file.backlog.indices.isEmpty else { return }
    do throws(FileError) {
      try file.settle()
      if isResumable { try record.note(file, data(tail: nil)) }
    } catch {
      throw .file(error)
    }
  }

  /// Forgets what is held from an offset on.
  mutating func drop(from offset: Int64) {
    era += 1
    file.drop(from: offset)
  }

  /// Whether the same bytes are held at an offset.
  func holds(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(TransferError) -> Bool {
    do throws(FileError) {
      return try file.holds(bytes, at: offset)
    } catch {
      throw .file(error)
    }
  }

  /// The blocks to fetch again, where there is no strong validator; nil: start over.
  ///
  /// - Parameter between: blocks between the first and the last.
  func probe(between: Int) throws(TransferError) -> OverlapProbe? {
    do throws(FileError) {
      return try OverlapProbe(held: file.prefix, between: between) { range throws(FileError) in
        try file.isRun(range)
      }
    } catch {
      throw .file(error)
    }
  }

  /// The digests of the whole, once all of it is held; nil if it was to stop.
  mutating func finish(
    at batcher: DigestBatcher, shouldStop: () -> Bool
  ) throws(TransferError) -> (whole: Digest, segments: [Digest])? {
    try file.finish(length: file.prefix, at: batcher, shouldStop: shouldStop)
  }

  /// The digest of the whole, read once more, by libcrypto; nil if it was to stop.
  func digest(
    _ algorithm: DigestAlgorithm, shouldStop: () -> Bool
  ) throws(TransferError) -> Digest? {
    try file.digest(algorithm, shouldStop: shouldStop)
  }

  /// Whether what was kept aside as another version begins with the same bytes as are held now,
  /// enough of them to tell.
  func agreesWithAside() throws(TransferError) -> Bool {
    do throws(FileError) {
      let aside = try OpenFile(job.aside, .readOnly)
      let end = try min(file.prefix, aside.facts().size, Self.comparedAside)
      guard end >= 2 * OverlapProbe.blockSize else { return false }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { buffer.deallocate() }
      for start in stride(from: 0, to: end, by: buffer.count) {
        let count = try aside.read(into: buffer, at: start)
        let bytes = Array(buffer.prefix(min(count, Int(end - start))))
        guard try file.holds(bytes[...], at: start) else { return false }
      }
      return true
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw .file(error) }
      return false
    }
  }

  /// Removes what was kept aside: the file is here and proven.
  func removeAside() throws(TransferError) {
    do throws(FileError) {
      try removeFile(job.aside)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw .file(error) }
    }
  }
}

// The record.
extension PartialDownload {
  /// Records what is held, with a digest of the bytes that fill no segment yet; where nothing is
  /// held, no file is left.
  ///
  /// To be called when a run ends before the file is whole; waits for no disk.
  mutating func close() throws(TransferError) {
    do throws(FileError) {
      if file.held.count == 0 {
        try removeFile(job.partial)
      } else if isResumable {
        try file.settle()
        try record.close(data(tail: try file.tail()))
      }
    } catch {
      throw .file(error)
    }
  }

  private func data(tail: ResumeData.Tail?) -> ResumeData {
    ResumeData(
      episode: job.episode, part: job.partName, source: source ?? 0, url: url,
      finalURL: finalURL, version: version, held: file.held, segments: file.segments, tail: tail,
      boot: boot, isProbed: isProbed)
  }
}
