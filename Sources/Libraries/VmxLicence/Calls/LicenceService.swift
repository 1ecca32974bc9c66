import SystemPackage
import VmxEngine
import VmxLibrary
package import VmxModel
package import VmxSettings
package import VmxStore
import VmxSystem

/// Manages the licences of episodes: reads licence documents, contacts backends, and records the
/// rights.
///
///     let service = LicenceService(
///       store: store, settings: settings, clock: clock, digest: { DigestHasher.sha256(of: $0) },
///       send: network.send)
///     let outcome = try service.refresh(id)
package struct LicenceService: Sendable {
  /// The licence settings.
  package struct Settings: Sendable {
    /// The name of this device as sent to providers, at most 255 bytes.
    package var deviceName: String
    /// The URIs of rights that limit the time after the first play.
    package var periods: [String]

    /// Reads the settings `licence.…`.
    ///
    /// - Parameter host: the name of this machine.
    /// - Throws: `bad-setting`.
    package init(_ settings: VmxSettings.Settings, host: String) throws(Failure) {
      let name = try settings.text(.licenceDevice).flatMap { $0.isEmpty ? nil : $0 }
      deviceName = Self.shortened(name ?? "vmx on \(host)")
      periods = (try settings.text(.licencePlayPeriod) ?? "").split(separator: " ").map(String.init)
    }

    /// Truncates a device name to 255 bytes, since servers refuse longer ones.
    private static func shortened(_ name: String) -> String {
      var name = name
      while name.utf8.count > 255 { name.removeLast() }
      return name
    }
  }

  /// The result of an operation on a licence.
  package struct Outcome: Sendable {
    /// The episode as recorded after the operation.
    package let episode: Episode
    /// The record of the licence.
    package let record: LicenceRecord
    /// The reconciled state of the record.
    package let reconciliation: Reconciliation
    /// The failure of the requested call; nil if none failed. The licence is unchanged by it.
    package let refusal: Failure?
    /// Notes for the user.
    package let notes: [String]
    /// Whether a change that the user can see was recorded.
    package let isChanged: Bool

    /// Whether the user returned the licence, also before any use. The caller then removes the
    /// files immediately.
    package var isReturned: Bool {
      reconciliation.state == .returned || wasReturned && record.backend?.status == .cancelled
    }

    /// Whether a return was requested in this run and not refused.
    let wasReturned: Bool
  }

  let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let settings: Settings
  let clock: any WallClock
  private let machineID: @Sendable () -> String
  private let digest: @Sendable ([UInt8]) -> Digest
  private let send: HTTPSending

  /// Creates the licence service of a library.
  ///
  /// - Parameters:
  ///   - machineID: returns the id of this machine. A library copied to another machine thus gets
  ///     different device ids.
  ///   - digest: returns the SHA-256 of bytes.
  ///   - send: sends the requests.
  package init(
    store: LibraryStore, settings: Settings, clock: any WallClock,
    machineID: @escaping @Sendable () -> String = LicenceService.machineID,
    digest: @escaping @Sendable ([UInt8]) -> Digest, send: @escaping HTTPSending
  ) {
    self.store = store
    self.settings = settings
    self.clock = clock
    self.machineID = machineID
    self.digest = digest
    self.send = send
    mediaRoots = MediaRoots(store: store)
  }

  /// Returns the licence of an episode without a request to its backend.
  ///
  /// - Parameter adopts: whether to read and record a key part that was not read yet.
  /// - Throws: `licence-missing`, `no-such-episode`, `not-a-licence`, store errors.
  package func outcome(of id: EpisodeID, adopts: Bool = true) throws -> Outcome {
    var snapshot = try store.snapshot()
    guard var episode = try snapshot.episode(id) else { throw Failure.noSuchEpisode(id) }
    if adopts, snapshot.licence(of: episode.id) == nil, try adopt(episode.id) != nil {
      snapshot = try store.snapshot()
      episode = try snapshot.episode(id) ?? episode
    }
    guard let record = snapshot.licence(of: episode.id) else {
      throw Failure(.licenceMissing, "'\(episode.id)' has no licence")
    }
    return Outcome(
      episode: episode, record: record, reconciliation: record.reconciled(now: reliableNow()),
      refusal: nil, notes: [], isChanged: false, wasReturned: false)
  }

  /// Returns the licence with the refusal that a call would meet now, according to the last
  /// recorded status. Records nothing.
  ///
  /// - Throws: the errors of `outcome`.
  package func plan(_ id: EpisodeID, _ requestedCall: PendingCall?) throws -> Outcome {
    let outcome = try outcome(of: id, adopts: false)
    var context = LicenceContext(
      id, record: outcome.record, requestedCall: requestedCall, actions: actions)
    if let requestedCall, outcome.record.backend != nil || outcome.record.statusURL == nil {
      _ = context.accepted(requestedCall, isKnown: true)
    }
    return Outcome(
      episode: outcome.episode, record: outcome.record, reconciliation: outcome.reconciliation,
      refusal: context.refusal, notes: [], isChanged: false, wasReturned: false)
  }

  /// Registers this device with the backend, as the first play does. Records the first play if it
  /// is not recorded yet.
  ///
  /// - Throws: the errors of `refresh`.
  package func register(_ id: EpisodeID, claimTimeout: Int64 = 0) throws -> Outcome {
    let before = try outcome(of: id)
    if before.record.local.registered != nil { return before }
    if before.record.local.played == nil { try recordPlay(of: before.episode.id) }
    let after = try refresh(before.episode.id, claimTimeout: claimTimeout)
    guard after.record.local.registered == nil, after.refusal == nil else { return after }
    let reason = after.notes.isEmpty ? "the provider offers no registration" : after.notes[0]
    return Outcome(
      episode: after.episode, record: after.record, reconciliation: after.reconciliation,
      refusal: Failure(.licenceNotOffered, "'\(id)' is not registered: \(reason)"),
      notes: [], isChanged: after.isChanged, wasReturned: false)
  }

  /// Fetches the status of a licence, makes the pending calls, and records the rights.
  ///
  /// - Parameters:
  ///   - requestedCall: a call that the user requests.
  ///   - claimTimeout: the maximum wait in milliseconds for the claim of the episode.
  /// - Throws: `licence-missing`, `no-such-episode`, `lock-busy`, `WorkEnded.interrupted`, and
  ///   store errors. An unreachable backend is not an error.
  package func refresh(
    _ id: EpisodeID, requestedCall: PendingCall? = nil, claimTimeout: Int64 = 0
  ) throws -> Outcome {
    let before = try outcome(of: id)
    let (claim, episode) = try store.claimEpisode(before.episode.id, claimTimeout: claimTimeout)
    defer { claim.release() }
    guard let record = try store.snapshot().licence(of: episode.id) else {
      throw Failure(.licenceMissing, "'\(episode.id)' has no licence")
    }
    return try run(record, of: episode, requestedCall: requestedCall)
  }

  private func run(
    _ record: LicenceRecord, of episode: Episode, requestedCall: PendingCall? = nil
  ) throws -> Outcome {
    var record = record
    // Every run fetches the status first: a call of a process that was killed may have taken
    // effect.
    record.state = .checking
    var context = LicenceContext(
      episode.id, record: record, requestedCall: requestedCall, actions: actions)
    try Runner([LicenceMachine.machine], journal: LicenceJournal(store: store), clock: clock)
      .run(&context)
    let meaning = context.reconciliation ?? context.record.reconciled(now: reliableNow())
    let after = try store.snapshot().episode(episode.id) ?? episode
    return Outcome(
      episode: after, record: context.record, reconciliation: meaning,
      refusal: context.refusal ?? Self.wait(context.record), notes: context.notes,
      isChanged: after.licence != episode.licence || after.expires != episode.expires
        || context.replaced != nil,
      wasReturned: (requestedCall?.kind ?? record.local.call?.kind) == .returnLicence
        && context.refusal == nil)
  }

  /// The failure for which the licence is `waiting`; nil in other states.
  private static func wait(_ record: LicenceRecord) -> Failure? {
    guard record.state == .waiting, let code = record.code else { return nil }
    return Failure(
      code, record.message ?? code.entry.sentence,
      hint: "run 'vmx licence refresh' to repeat it; the request is recorded")
  }

  /// Reads the key part's file and records it as the episode's licence.
  ///
  /// - Parameter isTyped: whether the file was named by the user. Otherwise its links may lead into
  ///   private networks only if the user named its URL.
  /// - Returns: the rights; nil if the episode has no readable key part, or a key of another kind.
  /// - Throws: `not-a-licence` for an invalid licence document; store errors; for a file that the
  ///   user named also errors of the file system, since its rights would lack what that permits.
  @discardableResult
  package func adopt(_ id: EpisodeID, isTyped: Bool = false) throws -> EpisodeLicence? {
    let snapshot = try store.snapshot()
    guard let episode = try snapshot.episode(id),
      let part = episode.parts.first(where: { $0.role == .key && $0.state == .ready })
    else { return nil }
    let bytes: [UInt8]
    do {
      let file = try snapshot.mediaFile(of: part, of: episode)
      bytes = try RegularFile.prefix(of: file, upTo: LicenceDocument.maxBytes + 1)
    } catch {
      // The key is unreadable now, for example on an unmounted disk: it gives no rights yet.
      guard isTyped else { return nil }
      throw error
    }
    guard LicenceDocument.isMeant(by: bytes) else { return nil }
    let document = try LicenceDocument(bytes)
    let sources = part.variants.flatMap(\.sources)
    let isNamed = !sources.isEmpty && !sources.contains(where: \.isForeign)
    return try record(document, of: episode.id, isTyped: isTyped || isNamed)
  }

  /// Records the rights of a document whose file has just become the key part. A licence with
  /// another id or provider replaces the previous record, since the previous file is gone.
  ///
  /// - Parameters:
  ///   - isTyped: whether the file was named by the user.
  ///   - file: the file, if it replaces the recorded one.
  /// - Throws: `licence-foreign` for an older document of the same licence; store errors.
  private func record(
    _ document: LicenceDocument, of id: EpisodeID, isTyped: Bool, file: LicenceFile? = nil
  ) throws -> EpisodeLicence {
    let now = reliableNow()
    return try store.update(.durable) { transaction throws -> EpisodeLicence in
      guard var episode = try transaction.episode(id) else { throw Failure.noSuchEpisode(id) }
      var record: LicenceRecord
      if let known = LicenceRecord(transaction.record(.licence, episode.id.description)),
        known.local.id == document.id, known.local.provider == document.provider
      {
        record = known
        try record.apply(document, periods: settings.periods)
      } else {
        record = LicenceRecord(document, periods: settings.periods)
      }
      record.allowsPrivateAddresses = record.allowsPrivateAddresses || isTyped
      let meaning = record.reconciled(now: now)
      if record.state == .checking { record.state = meaning.state }
      transaction.write(record.stored(of: episode.id))
      let mark = record.mark(meaning)
      episode.licence = mark
      episode.expires = meaning.ends
      if let file { episode.replaceKey(by: file) }
      transaction.write(episode)
      return mark
    }
  }

  /// Replaces an episode's licence file and rights by those of a document from the user.
  ///
  /// The same document again completes an addition that was interrupted before it recorded that the
  /// user has named the file.
  ///
  /// - Returns: whether anything was recorded.
  /// - Throws: `not-a-licence`, `licence-foreign`, `licence-missing`, `root-away`, store errors.
  package func replace(with bytes: [UInt8], of id: EpisodeID) throws -> Bool {
    let document = try LicenceDocument(bytes)
    var fresh = try outcome(of: id).record
    let before = fresh.local
    try fresh.apply(document, periods: settings.periods)
    guard fresh.local != before else {
      if fresh.allowsPrivateAddresses { return false }
      _ = try record(document, of: id, isTyped: true)
      return true
    }
    let (claim, episode) = try store.claimEpisode(id)
    defer { claim.release() }
    // After a crash before the transaction, the rights still differ, and the user can repeat it.
    let file = try replaceFile(of: episode.id, bytes)
    _ = try record(document, of: episode.id, isTyped: true, file: file)
    return true
  }

  private var actions: LicenceActions {
    LicenceActions(
      send: send, now: reliableNow, clock: clock,
      device: { [store, machineID] provider in
        try store.secrets.device(for: provider, on: machineID())
      },
      deviceName: settings.deviceName, periods: settings.periods, replace: replaceFile)
  }

  private func replaceFile(of id: EpisodeID, _ bytes: [UInt8]) throws -> LicenceFile {
    guard let episode = try store.snapshot().episode(id),
      let part = episode.parts.first(where: { $0.role == .key }), part.state == .ready,
      let root = part.root, let path = part.path
    else { throw Failure(.noFile, "the licence file of '\(id)' is missing") }
    let file = try mediaRoots.root(root).folder.appending(path)
    try AtomicFile.replace(file, with: bytes, mode: .ownerReadWrite, durable: true)
    return LicenceFile(size: ByteCount(clamping: Int64(bytes.count)), sha256: digest(bytes))
  }

  /// Returns the time; nil while the clock disagrees with the store.
  @Sendable private func reliableNow() -> Timestamp? {
    let now = clock.now
    do {
      try store.snapshot().checkClock(now: now)
      return now
    } catch {
      return nil
    }
  }

  /// Returns the id of this machine (`machine-id(5)`); empty if it has none.
  @Sendable package static func machineID() -> String {
    VmxSystem.machineID()
  }
}
