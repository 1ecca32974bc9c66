/// Decides which episodes a run takes up by itself.
///
/// This is the only definition of "due": `list --due`, `fetch --due`, `show --why` and the timer all
/// use it. It decides by the record, the settings and the clock, never by network or disk.
///
///     let rule = DueRule(now: clock.now, window: try settings.window(.window), zone: SystemZone())
///     let due = episodes.filter(rule.isDue)
package struct DueRule: Sendable, Equatable {
  /// The moment for which the rule decides.
  package let now: Timestamp
  /// Whether the setting `network.window` allows a transfer at that moment, or the run waits for it.
  private let isWindowOpen: Bool

  /// A rule for a moment.
  ///
  /// - Parameters:
  ///   - window: the times of day at which transfers are allowed.
  ///   - zone: the time zone of the window.
  ///   - waits: whether the run waits until the window opens, so that a closed one holds nothing.
  package init(now: Timestamp, window: TimeWindow, zone: some LocalZone, waits: Bool = false) {
    self.now = now
    isWindowOpen = waits || window.opening(after: now, in: zone) == nil
  }

  /// A rule for a moment without a window.
  package init(now: Timestamp) {
    self.now = now
    isWindowOpen = true
  }

  /// Whether the episode is wanted and one of its parts is due.
  ///
  /// An episode that is ready is due while an optional part of it is.
  package func isDue(_ episode: Episode) -> Bool {
    episode.want == .fetch && episode.parts.contains(where: isDue)
  }

  /// Whether a part is on its way, or stopped and may go on now.
  ///
  /// A failed part is due if its code allows a later try. A part that waits is due once its time has
  /// come, and without a time in the next run, which checks the condition again. The window is
  /// judged by the present settings. A quota is too: the run compares the counters with them.
  package func isDue(_ part: Part) -> Bool {
    switch part.state {
    case .failed: return part.code?.entry.retry == .later
    case .waiting where part.reason == .window: return isWindowOpen
    case .waiting where part.reason == .quota: return true
    case .waiting: return part.until.map { $0 <= now } ?? true
    default: return !part.state.isResting
    }
  }

  /// Whether a part may be taken up where the user named its episode: all but what is ready or
  /// removed, whatever stopped it.
  package func isDueOnRequest(_ part: Part) -> Bool {
    part.state == .failed || part.state == .waiting || isDue(part)
  }
}
