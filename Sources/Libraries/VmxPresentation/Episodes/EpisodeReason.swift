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
  var words: String { code.map { "\(waitsFor) [\($0.rawValue)]" } ?? waitsFor }

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
      release = entry.hint(for: episode.id)
      return
    }
    code = nil
    if let work = facts.work {
      waitsFor = "a worker has it: \(work.phrase(now: facts.now, in: zone))"
      release = "'vmx status' shows how far it is"
    } else {
      (waitsFor, release) = Self.words(for: episode, facts, zone)
    }
  }

  private static func words(
    for episode: Episode, _ facts: EpisodeFacts, _ zone: (any LocalZone)?
  ) -> (waitsFor: String, release: String?) {
    let state = episode.state
    let (due, predecessor) = (facts.due, facts.predecessor)
    switch (episode.want, state) {
    case (_, .ready): return ready(episode, due.now, zone)
    case (let want, _) where want != .gone && episode.isExpired(at: due.now):
      return (ending(episode), episode.licence.map { _ in licenceHint(episode) })
    case (.gone, _):
      return (
        "it was \(episode.removal?.phrase(in: zone) ?? "removed by hand")",
        "'vmx queue add \(episode.id)' asks for it again"
      )
    case (.hold, _):
      return ("it is on hold", "'vmx queue resume \(episode.id)' lets it go on")
    case (.none, _):
      return (
        episode.removal.map { "it was \($0.phrase(in: zone))" } ?? "it is not wanted",
        "'vmx queue add \(episode.id)' asks for it, 'vmx fetch \(episode.id)' fetches it now"
      )
    case (.fetch, _) where predecessor != nil: return after(predecessor, episode, facts)
    case (.fetch, .waiting) where isLifted(episode, due):
      return ("nothing holds it any longer", "the next 'vmx fetch' takes it")
    case (.fetch, .waiting): return waiting(episode, due.now, zone)
    case (.fetch, .failed): return failed(episode)
    case (.fetch, .removed), (.fetch, .removing), (.fetch, .expired), (.fetch, .revoked):
      return ("it is \(state.rawValue)", "'vmx fetch \(episode.id)' asks for it again")
    case (.fetch, _):
      return ("nothing holds it", "the next 'vmx fetch' takes it")
    }
  }

  /// Whether the part for which the episode waits is due, because its time has come or a setting
  /// has changed.
  ///
  /// Only the next run can check a quota or a condition without a time.
  private static func isLifted(_ episode: Episode, _ due: DueRule) -> Bool {
    guard let part = episode.decisivePart, due.isDue(part) else { return false }
    switch part.reason {
    case .after, .window: return true
    case .quota: return false
    default: return part.until != nil
    }
  }

  private static func after(
    _ predecessor: EpisodeID?, _ episode: Episode, _ facts: EpisodeFacts
  ) -> (String, String?) {
    if let predecessor, facts.hidden.contains(predecessor) {
      return (
        "an episode above the limit of parental control is to be ready before it",
        "'vmx lock unlock' shows which, 'vmx queue after \(episode.id) --none' lifts it"
      )
    }
    let other = predecessor?.description ?? ""
    return (
      "'\(other)' is to be ready before it",
      "'vmx fetch \(other)' brings that, 'vmx queue after \(episode.id) --none' lifts it"
    )
  }

  private static func ending(_ episode: Episode) -> String {
    switch episode.licence?.removalReason {
    case .revoked: "its licence was withdrawn by the provider"
    case .returned: "its licence was given back"
    case .expired: "its licence has ended"
    default: "it may be watched no longer"
    }
  }

  private static func licenceHint(_ episode: Episode) -> String {
    "'vmx licence \(episode.id)' tells what its provider offers"
  }

  private static func ready(
    _ episode: Episode, _ now: Timestamp, _ zone: (any LocalZone)?
  ) -> (String, String?) {
    if let licence = episode.licence {
      if episode.isExpired(at: now) {
        return ("ready, but its licence has ended", licenceHint(episode))
      }
      if let opening = licence.opening(after: now) {
        let moment = TimeText.moment(opening, in: zone)
        return (
          "ready, and can be played from \(moment) (\(TimeText.relative(opening, to: now)))", nil
        )
      }
    }
    guard !episode.lacks.isEmpty else { return ("nothing: it is ready", nil) }
    return ("ready, but without \(episode.lacks.joined(separator: ", "))", nil)
  }

  private static func waiting(
    _ episode: Episode, _ now: Timestamp, _ zone: (any LocalZone)?
  ) -> (String, String?) {
    let part = episode.decisivePart
    let what = part?.reason.map { $0.phrase(part?.code) } ?? "it was told to wait"
    guard let until = part?.until else {
      let hint = part?.code?.entry.hint(for: episode.id)
      return (what, hint ?? "'vmx fetch \(episode.id)' asks once more")
    }
    let moment = TimeText.moment(until, in: zone)
    let next = "the next 'vmx fetch' after \(moment) (\(TimeText.relative(until, to: now)))"
    // The user's network policy also applies to episodes that the user names.
    if part?.reason == .window { return (what, "\(next), or another network.window") }
    if part?.reason == .licence { return (what, next) }
    if part?.reason == .quota { return (what, "\(next), or a larger network.cap") }
    return (what, "\(next), or 'vmx fetch \(episode.id)' at once")
  }

  private static func failed(_ episode: Episode) -> (String, String?) {
    guard let code = episode.decisivePart?.code else {
      return ("it failed", "'vmx queue retry \(episode.id)' asks for it again")
    }
    let command = "vmx fetch \(episode.id)"
    if episode.decisivePart?.hasNewSource == true {
      return (code.entry.sentence, "the next 'vmx fetch' asks another source")
    }
    if code.entry.retry == .later {
      return (code.entry.sentence, "the next 'vmx fetch' tries again, or '\(command)' at once")
    }
    let hint = code.entry.hint(for: episode.id)
    return (code.entry.sentence, hint.contains(command) ? hint : "\(hint); then '\(command)'")
  }
}
