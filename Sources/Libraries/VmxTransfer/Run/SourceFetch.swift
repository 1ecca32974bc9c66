import VmxLibrary
import VmxModel
import VmxSystem

/// Fetches a part from one source with repeated attempts, until it is whole or a retry is
/// pointless.
final class SourceFetch {
  /// The support of a source for ranges, as observed in this run.
  enum RangeSupport {
    /// As far as known, it honours `If-Range`.
    case conditional
    /// It answered `If-Range` with the whole of the same version; requests omit the field.
    case unconditional
    /// It sends another validator each time while the bytes stay the same, as inconsistent servers
    /// of a cluster do. Only the bytes themselves then distinguish its versions.
    case rotating
    /// It answered a bare range with the whole, or wrongly twice; no more ranges are requested.
    case none
  }

  /// The request of the whole file that precedes giving a source up while bytes are held.
  enum WholeRequest {
    /// It was not sent.
    case unsent
    /// It was sent after failures that may pass. If the response has the version held, the range is
    /// requested again.
    case probing
    /// The whole is available; the range is requested again.
    case rangeAgain
    /// It was sent because the source refuses ranges.
    case last
  }

  let source: TransferSource
  let url: RequestURL
  let job: TransferJob
  let part: PartialDownload
  let session: TransferSession
  let connections: ConnectionGroup
  var support = RangeSupport.conditional
  var wholeRequest = WholeRequest.unsent
  /// The number of responses of the whole that were broken off although the range failed again.
  var brokenOff = 0
  /// Whether the source has answered a range with 206 in this run.
  private(set) var hasServedRange = false
  /// Whether the held bytes are kept aside when those of the whole replace them.
  var keepsHeldAside = false
  var changes = 0
  var retryBudget: RetryBudget
  private(set) var coding: RequestChain.Coding

  /// The chain of the first connection's requests.
  var chain: RequestChain
  /// The requests of the current attempt that are still to be sent.
  var plans: [RangePlan] = []
  private var response: (Response, RangePlan)?
  /// The last request sent.
  var sent = RangePlan.fullFile
  private var retry: (delay: Int64, attempt: Int, error: TransferError)?
  /// The number of responses with other bytes than the requested range.
  private var wrongResponses = 0
  /// The offset before which held bytes were last compared with a response, and its era.
  var compared: (offset: Int64, era: Int)?
  /// The number of bytes held when the source's own URL was last requested for a fresh redirect.
  private var requestedAgainAt: Int64 = -1

  /// The number of blocks between the first and the last that are fetched again where validators
  /// are unreliable.
  static let blocksBetween = 8
  /// The number of held bytes that are fetched again in spite of a strong validator. Some servers
  /// keep the validator when the file changes.
  static let comparedBytes: Int64 = 1024

  /// - Throws: `source-unsupported` for a URL of another scheme than http and https.
  init(
    _ source: TransferSource, job: TransferJob, part: PartialDownload,
    session: TransferSession
  ) throws(TransferError) {
    guard let url = RequestURL(source.url) else {
      throw .unsupported(url: URLRedaction.redacted(source.url))
    }
    self.source = source
    self.url = url
    self.job = job
    self.part = part
    self.session = session
    chain = RequestChain(session: session, request: source.request, url: url)
    connections = ConnectionGroup(chain, part)
    retryBudget = RetryBudget(session.settings, best: part.completedBytes)
    coding = job.kind == .media ? .identity : .any
    if source.requestsWhole { _ = requestWhole(as: .probing) }
  }

  /// Counts the first connection, and lets the session serve the additional ones.
  func begin() {
    session.engine.hosts.acquire(url.origin)
    session.connections = connections
  }

  /// Closes the additional connections and releases the first one; may be called again.
  func end() {
    guard session.connections === connections else { return }
    connections.endAll()
    session.engine.hosts.release(url.origin)
    session.connections = nil
  }

  /// The known version of the held bytes, for judging responses of this source.
  var known: SourceVersion {
    var known = part.version(at: StableHash.of(url.text))
    if support == .rotating { known.validators = Validators() }
    return known
  }
}

// The phases.
extension SourceFetch {
  /// Sends the next request and checks the head of its response.
  func request() throws(TransferError) -> PartTransfer.Phase {
    try session.checkStop()
    if plans.isEmpty {
      if let error = session.penalty(of: url) { throw error }
      guard !part.isComplete else { return succeeded() }
      plans = try nextPlans()
    }
    guard let plan = plans.first else { return succeeded() }
    try session.waitForRateLimit(of: url)
    guard !part.isComplete else { return succeeded() }
    plans.removeFirst()
    sent = plan
    let response = try response(to: plan)
    do throws(TransferError) {
      try check(response, plan)
      try session.checkAnnounced(response.head)
    } catch {
      session.loop.cancel(response.transfer)
      throw error
    }
    if response.head.status == 206 { hasServedRange = true }
    part.finalURL = response.url.redacted
    self.response = (response, plan)
    return .receiving
  }

  /// Receives the body of the response.
  func receive() throws(TransferError) -> PartTransfer.Phase {
    guard let (response, plan) = response.take() else { return .requesting }
    do throws(TransferError) {
      try receive(response, plan)
    } catch {
      session.loop.cancel(response.transfer)
      throw error
    }
    // If a response was not the requested block, the next attempt fetches the missing bytes.
    if part.completedBytes == 0 || support == .none { plans = [] }
    return plans.isEmpty || part.isComplete ? succeeded() : .requesting
  }

  /// Waits before the next attempt.
  func pause() throws(TransferError) -> PartTransfer.Phase {
    if let retry = retry.take() {
      try session.pause(retry.delay, attempt: retry.attempt, after: retry.error)
    }
    return part.isComplete ? .lookingUp : .requesting
  }

  /// Decides about a failed attempt.
  ///
  /// - Throws: the error if no other attempt at this source follows.
  func recover(from error: TransferError) throws(TransferError) -> PartTransfer.Phase {
    plans = []
    if case .encoded(_, let found) = error, coding != .any {
      // After two requests for identity, the coded form is accepted if something can verify it.
      let isChecked = job.expectedDigest != nil || job.expectedSize != nil
      guard coding == .identity || CodedBody.decodes(found, isChecked: isChecked) else {
        throw error
      }
      coding = coding == .identity ? .identityOnly : .any
      return .requesting
    }
    if case .rangeBroken = error {
      wrongResponses += 1
      if wrongResponses >= 2 { support = .none }
    }
    if support == .none { connections.bar() }
    if wholeRequest == .rangeAgain, requestsWhole(after: error) { return .requesting }
    if error.isRefusal, lowersLimit(error) {
      retry = (TransferSession.slice * 3, 1, error)
      return .pausing
    }
    if let busy = session.busy(url, after: error) { throw busy }
    switch session.verdict(of: &retryBudget, after: error, held: part.completedBytes) {
    case .giveUp:
      guard requestsWhole(after: error) else { throw error }
      return .requesting
    case .retry(let delay, let attempt):
      retry = (delay, attempt, error)
      return .pausing
    }
  }

  private func succeeded() -> PartTransfer.Phase {
    plans = []
    retryBudget.succeeded(held: part.completedBytes)
    return part.isComplete ? .lookingUp : .requesting
  }
}

// Requests.
extension SourceFetch {
  /// The requests of an attempt, in order; none after a wait for the additional connections.
  private func nextPlans() throws(TransferError) -> [RangePlan] {
    if !part.isResumable, let question = endQuestion() { return [question] }
    guard part.isResumable, part.completedBytes > 0, support != .none else { return [.fullFile] }
    if let validator = known.validators.strong, !part.isForeign {
      if let gap = connections.nextForFirst() {
        return [plan(for: gap, of: validator)]
      }
      if !connections.running.isEmpty {
        try session.wait(TransferSession.slice)
      } else {
        // Nothing is missing and yet the file is not complete: its recorded version is
        // inconsistent.
        try part.reset(SourceVersion(), from: url, aside: false)
      }
      return []
    }
    if part.isForeign { return try foreignPlans() ?? [.fullFile] }
    // Without a strong validator only one contiguous run of bytes can be verified.
    part.discard(from: part.prefix)
    let between = support == .rotating ? Self.blocksBetween : 0
    guard let plans = try part.probe(between: between)?.plans else {
      return [endQuestion() ?? .fullFile]
    }
    return plans.probes + [plans.last]
  }

  /// The request of a gap of the version with this strong validator.
  ///
  /// It begins within the held bytes if no other connection is open, these bytes were not compared
  /// in the previous attempt, and no recorded digest will verify them (repair).
  private func plan(for gap: (start: Int64, end: Int64?), of validator: String) -> RangePlan {
    guard support != .unconditional else {
      return RangePlan(condition: .range, start: gap.start, end: gap.end)
    }
    let isCompared = compared.map { $0 == (gap.start, part.era) } ?? false
    let isAlone = connections.running.isEmpty && part.total != nil && !job.keepsVersion
    let overlap =
      isAlone && !isCompared ? part.held(before: gap.start, upTo: Self.comparedBytes) : 0
    return RangePlan(
      condition: .version(validator), start: gap.start - overlap, end: gap.end, overlap: overlap)
  }

  private func response(to plan: RangePlan) throws(TransferError) -> Response {
    let response = try chain.response(to: plan, coding)
    let status = response.head.status
    if [200, 203, 206].contains(status) || status == 416 && plan.condition != .fullFile {
      session.engine.memory.speedUp(response.url.origin.name)
      return response
    }
    let error = response.refusal(session)
    if response.redirects > 0, !error.isTransient, part.completedBytes > requestedAgainAt {
      // A redirect target may have expired; the source's own URL provides a fresh one. It is
      // requested once, and again only after more bytes have arrived.
      requestedAgainAt = part.completedBytes
      return try self.response(to: plan)
    }
    throw error
  }

  /// Checks the head of a response before any of its bytes is received.
  private func check(_ response: Response, _ plan: RangePlan) throws(TransferError) {
    let head = response.head
    let url = response.url.redacted
    guard head.status != 416 else { return }
    if let contradiction = head.contradiction {
      throw .protocolBroken(url: url, detail: contradiction)
    }
    try checkType(head, url)
    guard head.status != 206 || plan.condition == .fullFile else { return }
    if let detail = ResumeDecision.disguise(head, plan: plan, known: known) {
      throw .rangeBroken(url: url, detail: detail)
    }
    let total = head.total
    if let total, let expected = job.expectedSize?.bytes, total != expected {
      throw .sizeMismatch(url: url, expected: expected, found: total)
    }
    if total == 0 { throw .emptyBody(url: url) }
    switch job.kind {
    case .document(let limit):
      if let total, total > limit.bytes { throw .tooLarge(url: url, limit: limit.bytes) }
    case .media:
      if let coding = head.contentCoding, self.coding != .any {
        throw .encoded(url: url, coding: coding)
      }
    }
  }

  private func checkType(_ head: ResponseHead, _ url: String) throws(TransferError) {
    guard let type = head.contentType else { return }
    if job.kind == .media, MediaType.isPage(type) { throw .notMedia(url: url, type: type) }
    if let declared = job.declaredType, MediaType.contradict(declared: declared, found: type) {
      throw .typeMismatch(url: url, declared: declared, found: type)
    }
  }

  /// Lowers the limit of connections: the host may have refused because there were too many.
  ///
  /// - Returns: whether the next attempt may follow immediately.
  private func lowersLimit(_ error: TransferError) -> Bool {
    let wait = error.retryAt.map { $0.milliseconds - session.now.milliseconds }
    let until = wait.map { Deadline.nowMilliseconds + $0 } ?? 0
    return session.engine.hosts.lowerLimit(url.origin, until: until) && wait == nil
  }
}
