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

  package func cell(_ field: EpisodeField) -> Cell {
    switch field {
    case .state: EpisodeWords.state(of: episode, facts)
    case .id: Cell(episode.id.description, .strong)
    case .size: Cell(video?.size?.forPeople ?? "")
    case .held: Cell(video.map { facts.held(of: $0).forPeople } ?? "")
    case .added: Cell(TimeText.relative(episode.added, to: facts.now), .dim)
    case .until: moment(episode.speakingPart?.until)
    case .expires: moment(episode.expires)
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
    case .showTitle: episode.showTitle
    case .season: episode.season.map { String($0) } ?? ""
    case .number: episode.number.map { String($0) } ?? ""
    case .date: episode.date?.description ?? ""
    case .summary: episode.summary ?? ""
    case .want: episode.want.rawValue
    case .state: episode.state.rawValue
    case .code: episode.speakingPart?.code?.rawValue ?? ""
    case .reason: episode.speakingPart?.reason?.rawValue ?? ""
    case .until: episode.speakingPart?.until?.text ?? ""
    case .lacks: episode.lacks.joined(separator: ",")
    case .priority: String(episode.priority)
    case .place: String(episode.resolvedPlace)
    case .after: episode.after.map(\.description).joined(separator: ",")
    case .keep: String(episode.isKept)
    case .watched: String(episode.isWatched)
    case .meteredOK: String(episode.isMeteredOK)
    case .expires: episode.expires?.text ?? ""
    case .added: episode.added.text
    case .parts: episode.parts.map(\.name).joined(separator: ",")
    case .path: video.flatMap { facts.file(of: $0) } ?? ""
    case .size: video?.size.map { String($0.bytes) } ?? ""
    case .held: video.map { String(facts.held(of: $0).bytes) } ?? ""
    case .due: String(facts.due.isDue(episode))
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
