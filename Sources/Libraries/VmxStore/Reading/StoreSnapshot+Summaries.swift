import VmxJSON
package import VmxModel

/// Makes a function that decides whether an episode is skipped. One function serves the episodes
/// that one thread reads together.
package typealias SkipFilter = @Sendable () -> (EpisodeSummary) -> Bool

extension StoreSnapshot {
  /// Calls the body with the summary of each episode, in the order in which they were added, until
  /// the body returns false. It is much cheaper than decoding the episodes.
  ///
  /// Lines are read on all cores; the body runs on the calling thread.
  ///
  /// - Parameters:
  ///   - fields: the fields to read.
  ///   - first: the number of episodes to skip at the start.
  ///   - skipFilter: skips episodes by their `paths`, before the other fields are read.
  /// - Throws: the errors of the body.
  package func summaries(
    _ fields: EpisodeFields = .files, from first: Int = 0, unless skipFilter: SkipFilter? = nil,
    _ body: (EpisodeSummary) throws -> Bool
  ) rethrows {
    guard let image else { return }
    let index = index(of: image)
    let places = index.places { $0.marks.contains(.episode) }.dropFirst(first)
    let size = 2048
    try OrderedWork.run(pieces: (places.count + size - 1) / size) { number, parser in
      let reader = RecordReader(image: image, parser: parser)
      let isSkipped = skipFilter?()
      return places.dropFirst(number * size).prefix(size).compactMap { place in
        let entry = index[Int(place)]
        if let isSkipped, let paths = reader.summary(at: entry, .paths), isSkipped(paths) {
          return nil
        }
        return reader.summary(at: entry, fields)
      }
    } take: { (summaries: [EpisodeSummary]) in
      for summary in summaries where try !body(summary) { return false }
      return true
    }
  }

  /// Returns the summary of one episode; nil if no episode has this id. Aliases are not followed.
  package func summary(of id: EpisodeID, _ fields: EpisodeFields = .files) -> EpisodeSummary? {
    found(RecordKey(kind: .episode, id: id.description)) { line, facts in
      RecordReader.episode(line, facts, fields)
    }.map { EpisodeSummary($0.value) }
  }
}

extension RecordReader {
  /// Reads some fields of the episode of an index entry; nil if the line is not of an episode.
  fileprivate func summary(at entry: IndexEntry, _ fields: EpisodeFields) -> EpisodeSummary? {
    func decode(_ line: JSONTape, _ facts: LineFacts) -> Episode? {
      Self.episode(line, facts, fields)
    }
    guard entry.marks.contains(.hasEarlier) else {
      let line = image.line(at: entry.offset)
      return image.withTape(of: line, at: entry.offset, parser) { line in
        LineFacts(line).flatMap { decode(line, $0) }
      }.map { EpisodeSummary($0) }
    }
    guard let key = image.key(at: entry.offset, parser) else { return nil }
    return read(key, at: entry.offset, hasEarlier: true, decode).map { EpisodeSummary($0.value) }
  }
}
