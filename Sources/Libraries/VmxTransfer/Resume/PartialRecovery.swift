package import SystemPackage
import VmxDigest
import VmxLibrary
package import VmxModel
import VmxSystem

// Recovers the intact bytes of a damaged file so that they are not fetched again. Each segment is
// read and compared with its recorded digest. Matching segments, from any copy, are written to the
// partial file, and the resume data describe them like fetched bytes. A transfer then resumes as
// after any interruption: it trusts only the digests and requests the version of these bytes. No
// copy is ever written to.

/// Creates a partial file from the intact segments of copies of the whole.
package struct PartialRecovery {
  private let job: TransferJob
  private let size: Int64
  private let segments: [Digest]
  private let version: FetchedVersion?

  /// Creates a recovery for a job.
  ///
  /// - Parameters:
  ///   - size: the size of the whole in bytes.
  ///   - segments: the SHA-256 of each 4 MiB segment in order. Empty if unknown; only a copy that
  ///     is intact as a whole helps then.
  ///   - version: the version and source of the whole.
  package init(
    for job: TransferJob, size: ByteCount, segments: [Digest], version: FetchedVersion?
  ) {
    self.job = job
    self.size = size.bytes
    self.segments = segments
    self.version = version
  }

  /// Reads the copies and creates the partial file and resume data. Bytes held before count as an
  /// additional copy.
  ///
  /// - Parameters:
  ///   - copies: the files to read in this order, each at the same offsets; unreadable ones are
  ///     skipped. The partial file shares blocks with the first copy if the file system supports
  ///     that.
  ///   - reserve: the bytes to leave free on the disk.
  /// - Returns: the number of bytes held; 0 leaves no files.
  /// - Throws: `disk-full` before anything is written if there is no room for a copy,
  ///   `.stopped(.interrupted)`, and other file errors. No files are left then.
  package func perform(
    from copies: [FilePath], reserve: ByteCount, shouldStop: () -> Bool
  ) throws(TransferError) -> Int64 {
    do throws(FileError) {
      try remove(job.resume)
      // The earlier partial file is read first: its bytes are of the version to fetch.
      let isBegun = try FileFacts.of(job.partial) != nil
      if isBegun { try renameReplacing(from: job.partial, to: job.rejectedFile) }
      let held: Int64
      if segments.isEmpty {
        held = try copyComplete(of: copies, reserve, shouldStop)
      } else {
        held = try copySegments(
          of: copies, before: isBegun ? [job.rejectedFile] : [], reserve: reserve,
          shouldStop: shouldStop)
      }
      if shouldStop() { throw FileError.failed(.copy, job.partial, .interrupted) }
      try remove(job.rejectedFile)
      if held == 0 { try remove(job.partial) }
      return held
    } catch {
      // The original error matters more than a failure to remove an incomplete copy.
      do { try remove(job.partial) } catch {}
      throw error.errno == .interrupted ? .stopped(.interrupted) : .file(error)
    }
  }

  /// Copies the first copy that is intact as a whole.
  private func copyComplete(
    of copies: [FilePath], _ reserve: ByteCount, _ shouldStop: () -> Bool
  ) throws(FileError) -> Int64 {
    for copy in copies where isComplete(copy, shouldStop) {
      try checkFreeSpace(reserve)
      _ = try copyFile(
        from: copy, to: job.partial, mode: .ownerReadWrite, shouldStop: { _ in shouldStop() })
      return size
    }
    return 0
  }

  private func isComplete(_ copy: FilePath, _ shouldStop: () -> Bool) -> Bool {
    do {
      let file = try OpenFile(copy, .readOnly, followingLinks: true)
      guard try file.facts().size == size else { return false }
      let digest = try FileDigest.of(file.descriptor.rawValue) { _ in shouldStop() }
      return digest.sha256 == job.expectedDigest
    } catch {
      // An unreadable copy is useless; the source is used instead.
      return false
    }
  }

  private func copySegments(
    of copies: [FilePath], before: [FilePath], reserve: ByteCount, shouldStop: () -> Bool
  ) throws(FileError) -> Int64 {
    let isShared = try clone(copies.first)
    if !isShared { try checkFreeSpace(reserve) }
    let partial = try OpenFile(job.partial, .readWrite, options: .create)
    // A damaged file may have grown.
    if try partial.facts().size > size { try partial.truncate(to: size) }
    let others = (isShared ? Array(copies.dropFirst()) : copies) + before
    let readers = others.compactMap { CopyReader.open($0) }
    var held = ByteRangeSet()
    var known: [Int: Digest] = [:]
    for (index, digest) in segments.enumerated() where !shouldStop() {
      let range = SegmentMap.range(index).clamped(to: size)
      if isShared, partial.bytes(of: digest, in: range) != nil {
        held.insert(range)
      } else if let bytes = bytes(of: digest, in: range, from: readers) {
        try partial.write(bytes, at: range.start)
        held.insert(range)
      } else {
        continue
      }
      known[index] = digest
    }
    if held.count > 0 { try record(held, known) }
    return held.count
  }

  /// Returns the bytes of a range from the first copy with the right digest; reads each copy once.
  ///
  /// `first` of a lazy map would read it twice, and trap if the second read fails.
  private func bytes(
    of digest: Digest, in range: ByteRange, from readers: [CopyReader]
  ) -> [UInt8]? {
    for reader in readers {
      if let bytes = reader.bytes(of: digest, in: range) { return bytes }
    }
    return nil
  }

  private func record(_ held: ByteRangeSet, _ known: [Int: Digest]) throws(FileError) {
    let sources = job.sources.compactMap { RequestURL($0.url) }
    let source = sources.first { StableHash.of($0.text) == version?.source } ?? sources.first
    guard let source else { return }
    var found = SourceVersion(total: size)
    if let version, version.source == StableHash.of(source.text) {
      found.validators = Validators(
        etag: version.etag, lastModified: version.lastModified, date: version.date)
    }
    // The last segment is recorded as a tail, unless it is a full one.
    let last = Int(size / SegmentMap.size)
    let tail = known[last].map { ResumeData.Tail(end: size, sha256: $0) }
    let data = ResumeData(
      episode: job.episode, part: job.partName, source: StableHash.of(source.text),
      url: source.redacted, finalURL: source.redacted, version: found, completedRanges: held,
      segments: known.filter { $0.key != last }, tail: tail, boot: bootID(), isProbed: false)
    try AtomicFile.replace(job.resume, with: data.line, durable: false)
  }

  /// Creates the partial file as a clone of a copy, if the file system supports that.
  private func clone(_ copy: FilePath?) throws(FileError) -> Bool {
    guard let copy else { return false }
    do throws(FileError) {
      _ = try copyFile(from: copy, to: job.partial, mode: .ownerReadWrite, methods: [.clone])
      return true
    } catch {
      // The copy that follows reports any other error.
      return false
    }
  }

  private func checkFreeSpace(_ reserve: ByteCount) throws(FileError) {
    guard try freeSpace(at: job.partial.folder) >= ByteCount(clamping: size) + reserve else {
      throw .failed(.allocate, job.partial, .noSpace)
    }
  }

  private func remove(_ path: FilePath) throws(FileError) {
    do throws(FileError) {
      try removeFile(path)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
  }
}

/// A copy that is read for its intact segments.
private final class CopyReader {
  private let file: OpenFile

  private init(_ file: consuming OpenFile) { self.file = file }

  /// Opens a copy; nil if it cannot be opened.
  static func open(_ path: FilePath) -> CopyReader? {
    do throws(FileError) {
      return CopyReader(try OpenFile(path, .readOnly, followingLinks: true))
    } catch {
      return nil
    }
  }

  /// The bytes of a range if they have this digest, else nil.
  func bytes(of digest: Digest, in range: ByteRange) -> [UInt8]? {
    file.bytes(of: digest, in: range)
  }
}

extension OpenFile {
  /// The bytes of a range if they can be read and have this digest, else nil.
  fileprivate borrowing func bytes(of digest: Digest, in range: ByteRange) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Int(range.count))
    let outcome = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in try read(into: buffer, at: range.start) }
    }
    guard case .success(bytes.count) = outcome else { return nil }
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    return hasher.finish() == digest ? bytes : nil
  }
}

extension ByteRange {
  fileprivate func clamped(to end: Int64) -> ByteRange { ByteRange(start..<min(self.end, end)) }
}
