package import SystemPackage
import VmxJSON
package import VmxModel
package import VmxSystem

// Each cached response is a file named by the hash of its URL: one line of JSON with URL and time,
// then the received bytes. Files are replaced atomically, so any number of processes share the
// folder. Each file may be deleted at any time. Nothing is flushed: a torn file after a power
// failure has no valid content, and the response is fetched again.

/// A disk cache of catalogue responses with their time of receipt.
///
///     let cache = ResponseCache(folder: cacheHome.appending("catalogue"))
///     try cache.store(bytes, of: url, at: clock.now)
///     let cached = cache.response(of: url)
package struct ResponseCache: Sendable {
  /// A cached response.
  package struct CachedResponse: Sendable, Equatable {
    /// The bytes, without any content coding.
    package private(set) var bytes: [UInt8]
    /// The time of receipt.
    package let received: Timestamp

    /// Moves the bytes out, so that the caller holds the only reference.
    mutating func moveBytes() -> [UInt8] {
      let taken = bytes
      bytes = []
      return taken
    }
  }

  /// The default capacity of all files together, 64 MiB.
  package static let defaultCapacity = ByteCount(clamping: 64 << 20)
  /// The maximum size of a response.
  package static let maxResponseSize = ByteCount(clamping: 32 << 20)
  private static let maxHeaderBytes = 64 << 10

  private let folder: CacheFolder

  /// Creates a cache in a folder, which is created with the first stored response.
  ///
  /// - Parameter capacity: the maximum size of all files; the oldest ones are deleted first.
  package init(folder: FilePath, capacity: ByteCount = defaultCapacity) {
    self.folder = CacheFolder(path: folder, capacity: capacity)
  }

  /// Returns the cached response of a URL; nil if there is none or it is unreadable.
  package func response(of url: String) -> CachedResponse? {
    do throws(FileError) {
      let limit = ByteCount(clamping: Self.maxResponseSize.bytes + Int64(Self.maxHeaderBytes))
      guard var file = try readFile(path(of: url), limit: limit),
        let end = file.prefix(Self.maxHeaderBytes).firstIndex(of: UInt8(ascii: "\n"))
      else { return nil }
      guard let received = Self.received(file[..<end], of: url) else { return nil }
      // In place, because a response may have tens of megabytes.
      file.removeSubrange(...end)
      return CachedResponse(bytes: file, received: received)
    } catch {
      // An unreadable response is fetched again and replaced.
      return nil
    }
  }

  private static func received(_ head: ArraySlice<UInt8>, of url: String) -> Timestamp? {
    do throws(JSONSyntaxError) {
      let head = try JSONParser().parse(Array(head)).object
      // Two URLs may have the same hash.
      guard head?["url"]?.string == url else { return nil }
      return head?["at"]?.string.flatMap { Timestamp($0) }
    } catch {
      return nil
    }
  }

  /// Stores the response of a URL, replacing an earlier one, and deletes the oldest files beyond
  /// the capacity.
  ///
  /// - Throws: `FileError`; the earlier response stays.
  package func store(_ bytes: [UInt8], of url: String, at time: Timestamp) throws(FileError) {
    guard bytes.count <= Self.maxResponseSize.bytes else { return }
    var file: [UInt8] = []
    JSONWriter.append(
      JSONObject(distinct: [("url", .string(url)), ("at", .string(time.text))]), to: &file)
    guard file.count < Self.maxHeaderBytes else { return }
    file.append(UInt8(ascii: "\n"))
    file += bytes
    try folder.keep(file, as: Self.name(of: url))
  }

  private func path(of url: String) -> FilePath { folder.path.appending(Self.name(of: url)) }

  private static func name(of url: String) -> String {
    "\(Hex.text(of: StableHash.of(url))).answer"
  }
}
