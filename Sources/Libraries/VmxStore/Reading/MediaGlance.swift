import VmxJSON
package import VmxModel

/// What the record of an episode says of its files, and no more: enough to compare a library with
/// its disks without building a hundred thousand episodes.
///
/// A line that is damaged in a field that is none of these counts here, though no episode can be
/// made of it.
package struct MediaGlance: Sendable, Equatable {
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

  /// Reads it from the line of an episode; nil for a line that is none or removes it.
  init?(_ line: JSONTape) {
    var fields = Fields()
    line.forEachField { key, value in
      fields.take(key, value)
      return true
    }
    guard fields.isEpisode, !fields.deletes,
      let id = fields.id?.string.flatMap({ EpisodeID(valid: $0) })
    else { return nil }
    self.id = id
    rev = fields.seq?.integer ?? 0
    want = fields.want?.string.flatMap { Want(rawValue: $0) } ?? .fetch
    isKept = fields.keep?.bool ?? false
    isWatched = fields.watched?.bool ?? false
    expires = fields.expires?.string.flatMap { Timestamp($0) }
    var parts: [MediaPart] = []
    fields.parts?.forEachElement { part in
      if part.isObject { parts.append(MediaPart(part)) }
      return true
    }
    self.parts = parts
  }

  private struct Fields {
    var isEpisode = false
    var deletes = false
    var id: JSONTape?
    var seq: JSONTape?
    var want: JSONTape?
    var keep: JSONTape?
    var watched: JSONTape?
    var expires: JSONTape?
    var parts: JSONTape?

    @inline(__always)
    mutating func take(_ key: JSONTape, _ value: JSONTape) {
      switch key.utf8?.count {
      case 2: if key.equals("id") { id = value }
      case 3: if key.equals("seq") { seq = value }
      case 4:
        if key.equals("kind") { isEpisode = value.equals("episode") }
        if key.equals("want") { want = value }
        if key.equals("keep") { keep = value }
      case 5: if key.equals("parts") { parts = value }
      case 7:
        if key.equals("watched") { watched = value }
        if key.equals("expires") { expires = value }
        if key.equals("deleted") { deletes = value.bool ?? false }
      default: break
      }
    }
  }
}

extension StoreSnapshot {
  /// Calls the body with what each episode says of its files, in the order in which they were
  /// added, until it gives false; much cheaper than the episodes themselves.
  ///
  /// Lines are read on all cores; the body runs on the calling thread.
  ///
  /// - Parameters:
  ///   - first: how many episodes are passed over before the first.
  ///   - sieve: gives, of what was read together, what the body is to have; runs on any thread.
  /// - Throws: what the body throws.
  package func mediaGlances(
    from first: Int = 0, through sieve: (@Sendable ([MediaGlance]) -> [MediaGlance])? = nil,
    _ body: (MediaGlance) throws -> Bool
  ) rethrows {
    guard let image else { return }
    let index = index(of: image)
    let places = index.places { $0.marks.contains(.episode) }.dropFirst(first)
    let size = 2048
    try OrderedWork.run(pieces: (places.count + size - 1) / size) { number, parser in
      let reader = RecordReader(image: image, parser: parser)
      let glances = places.dropFirst(number * size).prefix(size).compactMap { place in
        Self.mediaGlance(at: index[Int(place)], reader)
      }
      return sieve?(glances) ?? glances
    } take: { (glances: [MediaGlance]) in
      for glance in glances where try !body(glance) { return false }
      return true
    }
  }

  private static func mediaGlance(at entry: IndexEntry, _ reader: RecordReader) -> MediaGlance? {
    let image = reader.image
    guard entry.marks.contains(.hasEarlier) else {
      return image.withTape(of: image.line(at: entry.offset), at: entry.offset, reader.parser) {
        MediaGlance($0)
      }
    }
    guard let key = LineKey.at(entry.offset, of: image, reader.parser) else { return nil }
    return reader.read(key, at: entry.offset, hasEarlier: true) { line, _ in MediaGlance(line) }?
      .value
  }
}

extension StoreSnapshot {
  /// What one episode says of its files; nil if there is none of this id, aliases not followed.
  package func mediaGlance(of id: EpisodeID) -> MediaGlance? {
    let key = RecordKey(kind: .episode, id: id.description)
    return found(key) { line, _ in MediaGlance(line) }?.value
  }
}
