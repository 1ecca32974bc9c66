package import VmxModel
import VmxStore
package import VmxSystem

// A sidecar is untrusted input: the disk may have been connected to any computer. The record takes
// titles, numbers, marks and sources from it, and the sizes and digests of the parts.
//
// It takes neither file paths nor states, nor the reference to a source's password. A file becomes
// part of the library only if it has the recorded digest.

/// An episode record that the store has lost, read from the sidecar beside its media.
package struct RecoverableRecord: Sendable {
  /// A file that the episode had.
  package struct Expected: Sendable {
    /// The name of the part.
    package let part: String
    /// Its unverified path relative to the root, which may leave the root; nil if none was
    /// recorded.
    package let path: String?
    /// Its size in bytes.
    package let size: ByteCount
    /// The digest of the whole file.
    package let sha256: Digest

    /// Creates a file that an episode had.
    package init(part: String, path: String?, size: ByteCount, sha256: Digest) {
      self.part = part
      self.path = path
      self.size = size
      self.sha256 = sha256
    }
  }

  /// The episode, without files.
  package let episode: Episode
  /// The files that the episode had, with their digests.
  package let expected: [Expected]
  /// The time at which its video last became ready; nil if it was not ready.
  private let readyAt: Timestamp?

  /// Reads the sidecar of an episode in a root. Returns nil if it is invalid, or if its episode is
  /// not the one in its file name.
  ///
  /// - Throws: `FileError`.
  package init?(of id: EpisodeID, in root: MediaRoot) throws(FileError) {
    guard let read = try Sidecar(of: id, below: root.folder).episode(id) else { return nil }
    expected = read.parts.compactMap { part in
      guard let size = part.size, let sha256 = part.sha256 else { return nil }
      return Expected(part: part.name, path: part.path, size: size, sha256: sha256)
    }
    readyAt = read.publishedVideo.flatMap { video in
      read.trail.last { $0.part == video.name && $0.to == .ready }?.at
    }
    episode = Self.stripped(read)
  }

  /// Returns an episode as it is read beside the media, without files, states, passwords and
  /// unknown fields.
  package static func stripped(_ read: Episode) -> Episode {
    var episode = read
    episode.rev = 0
    episode.trail = []
    episode.extra = JSONObject()
    episode.place = nil
    episode.removal = nil
    episode.want = read.want == .gone ? .none : read.want
    episode.parts = read.parts.map { $0.stripped }
    return episode
  }

  /// Whether its video became ready after a stored episode was removed, as after a home was
  /// restored from a backup of the days between. The later of a removal and a request holds.
  ///
  /// - Parameter now: the current time; a time that is ahead of it was written by a wrong clock.
  package func isNewer(thanRemovalOf known: Episode, now: Timestamp) -> Bool {
    guard let readyAt, let removal = known.removal, known.id == episode.id, !known.isRequested,
      known.parts.allSatisfy({ $0.path == nil })
    else { return false }
    return removal.at < readyAt && !TrustedClock.isAhead(readyAt, of: now)
  }

  /// Whether it describes the bytes of a stored episode whose own video cannot be reached or was
  /// lost with its root, as after a home was restored from before its disk died and a bundle was
  /// imported to another one.
  ///
  /// - Throws: errors of the file system and the store.
  package func replaces(unreachableVideoOf known: Episode, on mediaRoots: MediaRoots) throws -> Bool
  {
    guard known.id == episode.id, let video = known.parts.first(where: { $0.role == .video }),
      try video.isMissing && video.path == nil
        || video.state == .ready && mediaRoots.isOutOfReach(video)
    else { return false }
    return expected.contains { $0.part == video.name && $0.sha256 == video.sha256 }
  }

  /// Returns the episode with the files that were found.
  ///
  /// - Parameter known: the episode of the store that gets the files, since it was removed or its
  ///   video cannot be reached; nil if the store has no record of it.
  /// - Returns: nil if the video was not found.
  package func episode(
    holding files: [String: PathBytes], of known: Episode? = nil, root: String, now: Timestamp
  ) -> Episode? {
    var episode = episode
    if var present = known {
      present.parts += episode.parts.filter { part in
        !present.parts.contains { $0.name == part.name }
      }
      if present.removal != nil { (present.want, present.removal) = (episode.want, nil) }
      episode = present
    }
    for index in episode.parts.indices {
      let name = episode.parts[index].name
      guard let path = files[name]?.text, let known = expected.first(where: { $0.part == name })
      else { continue }
      let before = episode.parts[index].state
      episode.parts[index].state = .ready
      episode.parts[index].root = root
      episode.parts[index].path = path
      episode.parts[index].size = known.size
      episode.parts[index].sha256 = known.sha256
      episode.parts[index].proof = .length
      episode.parts[index].verifiedAt = now
      episode.appendTransition(Transition(at: now, part: name, from: before, to: .ready))
    }
    guard episode.parts.contains(where: { $0.role == .video && $0.state == .ready }) else {
      return nil
    }
    // A part without a file and without a source is dropped.
    episode.parts.removeAll { $0.state != .ready && $0.variants.isEmpty }
    return episode
  }
}

extension Sidecar {
  /// Returns the episode that the sidecar describes; nil if it is invalid or of another episode.
  func episode(_ id: EpisodeID) -> Episode? {
    guard let record = record(of: id) else { return nil }
    do {
      return try Episode(record: record, id: id, rev: 0)
    } catch {
      // An invalid sidecar counts as no information, whatever the error is.
      return nil
    }
  }
}

extension Part {
  /// The part without its files, with only the URLs of its HTTP and HTTPS sources.
  fileprivate var stripped: Part {
    var part = Part(partName, variants: variants)
    part.isRequired = isRequired
    part.chosen = chosen
    for index in part.variants.indices {
      part.variants[index].extra = JSONObject()
      part.variants[index].sources = part.variants[index].sources
        .filter { source in ["http://", "https://"].contains { source.url.hasPrefix($0) } }
        .map { source in
          var kept = Source(url: source.url)
          kept.isForeign = source.isForeign
          return kept
        }
    }
    part.variants.removeAll { $0.sources.isEmpty }
    return part
  }
}
