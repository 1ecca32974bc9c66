import VmxJSON
import VmxModel

/// Rejects parsed lines that cannot match a query, without decoding an episode.
struct TapeFilter: Sendable {
  let query: EpisodeQuery

  /// Whether a line may match. False is certain if all its fields have the right types.
  func mayMatch(_ line: JSONTape) -> Bool {
    var fields = Fields()
    line.forEachField { key, value in
      fields.take(key, value)
      return true
    }
    return holds(fields)
  }

  private struct Fields {
    var want: JSONTape?
    var season: JSONTape?
    var number: JSONTape?
    var keep: JSONTape?
    var watched: JSONTape?
    var parts: JSONTape?

    @inline(__always)
    mutating func take(_ key: JSONTape, _ value: JSONTape) {
      switch key.utf8?.count {
      case 4:
        if key.equals("want") { want = value }
        if key.equals("keep") { keep = value }
      case 5: if key.equals("parts") { parts = value }
      case 6:
        if key.equals("season") { season = value }
        if key.equals("number") { number = value }
      case 7: if key.equals("watched") { watched = value }
      default: break
      }
    }
  }

  private func holds(_ fields: Fields) -> Bool {
    if !query.wants.isEmpty || query.due != nil {
      let want = fields.want?.string.flatMap { Want(rawValue: $0) } ?? .fetch
      if !query.wants.isEmpty, !query.wants.contains(want) { return false }
      if query.due != nil, want != .fetch { return false }
    }
    if !query.seasons.isEmpty {
      guard let season = fields.season?.integer, query.seasons.contains(season) else {
        return false
      }
    }
    if !query.numbers.isEmpty {
      guard let number = fields.number?.integer, query.numbers.contains(number) else {
        return false
      }
    }
    if let isKept = query.isKept, (fields.keep?.bool ?? false) != isKept { return false }
    if let isWatched = query.isWatched, (fields.watched?.bool ?? false) != isWatched {
      return false
    }
    if query.due != nil, !Self.mayBeDue(fields.parts) { return false }
    return query.states.isEmpty || query.states.contains(Self.state(of: fields.parts))
  }

  /// Whether any part is neither ready nor removed; `DueRule` decides about those parts.
  private static func mayBeDue(_ parts: JSONTape?) -> Bool {
    var found = false
    parts?.forEachElement { part in
      let state = part.field("state").flatMap { PartStateName.state(of: $0) } ?? .new
      found = state != .ready && state != .removed
      return !found
    }
    return found
  }

  private static func state(of parts: JSONTape?) -> EpisodeState {
    var states: [PartState] = []
    parts?.forEachElement { part in
      let isVideo = part.field("role")?.equals("video") ?? true
      if part.field("required")?.bool ?? isVideo {
        states.append(part.field("state").flatMap { PartStateName.state(of: $0) } ?? .new)
      }
      return true
    }
    return .of(required: states)
  }
}

/// Maps a name to a state by its first eight bytes, which differ between all states.
enum PartStateName {
  private static let all = PartState.allCases.map { (pack(Array($0.rawValue.utf8)), $0) }

  static func state(of value: JSONTape) -> PartState? {
    guard let name = value.utf8 else { return nil }
    let packed = pack(name)
    guard let state = all.first(where: { $0.0 == packed })?.1 else { return nil }
    return name.elementsEqual(state.rawValue.utf8) ? state : nil
  }

  private static func pack(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
