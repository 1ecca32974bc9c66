import Synchronization
package import SystemPackage
import VmxDigest
import VmxModel
package import VmxSystem

// A picture in the image cache of a catalogue is as useful as one that was fetched. The cache may
// evict it at any time. So each picture is copied when the plan is made, and the bundle holds what
// its manifest lists. An import stores it as the file of its part, so the next export writes the
// same bytes.

/// The cached catalogue pictures that a bundle holds for episodes whose image is not in the
/// library.
package final class BundlePictures: Sendable {
  /// A picture in the spooled copy.
  private struct Picture {
    let name: String
    let range: Range<Int>
    let sha256: Digest
  }

  private struct State {
    let copy: SpooledText
    /// The pictures found so far, by the hash of their URL, which is also their name in the cache.
    var known: [UInt64: Picture] = [:]
    /// The hashes of URLs without a cached picture. A picture that is cached later does not change
    /// the plan.
    var missing: Set<UInt64> = []
    /// The byte ranges of the pictures in `copy`, by their digests.
    var ranges: [Digest: Range<Int>] = [:]
  }

  private let cache: ImageCache
  private let state: Mutex<State>

  /// Creates the pictures of a cache.
  ///
  /// - Parameter scratch: the folder of the unnamed temporary file that holds the copy.
  package init(_ cache: ImageCache, scratch: FilePath) {
    self.cache = cache
    state = Mutex(State(copy: SpooledText(in: scratch)))
  }

  /// Returns an episode in which cached pictures replace missing image files. Such a part is ready
  /// and has no root. Each call for the same episode returns the same pictures.
  ///
  /// - Throws: `disk-full`, errors of the file system.
  func completed(_ episode: Episode?, _ content: BundleContent) throws -> Episode? {
    guard var episode, BundleContent.hasFile(episode) else { return episode }
    for index in episode.parts.indices {
      let part = episode.parts[index]
      guard part.role == .image, part.path == nil, part.state != .removed, content.includes(part),
        let picture = try picture(of: part)
      else { continue }
      episode.parts[index].state = .ready
      episode.parts[index].path = picture.name
      episode.parts[index].size = ByteCount(clamping: Int64(picture.range.count))
      episode.parts[index].sha256 = picture.sha256
    }
    return episode
  }

  /// Returns the bytes of the picture with this digest; nil if there is none.
  ///
  /// - Throws: errors of reading.
  func bytes(of sha256: Digest) throws -> [UInt8]? {
    try state.withLock { state in
      try state.ranges[sha256].map { try state.copy.bytes($0) }
    }
  }

  private func picture(of part: Part) throws -> Picture? {
    let published = part.variant?.sha256
    return try state.withLock { state in
      for url in part.urls {
        let key = StableHash.of(url)
        if state.missing.contains(key) { continue }
        guard let picture = try state.known[key] ?? copied(url, &state) else {
          state.missing.insert(key)
          continue
        }
        state.known[key] = picture
        // If the publisher gives a digest, only a picture with this digest belongs to the part.
        if published == nil || published == picture.sha256 { return picture }
      }
      return nil
    }
  }

  private func copied(_ url: String, _ state: inout State) throws -> Picture? {
    guard let (name, bytes) = read(url) else { return nil }
    let sha256 = DigestHasher.sha256(of: bytes)
    var range = state.copy.count..<state.copy.count + bytes.count
    if let known = state.ranges[sha256] {
      range = known
    } else {
      try bytes.withUnsafeBytes { try state.copy.append($0) }
      state.ranges[sha256] = range
    }
    return Picture(name: name, range: range, sha256: sha256)
  }

  /// Returns the file name and the bytes of a picture; nil if it is not cached or cannot be read.
  private func read(_ url: String) -> (name: String, bytes: [UInt8])? {
    do throws(FileError) {
      guard let file = try cache.file(of: url),
        let bytes = try readFile(file, limit: ImageCache.maxImageSize)
      else { return nil }
      return (file.lastComponent?.string ?? "", bytes)
    } catch {
      return nil
    }
  }
}
