import VmxDigest
import VmxLicence
import VmxModel
import VmxStore
import VmxSystem

// The key of an episode is fetched before its other parts, so that its rights apply to them. A key
// that was just fetched has not been read yet, so this policy reads it before the first byte of
// another part.

/// Makes parts wait until the rights of their licence begin.
struct LicencePolicy: TransferPolicy {
  let code = ErrorCode.licencePending
  private let licences: LicenceService
  private let clock: any WallClock

  init(_ store: LibraryStore, settings: LicenceService.Settings, environment: FetchEnvironment) {
    clock = environment.clock
    licences = LicenceService(
      store: store, settings: settings, clock: environment.clock,
      digest: { DigestHasher.sha256(of: $0) },
      send: { _ in throw Failure(.offline, "offline: only stored licences are read") })
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    guard phase == .admission || phase == .wait, let rights = try rights(of: part) else {
      return nil
    }
    switch rights.state {
    case .usable, .pending, .waiting:
      guard let opening = rights.opening(after: clock.now) else { return nil }
      let words = LicenceReason.pending(from: opening).phrase()
      return Failure(code, "'\(part.episode)' is \(words)", retryAt: opening)
    default: return Failure(.licenceEnded, "the licence of '\(part.episode)' has ended")
    }
  }

  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsWait(until: refusal.retryAt)
  }

  private func rights(of part: PolicySubject) throws -> EpisodeLicence? {
    guard part.role != .key else { return nil }
    if let licence = part.licence { return licence }
    return part.hasKey ? try licences.adopt(part.episode) : nil
  }
}
