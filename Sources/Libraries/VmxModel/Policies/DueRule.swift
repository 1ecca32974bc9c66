/// Decides which episodes a run processes by itself.
///
/// This is the only definition of "due". `list --due`, `fetch --due`, `show --why` and the timer
/// all use it. It depends on the record, the settings and the clock, never on network or disk.
///
///     let rule = DueRule(now: clock.now, window: try settings.window(.window), zone: SystemZone())
///     let due = episodes.filter(rule.isDue)
package struct DueRule: Sendable, Equatable {
  /// The time for which the rule decides.
  package let now: Timestamp
  /// Whether the setting `network.window` allows a transfer at that time, or the run waits for the
  /// window.
  private let isWindowOpen: Bool

  /// Creates a rule for a given time.
  ///
  /// - Parameters:
  ///   - window: the times of day at which transfers are allowed.
  ///   - zone: the time zone of the window.
  ///   - waits: whether the run waits for the window to open, so that a closed window excludes
  ///     nothing.
  package init(now: Timestamp, window: TimeWindow, zone: some LocalZone, waits: Bool = false) {
    self.now = now
    isWindowOpen = waits || window.opening(after: now, in: zone) == nil
  }

  /// Creates a rule for a given time without a window.
  package init(now: Timestamp) {
    self.now = now
    isWindowOpen = true
  }

  /// Whether the episode is wanted, may be watched, and one of its parts is due.
  ///
  /// A `ready` episode is due while an optional part of it is.
  package func isDue(_ episode: Episode) -> Bool {
    episode.want == .fetch && !episode.isExpired(at: now) && episode.parts.contains(where: isDue)
  }

  /// Whether a part is in progress, or is stopped and may resume now.
  ///
  /// A failed part is due if its code allows a retry or it has gained another source. A part whose
  /// file has a broken structure is due while a source was not tried for another copy. A waiting
  /// part is due once its time has come. Without a time it is due in the next run, which checks the
  /// condition again. The window is checked against the present settings. So is a quota: the run
  /// compares the counters with them.
  package func isDue(_ part: Part) -> Bool {
    switch part.state {
    case .failed: return part.code?.entry.retry == .later || part.hasNewSource
    case .waiting where part.reason == .window: return isWindowOpen
    case .waiting where part.reason == .quota: return true
    case .damaged where part.code == .mediaBroken: return part.hasUntriedSource
    case .waiting: return part.until.map { $0 <= now } ?? true
    default: return Self.mayBeDue(part.state)
    }
  }

  /// Whether the rule may need the sources of a part, which a partly decoded record lacks.
  package static func dependsOnSources(_ part: Part) -> Bool {
    part.state == .failed && part.code?.entry.retry != .later
      || part.state == .damaged && part.code == .mediaBroken
  }

  /// Whether a part in a state can be due by any rule; no rule makes a part in other states due.
  package static func mayBeDue(_ state: PartState) -> Bool {
    state == .failed || state == .waiting || !state.awaitsEvent
  }

  /// Whether a part may be processed when the user names its episode: every part that is not ready
  /// or removed, whatever stopped it.
  package func isDueOnRequest(_ part: Part) -> Bool {
    Self.mayBeDue(part.state)
  }
}
