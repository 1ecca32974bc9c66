package import SystemPackage
package import VmxModel
import VmxJSON
package import VmxSystem

// A cached answer is a file of its own, named by the hash of its URL: a line of JSON with URL and time,
// then the bytes as received. Files are replaced atomically, so any number of processes share the
// folder, and any of them may be deleted at any time. Nothing is flushed: a torn file after a power cut
// has no valid content, and is fetched again.

/// The answers of catalogues on disk, with the time of their arrival.
///
///     let cache = AnswerCache(folder: cacheHome.appending("catalogue"))
///     try cache.keep(bytes, of: url, at: clock.now)
///     let answer = cache.answer(of: url)
package struct AnswerCache: Sendable {
  /// An answer as it was received.
  package struct Answer: Sendable, Equatable {
    /// The bytes, without any content coding.
    package private(set) var bytes: [UInt8]
    /// The time of its arrival.
    package let received: Timestamp

    /// Gives away the bytes, so that there is no other reference to them.
    mutating func takeBytes() -> [UInt8] {
      let taken = bytes
      bytes = []
      return taken
    }
  }

  /// The most bytes of all files together by default, 64 MiB.
  package static let usualCapacity = ByteCount(clamping: 64 << 20)
  /// The most bytes of one answer.
  package static let largestAnswer = ByteCount(clamping: 32 << 20)
  private static let longestHead = 64 << 10

  private let folder: CacheFolder

  /// Uses a folder, which is created by the first answer that is kept.
  ///
  /// - Parameter capacity: the most bytes of all files; the oldest ones are removed first.
  package init(folder: FilePath, capacity: ByteCount = usualCapacity) {
    self.folder = CacheFolder(path: folder, capacity: capacity)
  }

  /// Returns the answer of a URL; nil if there is none that can be read.
  package func answer(of url: String) -> Answer? {
    do throws(FileError) {
      let limit = ByteCount(clamping: Self.largestAnswer.bytes + Int64(Self.longestHead))
      guard var file = try readFile(path(of: url), limit: limit),
        let end = file.prefix(Self.longestHead).firstIndex(of: UInt8(ascii: "\n"))
      else { return nil }
      guard let received = Self.received(file[..<end], of: url) else { return nil }
      // In place: an answer may have tens of megabytes.
      file.removeSubrange(...end)
      return Answer(bytes: file, received: received)
    } catch {
      // An unreadable answer is fetched again, and replaced then.
      return nil
    }
  }

  private static func received(_ head: ArraySlice<UInt8>, of url: String) -> Timestamp? {
    do throws(JSONSyntaxError) {
      let head = try JSONParser().parse(Array(head)).object
      // Two URLs may have one hash.
      guard head?["url"]?.string == url else { return nil }
      return head?["at"]?.string.flatMap { Timestamp($0) }
    } catch {
      return nil
    }
  }

  /// Keeps the answer of a URL in place of an earlier one, and removes the oldest files beyond the
  /// capacity.
  ///
  /// - Throws: `FileError`; the earlier answer stays.
  package func keep(_ bytes: [UInt8], of url: String, at time: Timestamp) throws(FileError) {
    guard bytes.count <= Self.largestAnswer.bytes else { return }
    var file: [UInt8] = []
    JSONWriter.append(
      JSONObject(distinct: [("url", .string(url)), ("at", .string(time.text))]), to: &file)
    guard file.count < Self.longestHead else { return }
    file.append(UInt8(ascii: "\n"))
    file += bytes
    try folder.keep(file, as: Self.name(of: url))
  }

  /// Removes the answer of a URL, one that turned out to be unreadable.
  ///
  /// - Throws: `FileError`, except if there is none.
  package func forget(_ url: String) throws(FileError) {
    try folder.remove(path(of: url))
  }

  private func path(of url: String) -> FilePath { folder.path.appending(Self.name(of: url)) }

  private static func name(of url: String) -> String {
    "\(Hex.text(of: StableHash.of(url))).answer"
  }
}
