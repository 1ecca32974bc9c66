import VmxJSON
package import VmxModel

/// The state of an episode without its details, cheap enough to count a million episodes.
///
/// A line that is damaged in another field still counts here, though it cannot be decoded as an
/// episode.
package struct EpisodeSummary: Sendable, Equatable {
  /// The episode.
  package let id: EpisodeID
  /// The action that the user asked for.
  package let want: Want
  /// The state of the whole episode.
  package let state: EpisodeState
  /// The reason for waiting; nil unless the episode waits.
  package let reason: WaitReason?
  /// The time when waiting ends by itself; nil unless the episode waits.
  package let until: Timestamp?
  /// The last step of its trail, if the caller asked for it.
  package let lastStep: Transition?

  /// Creates the summary of a decoded episode.
  package init(_ episode: Episode) {
    let isWaiting = episode.state == .waiting
    id = episode.id
    want = episode.want
    state = episode.state
    reason = isWaiting ? episode.speakingPart?.reason : nil
    until = isWaiting ? episode.speakingPart?.until : nil
    lastStep = episode.trail.last
  }

  /// Reads the summary from a line; nil if the line is not of an episode or removes it.
  init?(_ line: JSONTape, _ facts: LineFacts, withStep: Bool) {
    guard facts.key.kind == .episode, !facts.deletes, let id = EpisodeID(valid: facts.key.id) else {
      return nil
    }
    var want: JSONTape?
    var parts: JSONTape?
    var trail: JSONTape?
    line.forEachField { key, value in
      if key.equals("want") { want = value }
      if key.equals("parts") { parts = value }
      if key.equals("trail") { trail = value }
      return true
    }
    self.id = id
    self.want = want?.string.flatMap { Want(rawValue: $0) } ?? .fetch
    let required = PartSummary.required(in: parts)
    state = .of(required: required.map(\.state))
    let speaking = state == .waiting ? required.first { $0.state == .waiting }?.part : nil
    reason = speaking?.field("reason")?.string.flatMap { WaitReason(rawValue: $0) }
    until = speaking?.field("until")?.string.flatMap { Timestamp($0) }
    lastStep = withStep ? Self.lastStep(in: trail, of: id) : nil
  }

  private static func lastStep(in trail: JSONTape?, of id: EpisodeID) -> Transition? {
    var last: JSONTape?
    trail?.forEachElement { step in
      last = step
      return true
    }
    guard let object = last?.object else { return nil }
    do throws(Failure) { return try Transition(record: object, of: id) } catch { return nil }
  }
}

/// The state of one required part, and its fields.
private struct PartSummary {
  let state: PartState
  let part: JSONTape

  static func required(in parts: JSONTape?) -> [PartSummary] {
    var required: [PartSummary] = []
    parts?.forEachElement { part in
      let isVideo = part.field("role")?.equals("video") ?? true
      if part.field("required")?.bool ?? isVideo {
        let state = part.field("state").flatMap { PartStateName.state(of: $0) }
        required.append(PartSummary(state: state ?? .new, part: part))
      }
      return true
    }
    return required
  }
}

extension StoreSnapshot {
  /// Calls the body with the summary of each episode, in the order in which they were added. It is
  /// much cheaper than decoding the episodes.
  ///
  /// Lines are read on all cores; the body runs on the calling thread.
  ///
  /// - Parameter withSteps: whether the summaries contain the last step of the trail.
  package func glances(withSteps: Bool, _ body: (EpisodeSummary) -> Void) {
    guard let image else { return }
    let index = index(of: image)
    let places = index.places { $0.marks.contains(.episode) }
    let size = 2048
    OrderedWork.run(pieces: (places.count + size - 1) / size) { number, parser in
      let reader = RecordReader(image: image, parser: parser)
      return places[number * size..<min(places.count, (number + 1) * size)].compactMap { place in
        Self.summary(at: index[Int(place)], reader, withStep: withSteps)
      }
    } take: { (glances: [EpisodeSummary]) in
      for summary in glances { body(summary) }
      return true
    }
  }

  private static func summary(
    at entry: IndexEntry, _ reader: RecordReader, withStep: Bool
  ) -> EpisodeSummary? {
    let image = reader.image
    func decode(_ line: JSONTape, _ facts: LineFacts) -> EpisodeSummary? {
      EpisodeSummary(line, facts, withStep: withStep)
    }
    guard entry.marks.contains(.hasEarlier) else {
      return image.withTape(of: image.line(at: entry.offset), at: entry.offset, reader.parser) {
        line in LineFacts(line).flatMap { decode(line, $0) }
      }
    }
    guard let key = LineKey.at(entry.offset, of: image, reader.parser) else { return nil }
    return reader.read(key, at: entry.offset, hasEarlier: true, decode)?.value
  }
}
