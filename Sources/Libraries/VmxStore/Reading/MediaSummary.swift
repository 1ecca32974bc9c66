import VmxJSON
package import VmxModel

/// The recorded facts about the files of an episode, cheap enough to compare a library with its
/// disks without decoding a hundred thousand episodes.
///
/// A line that is damaged in another field still counts here, though it cannot be decoded as an
/// episode.
package struct MediaSummary: Sendable, Equatable {
  /// The episode.
  package let id: EpisodeID
  /// The sequence number (`seq`) of its line.
  package let rev: Int64
  /// The action that the user asked for.
  package let want: Want
  /// Whether the user marked it to be kept.
  package let isKept: Bool
  /// Whether the user marked it as watched.
  package let isWatched: Bool
  /// The time after which it may no longer be watched.
  package let expires: Timestamp?
  /// The parts, in their order.
  package let parts: [MediaPart]

  /// Copies the facts of a decoded episode.
  package init(_ episode: Episode) {
    id = episode.id
    rev = episode.rev
    want = episode.want
    isKept = episode.isKept
    isWatched = episode.isWatched
    expires = episode.expires
    parts = episode.parts.map { MediaPart($0) }
  }

  /// Copies it out of the line of an episode; nil if a part in it is damaged.
  init?(_ outline: MediaFields) {
    guard let id = EpisodeID(valid: String(decoding: outline.id, as: UTF8.self)) else { return nil }
    self.id = id
    rev = outline.seq?.integer ?? 0
    want = outline.want?.string.flatMap { Want(rawValue: $0) } ?? .fetch
    isKept = outline.keep?.bool ?? false
    isWatched = outline.watched?.bool ?? false
    expires = outline.expires?.string.flatMap { Timestamp($0) }
    var parts: [MediaPart] = []
    var isSound = true
    outline.forEachPart { part in
      isSound = part.isSound
      if isSound { parts.append(MediaPart(part)) }
      return isSound
    }
    guard isSound else { return nil }
    self.parts = parts
  }

  /// Reads the facts from a line; nil if the line is not of an episode or removes it.
  init?(_ line: JSONTape) {
    guard let outline = MediaFields(line) else { return nil }
    self.init(outline)
  }
}

/// Makes a function that decides whether an episode is skipped. One function serves the episodes
/// that one thread reads together.
package typealias SkipFilter = @Sendable () -> (MediaFields) -> Bool

extension StoreSnapshot {
  /// Calls the body with the facts about the files of each episode, in the order in which they were
  /// added, until the body returns false. It is much cheaper than decoding the episodes.
  ///
  /// Lines are read on all cores; the body runs on the calling thread.
  ///
  /// - Parameters:
  ///   - first: the number of episodes to skip at the start.
  ///   - sieve: skips episodes before anything is copied from their lines.
  /// - Throws: the errors of the body.
  package func mediaGlances(
    from first: Int = 0, through skipFilter: SkipFilter? = nil,
    _ body: (MediaSummary) throws -> Bool
  ) rethrows {
    guard let image else { return }
    let index = index(of: image)
    let places = index.places { $0.marks.contains(.episode) }.dropFirst(first)
    let size = 2048
    try OrderedWork.run(pieces: (places.count + size - 1) / size) { number, parser in
      let reader = RecordReader(image: image, parser: parser)
      let passesOver = skipFilter?()
      return places.dropFirst(number * size).prefix(size).compactMap { place in
        Self.mediaGlance(at: index[Int(place)], reader, unless: passesOver)
      }
    } take: { (glances: [MediaSummary]) in
      for summary in glances where try !body(summary) { return false }
      return true
    }
  }

  private static func mediaGlance(
    at entry: IndexEntry, _ reader: RecordReader, unless passesOver: ((MediaFields) -> Bool)?
  ) -> MediaSummary? {
    let image = reader.image
    let copy = { (line: JSONTape) -> MediaSummary?? in
      guard let outline = MediaFields(line) else { return nil }
      if let passesOver, passesOver(outline) { return .some(nil) }
      return MediaSummary(outline)
    }
    guard entry.marks.contains(.hasEarlier) else {
      return image.withTape(of: image.line(at: entry.offset), at: entry.offset, reader.parser, copy)
        ?? nil
    }
    guard let key = LineKey.at(entry.offset, of: image, reader.parser) else { return nil }
    return reader.read(key, at: entry.offset, hasEarlier: true) { line, _ in copy(line) }?.value
      ?? nil
  }
}

extension StoreSnapshot {
  /// Returns the facts about the files of one episode; nil if no episode has this id. Aliases are
  /// not followed.
  package func mediaGlance(of id: EpisodeID) -> MediaSummary? {
    let key = RecordKey(kind: .episode, id: id.description)
    return found(key) { line, _ in MediaSummary(line) }?.value
  }
}
