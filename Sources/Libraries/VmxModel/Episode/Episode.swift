/// An episode or film as the store records it.
package struct Episode: Sendable, Equatable {
  /// The maximum number of transitions that an episode keeps.
  package static let trailLength = 16

  /// The id, assigned once and changed only by `vmx rename`.
  package var id: EpisodeID
  /// `seq` of the last line that is not only progress; 0 for an episode that was never stored.
  package var rev: Int64 = 0
  /// The keys that identify this episode in other descriptions.
  package var identity: [IdentityKey] = []
  /// The sources of its fields.
  package var by = FieldOrigins()
  /// The title of the episode.
  package var title: String
  /// The title of the show.
  package var showTitle: String
  /// The other fields that describe it; each is a property of the episode too.
  package var text = EpisodeText()
  /// The folder below the root for its new files, which replaces the first folder of the name
  /// template; nil for none.
  package var folder: String?
  /// The user's request for this episode.
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
  /// The time at which that mark was last set or cleared; nil if unknown.
  package var watchedAt: Timestamp?
  /// The time at which the user requested the episode although it was watched; nil if that was not
  /// so. Until it is watched again, no rule removes it as watched.
  package var requestedAgainAt: Timestamp?
  /// Whether the user allowed it to be fetched over a metered network.
  package var isMeteredOK = false
  /// The rights by its licence, whose end is `expires`; nil if it has no licence.
  package var licence: EpisodeLicence?
  /// The last removal, unless the episode was requested again since.
  package var removal: EpisodeRemoval?
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
    // By index: a copy of each part would cost a dozen reference counts.
    .of(required: parts.indices.lazy.filter { parts[$0].isRequired }.map { parts[$0].state })
  }

  /// The video; nil if the episode has none.
  package var video: Part? { parts.first { $0.role == .video } }

  /// The video, if its file is in the library and has passed its check.
  package var readyVideo: Part? { parts.first { $0.role == .video && $0.state == .ready } }

  /// The video, if its file is in the library with its recorded bytes, also if their structure is
  /// broken.
  package var publishedVideo: Part? {
    parts.first { part in
      part.role == .video && part.path != nil
        && (part.state == .ready || part.state == .damaged && part.code == .mediaBroken)
    }
  }

  /// Whether it has a licence, or a key that may be one.
  package var hasKey: Bool { licence != nil || parts.contains { $0.role == .key } }

  /// Returns the part of that name; nil if there is none.
  package func part(named name: String) -> Part? { parts.first { $0.name == name } }

  /// The first required part whose state is the state of the episode.
  package var decisivePart: Part? {
    let state = state
    return parts.first { $0.isRequired && $0.state == state }
  }

  /// The names of the optional parts that are not `ready`, and of the required parts without a
  /// source.
  package var missingParts: [String] {
    parts.filter { $0.isRequired ? $0.lacksSource : $0.state != .ready }.map(\.name)
  }

  /// Whether the episode may no longer be watched at a given time.
  package func isExpired(at now: Timestamp) -> Bool { text.expires.map { $0 <= now } ?? false }

  /// Whether no fetch can complete the episode. It has no required part, or a required part needs
  /// bytes and has no source.
  package var lacksSource: Bool {
    let required = parts.filter(\.isRequired)
    return required.isEmpty || required.contains(where: \.lacksSource)
  }

  /// Whether episodes that depend on this one have to wait.
  package var blocksDependents: Bool { (want == .fetch || want == .hold) && state != .ready }

  /// Sets or clears the watched mark. The time is recorded only with a change, so that repeating a
  /// mark does not make it newer.
  package mutating func markWatched(_ isSet: Bool, at moment: Timestamp) {
    if isWatched != isSet || isSet && isRequestedAgain(before: moment) { watchedAt = moment }
    if !isSet || isRequestedAgain(before: moment) { requestedAgainAt = nil }
    isWatched = isSet
  }

  private func isRequestedAgain(before moment: Timestamp) -> Bool {
    requestedAgainAt.map { $0 < moment } ?? false
  }

  /// Records that the user requests the episode although it was watched.
  package mutating func requestAgain(now: Timestamp) {
    if isWatched { requestedAgainAt = requestedAgainAt ?? now }
  }

  /// Whether rules may remove it as watched: it was watched, and not requested again since.
  package var isDoneWith: Bool { isWatched && requestedAgainAt == nil }

  /// Appends a transition to the trail, dropping the oldest beyond `trailLength`.
  package mutating func appendTransition(_ step: Transition) {
    trail.append(step)
    if trail.count > Self.trailLength { trail.removeFirst(trail.count - Self.trailLength) }
  }
}

extension Part {
  /// Whether the part still needs bytes and has no source.
  fileprivate var lacksSource: Bool {
    [.new, .queued, .probed, .partial, .missing].contains(state) && offered.isEmpty
  }
}

/// The user's request for an episode; independent of its state.
package enum Want: String, Sendable, CaseIterable {
  /// Fetch the episode and keep it complete.
  case fetch
  /// Do not fetch now; keep the files that exist.
  case hold
  /// Known, but not requested.
  case none
  /// Removed by the user; a feed does not add it again.
  case gone

  /// All values except `gone`.
  package static let present: Set<Want> = [.fetch, .hold, .none]
}

/// The reason why a part waits.
package enum WaitReason: String, Sendable, CaseIterable {
  case metered, offline, space, quota, window, backoff, after, licence, parental
  case rootAway = "root-away"

  /// Whether the cause is a condition of the machine or its network, which all episodes share.
  package var isOfMachine: Bool {
    switch self {
    case .metered, .offline, .space, .quota, .window, .rootAway: true
    case .backoff, .after, .licence, .parental: false
    }
  }

  /// The meaning as one phrase, for messages and the manual.
  ///
  /// - Parameter code: the error code recorded with the reason, which may be more specific.
  package func phrase(_ code: ErrorCode? = nil) -> String {
    switch self {
    case .metered: "the network is metered"
    case .offline: "no network route to its source"
    case .space: "not enough free space on the disk"
    case .quota where code == .quotaReached: "the library has reached its quota"
    case .quota: "this month's data limit of the network is reached"
    case .window: "the present time is outside network.window"
    case .backoff:
      // Several codes have this reason.
      code.flatMap { $0.entry.retry == .wait(self) ? $0.entry.sentence : nil }
        ?? "the server asked to wait"
    case .after: "another episode must be ready first"
    case .licence: "its licence does not allow it yet"
    case .parental: "blocked by parental control"
    case .rootAway: "the library folder is unreachable"
    }
  }
}

/// The level of trust in the bytes of a part, highest first.
package enum Proof: String, Sendable, CaseIterable {
  /// They match a digest of the publisher.
  case published
  /// The whole file was fetched twice with equal bytes; only in records of early versions.
  case repeated
  /// An overlap at each join was fetched again and matched.
  case probe
  /// Only their length matches.
  case length
  /// The source did not mark their end, and the container is complete to its last byte.
  case structure
  /// Nothing was verified.
  case none
}

/// Some facts about an episode, decoded without the rest of its record: cheap enough to read a
/// million episodes.
///
/// Only the fields of the `EpisodeFields` that it was read with are known; the others have their
/// initial values. A line that is damaged in another field still counts here, although it cannot be
/// decoded as an episode.
package struct EpisodeSummary: Sendable {
  private let episode: Episode

  /// Creates the summary of an episode, of which only some fields may be decoded.
  package init(_ episode: Episode) {
    self.episode = episode
  }

  /// The episode.
  package var id: EpisodeID { episode.id }
  /// The sequence number (`seq`) of its line.
  package var rev: Int64 { episode.rev }
  /// The user's request for the episode.
  package var want: Want { episode.want }
  /// Whether the user marked it to be kept.
  package var isKept: Bool { episode.isKept }
  /// The time after which it may no longer be watched.
  package var expires: Timestamp? { episode.expires }
  /// The rights by its licence; nil if it has none.
  package var licence: EpisodeLicence? { episode.licence }
  /// The parts, in their order.
  package var parts: [Part] { episode.parts }
  /// The video, if its file is in the library and has passed its check.
  package var readyVideo: Part? { episode.readyVideo }
  /// Returns the part of that name; nil if there is none.
  package func part(named name: String) -> Part? { episode.part(named: name) }
  /// The state of the whole episode.
  package var state: EpisodeState { episode.state }
  /// The last step of its trail.
  package var lastStep: Transition? { episode.trail.last }
  /// The reason for waiting; nil unless the episode waits.
  package var reason: WaitReason? { waiting?.reason }
  /// The time when waiting ends by itself; nil unless the episode waits.
  package var until: Timestamp? { waiting?.until }

  /// The keys by which other descriptions of the episode are found.
  package var evidenceKeys: Set<IdentityKey> { episode.evidenceKeys }
  /// Whether the record may be joined with another one.
  package var isJoinable: Bool { episode.isJoinable }

  private var waiting: Part? { episode.state == .waiting ? episode.decisivePart : nil }
}

extension EpisodeFields {
  /// The fields needed to find further records of an episode.
  package static let evidence = EpisodeFields(
    [.identity, .feed, .guid, .want, .licence, .parts],
    parts: [.role, .required, .state, .resumeState, .sha256])
  /// The fields needed to count an episode by its state.
  package static let stateFields = EpisodeFields(
    [.want, .parts], parts: [.role, .required, .state, .reason, .until])
  /// The fields needed to count an episode by its state, and its last step.
  package static let lastStep = EpisodeFields(
    [.want, .parts, .trail], parts: [.role, .required, .state, .reason, .until])
  /// The fields that locate the files of an episode.
  package static let paths = EpisodeFields(
    [.parts], parts: [.lang, .state, .root, .path, .size, .repairs])
  /// The fields needed to compare the files of an episode with the disks.
  package static let files = EpisodeFields(
    [.want, .keep, .expires, .licence, .parts],
    parts: Set(
      Part.nameFields + [
        .required, .state, .resumeState, .root, .path, .size, .sha256, .proof, .verifiedAt,
        .original, .repairs,
      ]))
}
