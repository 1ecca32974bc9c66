import VmxJSON
package import VmxModel

/// What the record of an episode says of its files, and no more: enough to compare a library with
/// its disks without building a hundred thousand episodes.
///
/// A line that is damaged in a field that is none of these counts here, though no episode can be
/// made of it.
package struct MediaSummary: Sendable, Equatable {
  /// The episode.
  package let id: EpisodeID
  /// `seq` of its line.
  package let rev: Int64
  /// What the person asked for.
  package let want: Want
  /// Marked to be kept.
  package let isKept: Bool
  /// Marked as watched.
  package let isWatched: Bool
  /// When it may no longer be watched.
  package let expires: Timestamp?
  /// Its parts, in their order.
  package let parts: [MediaPart]

  /// The same of a whole episode.
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

  /// Reads it from the line of an episode; nil for a line that is none or removes it.
  init?(_ line: JSONTape) {
    guard let outline = MediaFields(line) else { return nil }
    self.init(outline)
  }
}

/// Makes, for episodes that are read together on one thread, what says of each of them whether it is
/// passed over.
package typealias SkipFilter = @Sendable () -> (MediaFields) -> Bool

extension StoreSnapshot {
  /// Calls the body with what each episode says of its files, in the order in which they were
  /// added, until it gives false; much cheaper than the episodes themselves.
  ///
  /// Lines are read on all cores; the body runs on the calling thread.
  ///
  /// - Parameters:
  ///   - first: how many episodes are passed over before the first.
  ///   - sieve: passes over episodes before anything is copied out of their lines.
  /// - Throws: what the body throws.
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
  /// What one episode says of its files; nil if there is none of this id, aliases not followed.
  package func mediaGlance(of id: EpisodeID) -> MediaSummary? {
    let key = RecordKey(kind: .episode, id: id.description)
    return found(key) { line, _ in MediaSummary(line) }?.value
  }
}
