import Synchronization
package import SystemPackage
import VmxDigest
import VmxModel
package import VmxSystem

// A picture that was only looked at, in the cache of a catalogue, is as good as one that was fetched.
// The cache may lose it at any time, so each is copied when the plan is made: the bundle has what its
// manifest lists. An import finds it as the file of its part, so the next export has the same bytes.

/// The pictures of a catalogue that a bundle has for episodes whose image the library does not have.
package final class BundlePictures: Sendable {
  /// A picture in the copy.
  private struct Picture {
    let name: String
    let range: Range<Int>
    let sha256: Digest
  }

  private struct State {
    let copy: SpooledText
    /// The pictures that were looked up, by the hash of their address, as the cache names them.
    var known: [UInt64: Picture] = [:]
    /// The addresses of which there was none, so that one that comes later changes nothing.
    var missing: Set<UInt64> = []
    /// The places of the pictures by their digests.
    var ranges: [Digest: Range<Int>] = [:]
  }

  private let cache: ImageCache
  private let state: Mutex<State>

  /// Creates the pictures of a cache.
  ///
  /// - Parameter scratch: the folder of the copy, which has no name there.
  package init(_ cache: ImageCache, scratch: FilePath) {
    self.cache = cache
    state = Mutex(State(copy: SpooledText(in: scratch)))
  }

  /// Returns an episode with the cached pictures as the files of its images that the library does not
  /// have; such a part is ready and has no root. For one episode it is the same each time.
  ///
  /// - Throws: `disk-full`, errors of the file system.
  func completed(_ episode: Episode?, _ content: BundleContent) throws -> Episode? {
    guard var episode, BundleContent.isPackable(episode) else { return episode }
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

  /// Returns the bytes of a picture; nil if there is none with the digest.
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
        // A digest of the publisher names the bytes; others are not those of the part.
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

  /// Returns the file name and the bytes of a picture. One that cannot be read is none, as if the cache
  /// were empty.
  private func read(_ url: String) -> (name: String, bytes: [UInt8])? {
    do throws(FileError) {
      guard let file = try cache.file(of: url),
        let bytes = try readFile(file, limit: ImageCache.largestImage)
      else { return nil }
      return (file.lastComponent?.string ?? "", bytes)
    } catch {
      return nil
    }
  }
}
