package import SystemPackage
package import VmxModel
package import VmxSystem

// What stands in `.part.json`, so that a later process goes on where one ended.
//
// The file is a JSON text of one line, replaced atomically, followed by short lines that are only
// ever appended: each names the ranges held from then on and the segments completed since. So a
// checkpoint every 128 KiB costs a write of some bytes, and not the rename that would double the
// time of a fast transfer. A line that cannot be read ends it: what comes after was never held.
//
// Digests are believed, sizes never: what has no digest yet is believed within the boot in which
// it was written, because only a power cut, not a killed process, can lose it. Where the version
// changes, the file is removed before the first byte of the new version is written.

/// How far one part has come, and of which version of which source.
package struct ResumeData: Sendable, Equatable {
  /// The format written; any other is taken for no resume data at all.
  static let format: Int64 = 1

  /// The digest of bytes that do not fill a segment yet.
  struct Tail: Sendable, Equatable {
    /// Offset after the last of them; the first is where their segment begins.
    let end: Int64
    let sha256: Digest
  }

  /// The episode that the part belongs to.
  package let episode: EpisodeID
  /// The part's name within the episode.
  package let part: String
  /// `StableHash` of the source's URL, which itself may hold tokens.
  var source: UInt64
  /// The source's URL as shown in messages.
  var url: String
  /// Where its redirects led last, as shown in messages.
  var finalURL: String
  /// The version of the bytes held.
  var version: SourceVersion
  /// The bytes held.
  package internal(set) var held: ByteRangeSet
  /// Digests of whole segments by index.
  var segments: [Int: Digest]
  /// Digest of the last bytes held, where the process had the time to make one.
  var tail: Tail?
  /// The boot in which it was written.
  var boot: String
  /// Whether bytes were joined on the word of an overlap alone.
  var isProbed: Bool

  /// Bytes of the whole, once known.
  package var total: Int64? { version.total }

  /// Reads resume data.
  ///
  /// - Returns: nil if there are none, or none that can be used.
  /// - Throws: `FileError` if the file is there and cannot be read.
  package static func load(_ path: FilePath) throws(FileError) -> ResumeData? {
    guard let bytes = try ResumeFile.bytes(of: path) else { return nil }
    return ResumeData(reading: bytes)
  }

  /// Bytes of a part that a resumed fetch need not fetch again, as far as can be told without
  /// reading them; 0 if there is no use in what is held.
  ///
  /// - Parameter urls: of the sources that the part is fetched from.
  /// - Throws: `FileError` if a file is there and cannot be read.
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

  /// Whether it is the resume data of a part, and of a file that comes from one of the URLs: what
  /// was fetched from any other place is another file, however much alike the two are.
  func isOf(_ part: String, of episode: EpisodeID, urls: [String]) -> Bool {
    self.episode == episode && self.part == part
      && urls.contains { RequestURL($0).map { StableHash.of($0.text) } == source }
  }

  /// The bytes that may still be there: no more than the file has, and of those without a digest
  /// only what was written in this boot.
  func believed(fileSize: Int64, boot: String) -> ByteRangeSet {
    var believed = held
    believed.remove(ByteRange(fileSize..<Int64.max))
    guard self.boot != boot else { return believed }
    var unproven = believed
    for index in segments.keys { unproven.remove(SegmentMap.range(index)) }
    if let tail { unproven.remove(SegmentMap.range(of: tail)) }
    for range in unproven.ranges { believed.remove(range) }
    return believed
  }
}

/// Where segments lie.
enum SegmentMap {
  /// Bytes in every segment but the last.
  static let size: Int64 = 4 << 20

  /// The bytes of a whole segment.
  static func range(_ index: Int) -> ByteRange {
    ByteRange(Int64(index) * size..<Int64(index + 1) * size)
  }

  /// The bytes of a tail.
  static func range(of tail: ResumeData.Tail) -> ByteRange {
    ByteRange((tail.end / size) * size..<tail.end)
  }
}
