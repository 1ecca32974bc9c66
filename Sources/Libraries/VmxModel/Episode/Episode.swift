/// One title to watch, as it is kept in the store.
package struct Episode: Sendable, Equatable {
  /// The maximum number of transitions that an episode keeps.
  package static let trailLength = 16

  /// The id, assigned once and changed only by `vmx rename`.
  package var id: EpisodeID
  /// `seq` of the last line that is not only progress; 0 for an episode that was never stored.
  package var rev: Int64 = 0
  /// The keys that identify this episode in other descriptions.
  package var identity: [IdentityKey] = []
  /// The title of the episode.
  package var title: String
  /// The title of the show.
  package var showTitle: String
  /// The season; 0 for specials.
  package var season: Int64?
  /// The number within the season.
  package var number: Int64?
  /// The day of first showing.
  package var date: CalendarDay?
  /// The playing time in milliseconds.
  package var duration: Int64?
  /// The main language as a BCP 47 tag.
  package var language: String?
  /// The description of the content.
  package var summary: String?
  /// The user's wish for this episode.
  package var want: Want = .fetch
  /// The priority; higher values come first, 0 unless set.
  package var priority: Int64 = 0
  /// The position among episodes of the same priority, in nanoseconds since 1970; nil for the time
  /// of adding.
  package var place: Int64?
  /// The episodes that must be ready before this one is fetched.
  package var after: [EpisodeID] = []
  /// Whether the user marked it to be kept; cleaning never removes it.
  package var isKept = false
  /// Whether the user marked it as watched to the end.
  package var isWatched = false
  /// Whether the user allowed it to be fetched over a metered network.
  package var isMeteredOK = false
  /// The time after which it may no longer be watched.
  package var expires: Timestamp?
  /// The time of adding.
  package var added: Timestamp
  /// The files, the video first.
  package var parts: [Part]
  /// The last transitions of the parts, oldest first.
  package var trail: [Transition] = []
  /// Unknown fields of other versions, kept unchanged.
  package var extra = JSONObject()

  /// Creates a new episode.
  package init(
    id: EpisodeID, title: String, showTitle: String, added: Timestamp, parts: [Part]
  ) {
    self.id = id
    self.title = title
    self.showTitle = showTitle
    self.added = added
    self.parts = parts
  }

  /// The state of the episode, derived from its required parts.
  package var state: EpisodeState {
    // By index, because each part that is copied costs a dozen reference counts.
    .of(required: parts.indices.lazy.filter { parts[$0].isRequired }.map { parts[$0].state })
  }

  /// The required part whose state is the state of the episode.
  package var speakingPart: Part? {
    let state = state
    return parts.first { $0.isRequired && $0.state == state }
  }

  /// The names of the optional parts that are not `ready`.
  package var lacks: [String] {
    parts.filter { !$0.isRequired && $0.state != .ready }.map(\.name)
  }

  /// Whether episodes that depend on this one have to wait.
  package var holdsOthers: Bool { (want == .fetch || want == .hold) && state != .ready }

  /// Appends a transition to the trail, dropping the oldest beyond `trailLength`.
  package mutating func remember(_ step: Transition) {
    trail.append(step)
    if trail.count > Self.trailLength { trail.removeFirst(trail.count - Self.trailLength) }
  }
}
