package import VmxModel
import VmxStore

extension LicenceService {
  /// The age in milliseconds above which the recorded status is refreshed before a play.
  private static let freshness: Int64 = 3_600_000

  /// Checks the rights before a play, records the first play durably, and registers the device.
  /// Refreshes a status that is older than an hour, and checks again. Call it before the player
  /// starts and before the episode is claimed.
  ///
  /// An unreachable backend does not block playback; the registration is then retried later.
  ///
  /// - Returns: notes for the user; empty for an episode without a licence.
  /// - Throws: `licence-ended`, `licence-pending`, `clock-suspect`; store errors.
  package func admitPlay(of id: EpisodeID) throws -> [String] {
    let before: Outcome
    do {
      before = try outcome(of: id)
    } catch let failure as Failure where failure.code == .licenceMissing {
      return []
    }
    try check(before)
    let isFirst = before.record.local.played == nil
    if isFirst { try recordPlay(of: before.episode.id) }
    let age = before.record.seen.map { clock.now.milliseconds - $0.milliseconds } ?? .max
    let isRegistered = before.record.local.registered != nil
    guard isFirst || !isRegistered || age > Self.freshness || age < 0 else { return [] }
    do {
      let after = try refresh(before.episode.id)
      try check(after)
      return after.notes
    } catch let failure as Failure where failure.code == .lockBusy {
      // Another process holds the claim; a later play or refresh makes the registration.
      return []
    }
  }

  /// Throws if the rights do not allow playback.
  private func check(_ outcome: Outcome) throws(Failure) {
    let id = outcome.episode.id
    let words = outcome.reconciliation.reason.phrase()
    switch outcome.reconciliation.state {
    case .usable:
      if case .clockSuspect(let until) = outcome.reconciliation.reason, until != nil {
        throw Failure(.clockSuspect, "'\(id)' is \(words)")
      }
    case .pending:
      throw Failure(.licencePending, "'\(id)' is \(words)", retryAt: outcome.record.local.starts)
    default: throw Failure(.licenceEnded, "the licence of '\(id)' has ended: \(words)")
    }
  }

  /// Records the first play durably.
  func recordPlay(of id: EpisodeID) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      guard let episode = try transaction.episode(id),
        var record = LicenceRecord(transaction.record(.licence, episode.id.description))
      else { return }
      record.local.played = record.local.played ?? transaction.now
      transaction.write(record.stored(of: episode.id))
    }
  }
}
