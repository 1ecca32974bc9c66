import SystemPackage
import VmxJSON
import VmxJobs
import VmxModel
import VmxSystem

// What a sidecar says comes from outside: the disk may have been anywhere. Titles, numbers, marks
// and sources are taken over, and what bytes a part had; where its files are, in which state, and
// by which password a source is asked is not. A file becomes part of the library only by having
// the digest.

/// The record of an episode that the store has lost, as the sidecar beside its media has it.
struct LostRecord {
  /// Bytes of a sidecar that are read.
  private static let longest: Int64 = 64 << 20

  /// A file that the episode had.
  struct Expected: Sendable {
    let part: String
    let path: String?
    let size: ByteCount
    let sha256: Digest
  }

  /// The episode without any file.
  let episode: Episode
  /// The files that it had, by their digests.
  let expected: [Expected]

  /// Reads a sidecar; nil for one that is none, or of another episode than its name says.
  ///
  /// - Throws: `FileError`.
  init?(_ path: FilePath, of id: EpisodeID) throws(FileError) {
    let file = try OpenFile(path, .readOnly)
    let size = try file.facts().size
    guard size <= Self.longest else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let outcome = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in try file.read(into: buffer, at: 0) }
    }
    bytes = Array(bytes.prefix(try outcome.get()))
    guard let read = Self.episode(bytes, id) else { return nil }
    expected = read.parts.compactMap { part in
      guard let size = part.size, let sha256 = part.sha256 else { return nil }
      return Expected(part: part.name, path: part.path, size: size, sha256: sha256)
    }
    var episode = read
    episode.rev = 0
    episode.trail = []
    episode.extra = JSONObject()
    episode.place = nil
    episode.want = read.want == .gone ? .none : read.want
    episode.parts = read.parts.map { $0.stripped }
    self.episode = episode
  }

  /// The episode with the files that were found.
  ///
  /// - Returns: nil without its video.
  func episode(holding files: [String: PathBytes], root: String, now: Timestamp) -> Episode? {
    var episode = episode
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
      episode.parts[index].proven = now
      episode.remember(Transition(at: now, part: name, from: before, to: .ready))
    }
    guard episode.parts.contains(where: { $0.role == .video && $0.state == .ready }) else {
      return nil
    }
    // What is neither here nor anywhere to be had is no part.
    episode.parts.removeAll { $0.state != .ready && $0.variants.isEmpty }
    return episode
  }

  private static func episode(_ bytes: [UInt8], _ id: EpisodeID) -> Episode? {
    do {
      let object = try JSONParser().parse(bytes).object
      guard object?["id"]?.string == id.description, let record = object?["record"]?.object else {
        return nil
      }
      return try Episode(record: record, id: id, rev: 0)
    } catch {
      // Whatever is wrong with it, it tells nothing.
      return nil
    }
  }
}

extension Part {
  /// The part as if nothing of it were here, and only sources that anybody may ask.
  fileprivate var stripped: Part {
    var part = Part(role: role, language: language, variants: variants)
    part.isForced = isForced
    part.isSDH = isSDH
    part.isRequired = isRequired
    part.chosen = chosen
    for index in part.variants.indices {
      part.variants[index].extra = JSONObject()
      part.variants[index].sources = part.variants[index].sources
        .filter { source in ["http://", "https://"].contains { source.url.hasPrefix($0) } }
        .map { Source(url: $0.url) }
    }
    part.variants.removeAll { $0.sources.isEmpty }
    return part
  }
}
