/// One title to watch, as the store keeps it.
package struct Episode: Sendable, Equatable {
  /// How many transitions an episode remembers.
  package static let trailLength = 16

  /// Given once, changed only by `vmx rename`.
  package var id: EpisodeID
  /// `seq` of the last line that is not mere progress; 0 for one that was never stored.
  package var rev: Int64 = 0
  /// IdentityKey that another description means this episode.
  package var identity: [IdentityKey] = []
  /// Title of the episode.
  package var title: String
  /// Title of the show.
  package var showTitle: String
  /// Season, 0 for specials.
  package var season: Int64?
  /// Number within the season.
  package var number: Int64?
  /// Day of first showing.
  package var date: CalendarDay?
  /// What it is about.
  package var summary: String?
  /// What the person asked for.
  package var want: Want = .fetch
  /// Higher goes first; 0 unless set.
  package var priority: Int64 = 0
  /// Where it stands among those of its priority, in nanoseconds since 1970; nil for where the
  /// moment of adding puts it.
  package var place: Int64?
  /// Episodes that are to be ready before it is fetched.
  package var after: [EpisodeID] = []
  /// Marks of the person: never cleaned away.
  package var isKept = false
  /// Marks of the person: seen to the end.
  package var isWatched = false
  /// Marks of the person: may use a metered network.
  package var isMeteredOK = false
  /// When it may no longer be watched.
  package var expires: Timestamp?
  /// When it was added.
  package var added: Timestamp
  /// Its files, the video first.
  package var parts: [Part]
  /// The last transitions of its parts, oldest first.
  package var trail: [Transition] = []
  /// Fields of other versions, kept as they are.
  package var extra = JSONObject()

  /// A new episode.
  package init(
    id: EpisodeID, title: String, showTitle: String, added: Timestamp, parts: [Part]
  ) {
    self.id = id
    self.title = title
    self.showTitle = showTitle
    self.added = added
    self.parts = parts
  }

  /// The state of the whole, from its required parts.
  package var state: EpisodeState {
    .of(required: parts.filter(\.isRequired).map(\.state))
  }

  /// The required part whose state speaks for the whole.
  package var speakingPart: Part? {
    let state = state
    return parts.first { $0.isRequired && $0.state == state }
  }

  /// Names of the optional parts that are not here.
  package var lacks: [String] {
    parts.filter { !$0.isRequired && $0.state != .ready }.map(\.name)
  }

  /// Whether an episode that is to come after it has to wait.
  package var holdsOthers: Bool { (want == .fetch || want == .hold) && state != .ready }

  /// Adds a step to the trail, forgetting the oldest.
  package mutating func remember(_ step: Transition) {
    trail.append(step)
    if trail.count > Self.trailLength { trail.removeFirst(trail.count - Self.trailLength) }
  }
}
