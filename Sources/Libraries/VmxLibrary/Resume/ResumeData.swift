package import SystemPackage
package import VmxModel
package import VmxSystem

// The format of `.part.json`, from which a later process resumes a transfer.
//
// The file is one line of JSON, replaced atomically, followed by short appended lines. Each of them
// contains the ranges held from then on and the segments completed since. So a checkpoint every 128
// KiB writes a few bytes, without a rename, which would double the time of a fast transfer. Reading
// ends at the first unreadable line: bytes recorded after it count as not held.
//
// Digests are trusted, sizes never. Other bytes are trusted only within the boot in which they were
// written, and only with their rolling digest. A power loss can lose them, but a killed process
// cannot. When the version changes, the file is removed before the first byte of the new version is
// written.

/// The progress of one part, and the version and source of its bytes.
package struct ResumeData: Sendable, Equatable {
  /// The format written; any other format is ignored.
  static let format: Int64 = 1
  /// The maximum size of a file in bytes; a larger one was not written by vmx.
  private static let maxBytes: Int64 = 256 << 20

  /// The digest of the last bytes, which do not fill a segment yet.
  package struct Tail: Sendable, Equatable {
    /// The offset after the last of them; the first one is at the start of their segment.
    package let end: Int64
    /// The SHA-256 of the bytes from the start of the segment.
    package let sha256: Digest

    /// Creates the digest of the last bytes.
    package init(end: Int64, sha256: Digest) {
      self.end = end
      self.sha256 = sha256
    }

    /// The bytes that it covers.
    package var range: ByteRange { ByteRange(end / SegmentMap.size * SegmentMap.size..<end) }
  }

  /// The rolling digest of a run of bytes within a segment.
  package struct Rolling: Sendable, Equatable {
    /// The offset after the last of them.
    package let end: Int64
    /// The value of the digest.
    package let hash: UInt64

    /// Creates the digest of a run.
    package init(end: Int64, hash: UInt64) {
      self.end = end
      self.hash = hash
    }
  }

  /// The episode that the part belongs to.
  package internal(set) var episode: EpisodeID
  /// The part's name within the episode.
  package internal(set) var part: String
  /// The `StableHash` of the source's URL, because the URL may contain tokens.
  package var source: UInt64
  /// The source's URL as shown in messages.
  package var url: String
  /// The last URL after all redirects, as shown in messages.
  package var finalURL: String
  /// The version of the bytes held.
  package var version: SourceVersion
  /// The bytes held.
  package var completedRanges: ByteRangeSet
  /// The digests of complete segments by index.
  package var segments: [Int: Digest]
  /// The digest of the last bytes held, if the process had the time to compute one.
  package var tail: Tail?
  /// The rolling digests of the bytes after the last complete segments, by the offset of their
  /// first byte; empty in data of older versions.
  package var rolling: [Int64: Rolling] = [:]
  /// The id of the boot in which it was written.
  package var boot: String
  /// Whether bytes were joined because of a matching overlap alone.
  package var isProbed: Bool
  /// Whether another program wrote the bytes. No validator is accepted for them, only a matching
  /// overlap.
  package var isForeign = false

  /// Creates resume data.
  ///
  /// - Parameters:
  ///   - source: the `StableHash` of the source's URL.
  ///   - url: the URL as shown in messages.
  ///   - boot: the id of the boot in which the bytes were written.
  package init(
    episode: EpisodeID, part: String, source: UInt64, url: String, finalURL: String,
    version: SourceVersion, completedRanges: ByteRangeSet, segments: [Int: Digest],
    tail: Tail? = nil,
    rolling: [Int64: Rolling] = [:], boot: String, isProbed: Bool
  ) {
    self.episode = episode
    self.part = part
    self.source = source
    self.url = url
    self.finalURL = finalURL
    self.version = version
    self.completedRanges = completedRanges
    self.segments = segments
    self.tail = tail
    self.rolling = rolling
    self.boot = boot
    self.isProbed = isProbed
  }

  /// The size of the complete file in bytes, once known.
  package var total: Int64? { version.total }

  /// Reads resume data.
  ///
  /// - Returns: nil if there are none, or only unusable ones.
  /// - Throws: `FileError` if the file exists and cannot be read.
  package static func load(_ path: FilePath) throws(FileError) -> ResumeData? {
    guard let bytes = try bytes(of: path) else { return nil }
    return ResumeData(reading: bytes)
  }

  /// Reads a file; nil if there is none, or one not written by vmx.
  private static func bytes(of path: FilePath) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      let file = try OpenFile(path, .readOnly)
      let facts = try file.facts()
      guard facts.size <= maxBytes else { return nil }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(facts.size), alignment: 1)
      defer { buffer.deallocate() }
      let count = try file.read(into: buffer, at: 0)
      return Array(buffer.prefix(count))
    } catch {
      if case .notRegular = error { return nil }
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  /// The bytes that may still exist: no more than the file has, and without a digest only those
  /// written in this boot.
  package func trustedRanges(fileSize: Int64, boot: String) -> ByteRangeSet {
    var believed = completedRanges
    believed.remove(ByteRange(fileSize..<Int64.max))
    guard self.boot != boot else { return believed }
    var unproven = believed
    for index in segments.keys { unproven.remove(SegmentMap.range(index)) }
    if let tail { unproven.remove(tail.range) }
    for range in unproven.ranges { believed.remove(range) }
    return believed
  }
}
