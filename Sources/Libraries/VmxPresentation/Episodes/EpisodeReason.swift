package import VmxModel

/// The reason why an episode is not ready, and the action that would make it continue.
package struct EpisodeReason: Sendable, Equatable {
  /// The reason, as one phrase without a full stop.
  package let waitsFor: String
  /// The action that would make it continue, as one phrase without a full stop; nil if none is
  /// needed.
  package let release: String?
  /// The code of an obstacle that is not recorded yet; nil if there is none.
  package let code: ErrorCode?

  /// The reason with its code, if it has one.
  var text: String { code.map { "\(waitsFor) [\($0.rawValue)]" } ?? waitsFor }

  /// Determines the reason at the time of the due rule.
  ///
  /// - Parameters:
  ///   - facts: the facts from outside the record: the time, the work of other processes, and the
  ///     episode that must be ready first.
  ///   - zone: the time zone of times in the text; nil for RFC 3339 in UTC.
  package init(_ episode: Episode, _ facts: EpisodeFacts, in zone: (any LocalZone)? = nil) {
    if facts.work == nil, episode.want == .fetch, episode.lacksSource {
      let entry = ErrorCode.noSource.entry
      code = .noSource
      waitsFor = entry.sentence
      release = ErrorCode.noSource.hint(for: episode)
      return
    }
    code = nil
    if let work = facts.work {
      waitsFor = "in progress: \(work.phrase(now: facts.now, in: zone))"
      release = "run 'vmx status' for its progress"
    } else {
      (waitsFor, release) = Self.reason(for: episode, facts, zone)
    }
  }

  private static func reason(
    for episode: Episode, _ facts: EpisodeFacts, _ zone: (any LocalZone)?
  ) -> (waitsFor: String, release: String?) {
    let state = episode.state
    let (due, predecessor) = (facts.due, facts.predecessor)
    switch (episode.want, state) {
    case (_, .ready): return ready(episode, now: due.now, zone: zone)
    case (let want, _) where want != .gone && episode.isExpired(at: due.now):
      return (ending(episode), episode.licence.map { _ in licenceHint(episode) })
    case (.gone, _):
      return (
        episode.removal?.phrase(in: zone) ?? "removed by the user",
        "run 'vmx queue add \(episode.id)' to request it again"
      )
    case (.hold, _):
      return ("on hold", "run 'vmx queue resume \(episode.id)' to release it")
    case (.none, _):
      return (
        episode.removal?.phrase(in: zone) ?? "not wanted",
        "run 'vmx queue add \(episode.id)' to request it, or 'vmx fetch \(episode.id)' now"
      )
    case (.fetch, _) where predecessor != nil:
      return after(predecessor, episode: episode, facts: facts)
    case (.fetch, .waiting) where isResolved(episode, due):
      return ("the next run; its condition no longer applies", "run 'vmx fetch' to fetch it")
    case (.fetch, .waiting): return waiting(episode, now: due.now, zone: zone)
    case (.fetch, .failed): return failed(episode)
    case (.fetch, .removed), (.fetch, .removing), (.fetch, .expired), (.fetch, .revoked):
      return (state.rawValue, "run 'vmx fetch \(episode.id)' to fetch it again")
    case (.fetch, _):
      return ("the next run", "run 'vmx fetch' to fetch it")
    }
  }

  /// Whether the part for which the episode waits is due, because its time has come or a setting
  /// has changed.
  ///
  /// Only the next run can check a quota or a condition without a time.
  private static func isResolved(_ episode: Episode, _ due: DueRule) -> Bool {
    guard let part = episode.decisivePart, due.isDue(part) else { return false }
    switch part.reason {
    case .after, .window: return true
    case .quota: return false
    default: return part.until != nil
    }
  }

  private static func after(
    _ predecessor: EpisodeID?, episode: Episode, facts: EpisodeFacts
  ) -> (String, String?) {
    if let predecessor, facts.hidden.contains(predecessor) {
      return (
        "an episode above the limit of parental control must be ready first",
        "run 'vmx lock unlock' to see it, or 'vmx queue after \(episode.id) --none'"
      )
    }
    let other = predecessor?.description ?? ""
    return (
      "'\(other)' must be ready first",
      "run 'vmx fetch \(other)', or 'vmx queue after \(episode.id) --none'"
    )
  }

  private static func ending(_ episode: Episode) -> String {
    switch episode.licence?.removalReason {
    case .revoked: "the provider has withdrawn its licence"
    case .returned: "its licence was returned"
    case .expired: "its licence has ended"
    default: "expired"
    }
  }

  private static func licenceHint(_ episode: Episode) -> String {
    "run 'vmx licence \(episode.id)' for the provider's offers"
  }

  private static func ready(
    _ episode: Episode, now: Timestamp, zone: (any LocalZone)?
  ) -> (String, String?) {
    if let licence = episode.licence {
      if episode.isExpired(at: now) {
        return ("ready, but its licence has ended", licenceHint(episode))
      }
      if let opening = licence.opening(after: now) {
        let moment = TimeText.absolute(opening, in: zone)
        return (
          "ready, playable from \(moment) (\(TimeText.relative(opening, to: now)))", nil
        )
      }
    }
    guard !episode.missingParts.isEmpty else { return ("ready", nil) }
    return ("ready, without \(episode.missingParts.joined(separator: ", "))", nil)
  }

  private static func waiting(
    _ episode: Episode, now: Timestamp, zone: (any LocalZone)?
  ) -> (String, String?) {
    let part = episode.decisivePart
    let what = part?.reason.map { $0.phrase(part?.code) } ?? "waiting"
    guard let until = part?.until else {
      let hint = part?.code?.hint(for: episode)
      return (what, hint ?? "run 'vmx fetch \(episode.id)' to try again")
    }
    let moment = TimeText.absolute(until, in: zone)
    let next = "run 'vmx fetch' after \(moment) (\(TimeText.relative(until, to: now)))"
    // The user's network policy also applies to episodes that the user names.
    if part?.reason == .window { return (what, "\(next), or change network.window") }
    if part?.reason == .licence { return (what, next) }
    if part?.reason == .quota { return (what, "\(next), or raise network.cap") }
    return (what, "\(next), or 'vmx fetch \(episode.id)' now")
  }

  private static func failed(_ episode: Episode) -> (String, String?) {
    guard let code = episode.decisivePart?.code else {
      return ("failed", "run 'vmx queue retry \(episode.id)' to try again")
    }
    let command = "vmx fetch \(episode.id)"
    if episode.decisivePart?.hasNewSource == true {
      return (code.entry.sentence, "run 'vmx fetch' to try another source")
    }
    if code.entry.retry == .later {
      return (code.entry.sentence, "run 'vmx fetch' later, or '\(command)' now")
    }
    let hint = code.hint(for: episode)
    return (code.entry.sentence, hint.contains(command) ? hint : "\(hint); then run '\(command)'")
  }
}
