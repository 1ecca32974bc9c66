import VmxEngine
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxStore
import VmxSystem
import VmxTransfer

/// Provides the bytes of parts from the network.
struct FetchSource: PartSource {
  /// The maximum number of held bytes that are verified before later episodes may send their first
  /// requests.
  private static let maxVerified: Int64 = 16 << 20

  let finishing: PartFinisher
  private let engine: TransferEngine
  private let mediaRoots: MediaRoots
  private let settings: FetchSettings
  private let scheduler: TransferScheduler
  private let monitor: TransferMonitor
  /// Asks the user which variant to fetch; nil if a setting or the built-in rule decides.
  private let questions: (any FetchPrompts)?

  init(
    engine: TransferEngine, tools: LibraryTools, settings: FetchSettings,
    scheduler: TransferScheduler, monitor: TransferMonitor, questions: (any FetchPrompts)?
  ) {
    self.questions = questions
    self.engine = engine
    mediaRoots = tools.mediaRoots
    self.settings = settings
    self.scheduler = scheduler
    self.monitor = monitor
    finishing = PartFinisher(tools)
  }

  package func completedBytes(of part: FetchContext) throws -> CompletedBytes {
    let location = try PartLocation(of: part.work, on: mediaRoots)
    if part.part.repairs == nil, try finishing.isComplete(part.work, at: location) { return .all }
    let bytes = try location.completedBytes(of: part.work)
    if part.part.repairs != nil || part.options.copy != nil {
      scheduler.queue.endTurn(of: part.episode.id)
      let held = try recovered(part, at: location, held: bytes)
      if let held { return held == part.expectedBytes?.bytes ? .all : .some(held) }
    }
    // Unusable partial files are removed: they occupy the space that the file needs.
    if bytes == 0 { try location.files.discard() }
    return .some(bytes)
  }

  package func variant(of part: FetchContext, usual: Variant) throws -> Variant {
    guard let questions else { return usual }
    scheduler.queue.endTurn(of: part.episode.id)
    return try questions.variant(of: part.episode.id, among: part.part.eligible, usual: usual)
  }

  package func admit(_ part: FetchContext) throws {
    let admission = try scheduler.admit(PolicySubject(part)) { subject in
      let location = try PartLocation(of: part.work, on: mediaRoots)
      let held = try part.bytesBefore ?? location.completedBytes(of: part.work)
      let missing = part.part.expectedSize.map { max(0, $0.bytes - held) }
      subject.folder = location.root.folder
      subject.missing = missing
      subject.unallocated = (missing ?? 0) - (try location.preallocatedBytes(beyond: held))
    }
    if let end = admission.end { throw end }
  }

  package func transfer(_ part: FetchContext) throws -> FoundBytes {
    let location = try PartLocation(of: part.work, on: mediaRoots)
    try location.makeFolder()
    var job = try TransferJob(of: part, at: location, secrets: monitor.store.secrets)
    // Bytes held from earlier runs are not progress of this run: the rate would show a burst.
    let held = try part.bytesBefore ?? location.completedBytes(of: part.work)
    var subject = PolicySubject(part)
    subject.folder = location.root.folder
    job.sources = scheduler.hosts.responsiveFirst(
      scheduler.refusals.marked(job.sources, of: subject), host: { HostName(url: $0.url) })
    scheduler.markWanted(subject.episode)
    // The digests of held bytes are verified before the first request.
    if held > Self.maxVerified { scheduler.queue.endTurn(of: subject.episode) }
    let permit = try scheduler.permit(for: subject)
    let observer = PartObserver(
      part.work, subject, held: held, monitor: monitor, scheduler: scheduler,
      allowance: .init(permit: permit) {
        do throws(FileError) {
          return try location.preallocatedBytes(beyond: held)
        } catch {
          // The space check then requires more space than the part needs.
          return 0
        }
      })
    defer { observer.end() }
    do throws(TransferError) {
      let found = try engine.run(job, observer: observer)
      observer.publishing()
      return found
    } catch {
      switch error {
      case .file(let failed) where location.root.isAway(after: failed):
        throw location.root.cause(of: failed)
      case .stopped(.interrupted): throw WorkEnded.interrupted
      case .stopped(.held(let refusal)):
        throw TransferScheduler.Admission(refusal: refusal).end ?? refusal
      default:
        let refusals = scheduler.refusals
        let failed = refusals.failedSources(of: subject, adding: observer.failedSources)
        throw try part.refusal(after: error)
          ?? SourcesFailed(
            refusals.failure(error, of: subject, held: observer.completedBytes), permanent: failed)
      }
    }
  }

  package func waitForPolicy(_ part: FetchContext) throws -> Bool {
    scheduler.queue.endTurn(of: part.episode.id)
    guard let code = part.part.code else { return false }
    let refusal = Failure(code, part.part.message ?? "", retryAt: part.part.until)
    var subject = PolicySubject(part)
    // Checked before the root is used: the root may be unreachable, and the run does not wait for
    // that.
    guard try scheduler.policies.waits(for: refusal, of: subject) else { return false }
    let location = try PartLocation(of: part.work, on: mediaRoots)
    subject.folder = location.root.folder
    let observer = PartObserver(
      part.work, subject, held: try location.completedBytes(of: part.work), monitor: monitor,
      scheduler: scheduler)
    defer { observer.end() }
    return try scheduler.wait(for: subject, after: refusal) { observer.hold(by: $0) }
  }

  package func host(of episode: Episode, _ options: WorkOptions) -> String? {
    let parts = episode.parts.filter { part in
      options.includes(part) && ![.ready, .removed, .complete, .checked].contains(part.state)
    }
    let next = parts.first { !$0.state.awaitsEvent || $0.code == .rateLimited } ?? parts.first
    return scheduler.hosts.next(of: next?.servers.map(\.name) ?? [])?.description
  }

  package func canReplace(_ part: Part) throws -> Bool {
    guard part.state == .ready, !part.offered.isEmpty, try mediaRoots.isOutOfReach(part) else {
      return false
    }
    do {
      _ = try mediaRoots.forNewFiles()
      return true
    } catch let failure as Failure where failure.isOfUnreachableRoot {
      return false
    }
  }

  package func waitForClaim(of id: EpisodeID) throws -> Bool {
    guard settings.waits else { return false }
    try scheduler.waitForClaim(of: id)
    return true
  }

  /// Creates a partial file from intact bytes, unless one exists already and the user gave no copy.
  ///
  /// - Returns: the number of bytes held; nil if no digest and size of the bytes are known.
  private func recovered(
    _ part: FetchContext, at location: PartLocation, held: Int64
  ) throws -> Int64? {
    if held > 0, part.options.copy == nil { return held }
    guard let whole = part.expectedDigest, let size = part.expectedBytes else { return nil }
    try location.makeFolder()
    var job = try TransferJob(of: part, at: location, secrets: monitor.store.secrets)
    job.expectedDigest = whole
    // The segments describe the kept form. If the received form differs, only the digest of the
    // whole can be compared.
    let list = SegmentList(
      of: part.part.name, in: part.episode.id, whole: whole, size: size, on: location.root)
    let recovery = PartialRecovery(
      for: job, size: size, segments: list?.digests ?? [],
      version: FetchedVersion(
        of: part.part.name, in: part.episode.id, whole: whole, on: location.root))
    let damaged = part.part.repairs == nil ? nil : location.final
    return try recovery.perform(
      from: [damaged, part.options.copy].compactMap { $0 }, reserve: settings.reserve,
      shouldStop: { scheduler.shouldStop })
  }
}
