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
// written, if they have their rolling digest: a power loss can lose them, a killed process cannot.
// When the version changes, the file is removed before the first byte of the new version is written.

/// The progress of one part, and the version and source of its bytes.
package struct ResumeData: Sendable, Equatable {
  /// The format written; any other format is ignored.
  static let format: Int64 = 1
  /// The maximum size of a file in bytes; a larger one was not written by vmx.
  private static let largest: Int64 = 256 << 20

  /// The digest of the last bytes, which do not fill a segment yet.
  struct Tail: Sendable, Equatable {
    /// The offset after the last of them; the first one is at the start of their segment.
    let end: Int64
    let sha256: Digest

    /// The bytes that it covers.
    var range: ByteRange { ByteRange(end / SegmentMap.size * SegmentMap.size..<end) }
  }

  /// The rolling digest of a run of bytes within a segment.
  struct Rolling: Sendable, Equatable {
    /// The offset after the last of them.
    let end: Int64
    /// The value of the digest.
    let hash: UInt64
  }

  /// The episode that the part belongs to.
  package let episode: EpisodeID
  /// The part's name within the episode.
  package let part: String
  /// The `StableHash` of the source's URL, because the URL may contain tokens.
  var source: UInt64
  /// The source's URL as shown in messages.
  var url: String
  /// The last URL after all redirects, as shown in messages.
  var finalURL: String
  /// The version of the bytes held.
  var version: SourceVersion
  /// The bytes held.
  package internal(set) var held: ByteRangeSet
  /// The digests of complete segments by index.
  var segments: [Int: Digest]
  /// The digest of the last bytes held, if the process had the time to compute one.
  var tail: Tail?
  /// The rolling digests of the bytes behind the last complete segments, by the offset of their first
  /// byte; empty in data of older versions.
  var rolling: [Int64: Rolling] = [:]
  /// The id of the boot in which it was written.
  var boot: String
  /// Whether bytes were joined because of a matching overlap alone.
  var isProbed: Bool

  /// The size of the whole in bytes, once known.
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
      guard facts.size <= largest else { return nil }
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

  /// The number of bytes that a resumed fetch need not fetch again, estimated without reading them;
  /// 0 if the held bytes are unusable.
  ///
  /// - Parameter urls: the URLs of the part's sources.
  /// - Throws: `FileError` if a file exists and cannot be read.
  package static func heldBytes(
    partial: FilePath, resume: FilePath, episode: EpisodeID, part: String, urls: [String]
  ) throws(FileError) -> Int64 {
    guard let data = try load(resume), data.isOf(part, of: episode, urls: urls) else { return 0 }
    do throws(FileError) {
      let size = try OpenFile(partial, .readOnly).facts().size
      return data.believed(fileSize: size, boot: bootID()).count
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return 0
    }
  }

  /// Whether these are the resume data of this part, fetched from one of these URLs. Bytes from any
  /// other URL belong to another file, however similar.
  func isOf(_ part: String, of episode: EpisodeID, urls: [String]) -> Bool {
    self.episode == episode && self.part == part
      && urls.contains { RequestURL($0).map { StableHash.of($0.text) } == source }
  }

  /// The bytes that may still exist: no more than the file has, and without a digest only those
  /// written in this boot.
  func believed(fileSize: Int64, boot: String) -> ByteRangeSet {
    var believed = held
    believed.remove(ByteRange(fileSize..<Int64.max))
    guard self.boot != boot else { return believed }
    var unproven = believed
    for index in segments.keys { unproven.remove(SegmentMap.range(index)) }
    if let tail { unproven.remove(tail.range) }
    for range in unproven.ranges { believed.remove(range) }
    return believed
  }
}
