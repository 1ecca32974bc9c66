package import VmxModel

/// An episode as a row of a listing.
package struct EpisodeRow: ListingRow {
  private let episode: Episode
  private let facts: EpisodeFacts

  /// Creates the row of an episode.
  package init(_ episode: Episode, _ facts: EpisodeFacts) {
    self.episode = episode
    self.facts = facts
  }

  package var id: String { episode.id.description }

  package func cell(_ field: EpisodeField) -> Cell {
    switch field {
    case .state: StateText.state(of: episode, facts)
    case .id: Cell(episode.id.description, .strong)
    case .size: Cell(video?.size?.forPeople ?? "")
    case .held: Cell(video.map { facts.held(of: $0).forPeople } ?? "")
    case .added: Cell(TimeText.relative(episode.added, to: facts.now), .dim)
    case .until: moment(episode.speakingPart?.until)
    case .expires: moment(episode.expires)
    case .duration: Cell(episode.duration.map { PlayingTime.text(of: $0) } ?? "")
    case .keep, .watched, .meteredOK, .due: Cell(exact(field) == "true" ? "yes" : "")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: EpisodeField) -> String {
    switch field {
    case .id: episode.id.description
    case .rev: String(episode.rev)
    case .title: episode.title
    case .show: episode.id.show
    case .state: episode.state.rawValue
    case .code: episode.speakingPart?.code?.rawValue ?? ""
    case .reason: episode.speakingPart?.reason?.rawValue ?? ""
    case .until: episode.speakingPart?.until?.text ?? ""
    case .lacks: episode.lacks.joined(separator: ",")
    case .priority: String(episode.priority)
    case .place: String(episode.resolvedPlace)
    case .keep: String(episode.isKept)
    case .watched: String(episode.isWatched)
    case .meteredOK: String(episode.isMeteredOK)
    case .parts: episode.parts.map(\.name).joined(separator: ",")
    case .path: video.flatMap { facts.file(of: $0) } ?? ""
    case .size: video?.size.map { String($0.bytes) } ?? ""
    case .held: video.map { String(facts.held(of: $0).bytes) } ?? ""
    case .due: String(facts.due.isDue(episode))
    default: field.recordField.flatMap { episode.json(of: [$0])[0] }?.plainText ?? ""
    }
  }

  package func record(_ fields: [EpisodeField]?) -> JSONObject {
    EpisodeJSON.record(of: episode, facts, fields)
  }

  private var video: Part? { episode.parts.first { $0.role == .video } }

  private func moment(_ moment: Timestamp?) -> Cell {
    Cell(moment.map { TimeText.relative($0, to: facts.now) } ?? "")
  }
}

extension JSONValue {
  /// The value as a cell: text without quotes, the elements of an array joined by commas.
  fileprivate var plainText: String {
    switch self {
    case .string(let text): text
    case .array(let elements): elements.map(\.plainText).joined(separator: ",")
    default: text
    }
  }
}

/// The text for the state of an episode or a part.
package enum StateText {
  /// Returns the state and its reason: `ready`, `paused`, `partial 43%`, `waiting: metered`,
  /// `failed: http-gone`.
  package static func state(of episode: Episode, _ facts: EpisodeFacts) -> Cell {
    let state = episode.state
    if episode.want == .hold, !state.isOver { return Cell("paused", .held) }
    if episode.want == .none, !state.isOver, state != .new { return Cell("cancelled", .dim) }
    guard let part = episode.speakingPart else { return Cell(state.rawValue, state.tone) }
    let cell = self.state(of: part, facts)
    guard state == .ready, !episode.lacks.isEmpty else { return cell }
    return Cell("ready, lacks \(episode.lacks.joined(separator: ", "))", cell.tone)
  }

  /// Returns the state of one part and its reason.
  package static func state(of part: Part, _ facts: EpisodeFacts) -> Cell {
    let tone = part.state.tone
    switch part.state {
    case .failed: return Cell(joined("failed", part.code?.rawValue), tone)
    case .waiting: return Cell(joined("waiting", part.reason?.rawValue), tone)
    case .partial:
      guard let size = part.size?.bytes, size > 0 else { return Cell("partial", tone) }
      let percent = facts.held(of: part).bytes.multipliedClamped(by: 100) / size
      return Cell("partial \(min(99, percent))%", tone)
    default: return Cell(part.state.rawValue, tone)
    }
  }

  private static func joined(_ word: String, _ reason: String?) -> String {
    reason.map { "\(word): \($0)" } ?? word
  }
}

extension PartState {
  /// Whether nothing remains to be fetched, whatever the user asks for.
  fileprivate var isOver: Bool {
    switch self {
    case .ready, .removed, .removing, .expired, .revoked, .failed: true
    default: false
    }
  }

  fileprivate var tone: Tone {
    switch self {
    case .ready: .good
    case .failed, .damaged, .missing: .bad
    case .waiting, .expired, .revoked: .held
    case .partial, .complete, .checked, .probed, .removing: .busy
    case .new, .queued: .plain
    case .removed: .dim
    }
  }
}
