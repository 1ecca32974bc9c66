package import VmxModel

/// The actions of other devices on an episode, as far as `WatchedMerge` can still use them.
///
/// Pages of actions arrive in any order. Which actions are newer than the state of the library is
/// known only in the transaction. So a history keeps the newest action, which decides the
/// position, and the marks that may decide the watched state and its time. Whatever is added later,
/// and whatever the library has, the dropped actions would change nothing.
///
///     var history = WatchedHistory()
///     history.add(action, by: rule, now: now)
package struct WatchedHistory: Sendable, Equatable {
  /// The milliseconds that the clock of a device may be ahead. Later times are replaced by the
  /// current time.
  private static let tolerance: Int64 = 3_600_000
  /// The maximum number of equal marks in succession. It limits the memory for a faulty server;
  /// beyond it, the time of a mark may be that of a later one.
  private static let maxMarks = 100

  /// The effect of an action.
  enum Effect: Sendable, Equatable {
    /// The watched mark is set or cleared, and the position is removed.
    case mark(Bool)
    /// The position is removed.
    case start
    /// The position in milliseconds is set. Without a duration, the known one stays.
    case position(Int64, duration: Int64?)
  }

  /// An effect with the time of its action.
  struct Step: Sendable, Equatable {
    let at: Timestamp
    let effect: Effect
  }

  /// The oldest first; those of the same time in the order in which they were added.
  private(set) var steps: [Step] = []

  /// Creates an empty history.
  package init() {}

  /// Adds an action. Downloads and deletions concern the disk of the other device and are ignored.
  package mutating func add(_ action: SyncAction, by rule: WatchedRule, now: Timestamp) {
    guard let effect = Effect(action, by: rule) else { return }
    let latest = now.adding(milliseconds: Self.tolerance)
    let step = Step(at: action.at > latest ? now : action.at, effect: effect)
    let earlier = steps.lastIndex { $0.at <= step.at }
    steps.insert(step, at: earlier.map { $0 + 1 } ?? 0)
    reduce()
  }

  /// Drops the steps that decide nothing.
  private mutating func reduce() {
    var kept: [Step] = []
    // The last mark, the number of marks equal to it, and whether a different one precedes them.
    var (mark, count, isBounded): (Bool?, Int, Bool) = (nil, 0, false)
    // Whether the newest position has no duration, so that an earlier step decides it.
    var lacksDuration = false
    for step in steps.reversed() where step != kept.last {
      switch step.effect {
      case .mark(let value):
        lacksDuration = false
        guard !isBounded else { continue }
        mark = mark ?? value
        isBounded = value != mark
        if !isBounded { count += 1 }
        // The first of them usually has the time of the mark.
        if !isBounded, count > Self.maxMarks { kept.removeLast() }
      case .start:
        guard kept.isEmpty || lacksDuration else { continue }
        lacksDuration = false
      case .position(_, let duration):
        guard kept.isEmpty || lacksDuration && duration != nil else { continue }
        lacksDuration = duration == nil
      }
      kept.append(step)
    }
    steps = kept.reversed()
  }
}

extension WatchedHistory.Effect {
  /// Returns the effect of an action; nil if it has none.
  fileprivate init?(_ action: SyncAction, by rule: WatchedRule) {
    switch action.kind {
    case .download, .delete: return nil
    case .new: self = .mark(false)
    case .play:
      guard let playback = action.playback else { return nil }
      switch rule.verdict(on: playback) {
      case .unknown: return nil
      case .watched: self = .mark(true)
      case .fromStart: self = .start
      case .position(let position): self = .position(position, duration: playback.duration)
      }
    }
  }
}
