package import VmxModel
package import VmxPresentation

/// The state transitions of episodes in order of time: fetched, removed, failed, waiting.
///
/// Keeps one short text for each transition, so that a large library needs little memory.
package struct EpisodeHistory {
  /// The states whose transitions are reported.
  private static let reportedStates: Set<PartState> = [.ready, .removed, .failed, .waiting]

  private let since: Timestamp?
  private let now: Timestamp
  private var steps = SortBuffer(isNumeric: true, isDescending: false)
  private var count = 0

  /// Creates an empty history.
  ///
  /// - Parameter since: earlier transitions are skipped.
  package init(since: Timestamp?, now: Timestamp) {
    self.since = since
    self.now = now
  }

  /// Adds the transitions that the record of an episode contains.
  package mutating func add(_ episode: Episode) {
    for step in episode.trail where Self.reportedStates.contains(step.to) {
      if let since, step.at < since { continue }
      let moment = String(step.at.milliseconds)
      // The record contains the reason of the last removal only.
      let removal = episode.removal.flatMap { step.to == .removed && step.at >= $0.at ? $0 : nil }
      let words = [
        moment, episode.id.description, step.from.rawValue, step.to.rawValue,
        step.code?.rawValue ?? "", removal?.reason.rawValue ?? "",
        removal.map { String($0.at.milliseconds) } ?? "", removal?.tool ?? "", step.part,
      ]
      steps.add(id: words.joined(separator: "\n"), key: moment)
      count += 1
    }
  }

  /// Calls the closure with each transition, the newest last.
  ///
  /// - Parameter limit: the maximum number of transitions; older ones are skipped.
  package func forEach(limit: Int, _ body: (HistoryRow) throws -> Void) rethrows {
    var skipped = max(0, count - limit)
    try steps.forEach { text in
      guard skipped == 0 else {
        skipped -= 1
        return
      }
      try body(row(of: text))
    }
  }

  private func row(of text: String) -> HistoryRow {
    let words = text.split(separator: "\n", maxSplits: 8, omittingEmptySubsequences: false)
      .map(String.init)
    let step = Transition(
      at: Timestamp(milliseconds: Int64(words[0]) ?? 0), part: words[8],
      from: PartState(rawValue: words[2]) ?? .new, to: PartState(rawValue: words[3]) ?? .new,
      code: ErrorCode(rawValue: words[4]))
    let removal = EpisodeRemoval.Reason(rawValue: words[5]).map {
      EpisodeRemoval(
        at: Timestamp(milliseconds: Int64(words[6]) ?? 0), tool: words[7], reason: $0)
    }
    return HistoryRow(words[1], step, removal: removal, now: now)
  }
}

extension Timestamp {
  /// Parses a moment in the past as a user types it or vmx prints it: `2026-11-01` (its first
  /// moment in the time zone), `2026-11-01 18:00`, an RFC 3339 time, or a duration before now such
  /// as `30d` or `12s ago`.
  ///
  /// - Throws: `usage`.
  package init(argument text: String, now: Timestamp, _ zone: any LocalZone) throws(Failure) {
    let amount = text.hasSuffix(" ago") ? String(text.dropLast(4)) : text
    if let moment = Timestamp(text) ?? zone.timestamp(of: text) {
      self = moment
    } else if let span = DurationText.milliseconds(of: amount) {
      self = now.adding(milliseconds: -span)
    } else {
      throw Failure(
        .usage, "not a date, time or duration: '\(text)'",
        hint: "use 2026-11-01, '2026-11-01 18:00', 2026-11-01T18:00:00Z or 30d")
    }
  }
}
