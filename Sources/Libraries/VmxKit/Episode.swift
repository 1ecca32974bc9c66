import VmxModel

/// An episode or film of a library, as it was when it was read.
public struct Episode: Sendable, Hashable, Identifiable {
  /// The id, such as `small-wonders/s01e01`; only `vmx rename` changes it.
  public let id: String
  /// The title of the episode.
  public let title: String
  /// The slug of the show, the part of the id before `/`.
  public let show: String
  /// The title of the show.
  public let showTitle: String
  /// The season; 0 for specials, nil if unknown.
  public let season: Int?
  /// The number within the season.
  public let number: Int?
  /// The day of first showing, as `2026-11-29`.
  public let date: String?
  /// The playing time.
  public let duration: Duration?
  /// The main language as a BCP 47 tag.
  public let language: String?
  /// The description of the content.
  public let summary: String?
  /// The request of the user; independent of the state.
  public let want: Want
  /// The state, derived from the required parts.
  public let state: State
  /// The error code of a failure or wait.
  public let code: String?
  /// Whether it was watched to the end.
  public let isWatched: Bool
  /// Whether cleaning never removes it.
  public let isKept: Bool
  /// The files, the video first.
  public let parts: [Part]

  init(_ episode: VmxModel.Episode) {
    id = episode.id.description
    title = episode.title
    show = episode.id.show
    showTitle = episode.showTitle
    season = episode.text.season.map(Int.init)
    number = episode.text.number.map(Int.init)
    date = episode.text.date?.description
    duration = episode.text.duration.map { .milliseconds($0) }
    language = episode.text.language
    summary = episode.text.summary
    want = Want(rawValue: episode.want.rawValue)
    state = State(rawValue: episode.state.rawValue)
    code = episode.decisivePart?.code?.rawValue
    isWatched = episode.isWatched
    isKept = episode.isKept
    parts = episode.parts.map(Part.init)
  }
}

extension Episode {
  /// One file of an episode, with a state of its own.
  public struct Part: Sendable, Hashable {
    /// The name, unique in the episode, such as `video` or `subtitle:en`.
    public let name: String
    /// Whether the episode is ready only with this part.
    public let isRequired: Bool
    /// The state.
    public let state: State
    /// The size of the whole file in bytes, once known.
    public let size: Int64?

    init(_ part: VmxModel.Part) {
      name = part.name
      isRequired = part.isRequired
      state = State(rawValue: part.state.rawValue)
      size = part.size?.bytes
    }
  }

  /// The state of an episode or part; vmx-states(7) describes each.
  ///
  /// A later version may have further ones, so it is no closed enumeration.
  public struct State: RawRepresentable, Sendable, Hashable {
    /// The word of the tools.
    public let rawValue: String

    /// Creates the state of a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Known; no work has been done.
    public static let new = State(rawValue: "new")
    /// To be processed as soon as a worker is free.
    public static let queued = State(rawValue: "queued")
    /// Some bytes may have been received.
    public static let partial = State(rawValue: "partial")
    /// The file is there.
    public static let ready = State(rawValue: "ready")
    /// Held back until a time or a condition.
    public static let waiting = State(rawValue: "waiting")
    /// Failed, with a code.
    public static let failed = State(rawValue: "failed")
    /// The file is not where it was.
    public static let missing = State(rawValue: "missing")
    /// The file has other bytes than those that were verified.
    public static let damaged = State(rawValue: "damaged")
    /// It was removed from the disk.
    public static let removed = State(rawValue: "removed")
  }

  /// A request of the user for an episode.
  public struct Want: RawRepresentable, Sendable, Hashable {
    /// The word of the tools.
    public let rawValue: String

    /// Creates the want of a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Fetch it and keep it complete.
    public static let fetch = Want(rawValue: "fetch")
    /// Do not fetch it now; keep what there is.
    public static let hold = Want(rawValue: "hold")
    /// Known, but not requested.
    public static let none = Want(rawValue: "none")
    /// Removed on purpose.
    public static let gone = Want(rawValue: "gone")
  }
}
