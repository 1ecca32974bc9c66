import VmxModel

/// Fetches a part from one source with repeated attempts, until it is whole or a retry is
/// pointless.
struct SourceFetch {
  let context: RunContext
  let source: TransferSource
  let url: RequestURL
  private let chain: RequestChain
  let connections: ConnectionGroup
  var memory = RangeMemory()
  var retryBudget: RetryBudget
  var changes = 0
  /// The number of bytes held when the source's own URL was last asked for a fresh redirect.
  private var askedAgainAt: Int64 = -1
  private var insistsOnIdentity = false
  var decodes: Bool

  /// The number of blocks between the first and the last that are fetched again where validators
  /// are unreliable.
  private static let blocksBetween = 8

  /// - Throws: `source-unsupported` for a URL of another scheme than http and https.
  init(_ source: TransferSource, _ context: RunContext, held: Int64) throws(TransferError) {
    guard let url = RequestURL(source.url) else {
      throw .unsupported(url: URLRedaction.redacted(source.url))
    }
    self.source = source
    self.context = context
    self.url = url
    let chain = RequestChain(context: context, source: source, url: url)
    self.chain = chain
    connections = ConnectionGroup(context, chain, source: StableHash.of(url.text))
    retryBudget = RetryBudget(context.settings, held: held)
    decodes = context.job.kind != .media
  }

  /// The known version of the held bytes, for judging responses of this source.
  func known(_ part: borrowing PartialDownload) -> SourceVersion {
    var known = part.version(at: StableHash.of(url.text))
    if memory.rotatesValidators { known.validators = Validators() }
    return known
  }

  /// Fetches the missing bytes.
  mutating func fetch(_ part: inout PartialDownload) throws(TransferError) {
    context.hosts.enter(url.origin)
    defer {
      connections.endAll()
      context.hosts.leave(url.origin)
    }
    while !part.isWhole {
      try context.checkStop()
      do throws(TransferError) {
        try attempt(&part)
        retryBudget.succeeded(held: part.held)
      } catch {
        try recover(from: error, &part)
      }
    }
  }

  private mutating func attempt(_ part: inout PartialDownload) throws(TransferError) {
    try context.heedQuiet(url, connections, &part)
    guard !part.isWhole else { return }
    guard part.isResumable, part.held > 0, !memory.hasNoRanges else {
      return try take(.whole, &part)
    }
    if let validator = known(part).validators.strong {
      guard let gap = connections.nextForFirst(part) else {
        guard connections.running.isEmpty else {
          return try connections.rest(RunContext.slice, &part)
        }
        // Nothing is missing and yet the file is not whole: its recorded version contradicts
        // itself.
        return try part.startOver(SourceVersion(), from: url, aside: false)
      }
      let plan = RangePlan(
        condition: memory.ignoresCondition ? .range : .version(validator), start: gap.start,
        end: gap.end)
      return try take(plan, &part)
    }
    // Without a strong validator only one contiguous run of bytes can be verified.
    part.drop(from: part.prefix)
    let between = memory.rotatesValidators ? Self.blocksBetween : 0
    guard let plans = try part.probe(between: between)?.plans else {
      return try take(.whole, &part)
    }
    for plan in plans.probes + [plans.last] {
      try take(plan, &part)
      // If a response was not the requested block, the next attempt fetches the rest.
      if part.held == 0 || memory.hasNoRanges || part.isWhole { return }
    }
  }

  /// Sends one request and receives its response.
  private mutating func take(_ plan: RangePlan, _ part: inout PartialDownload) throws(TransferError)
  {
    try context.heedBudget(url, connections, &part)
    guard !part.isWhole else { return }
    let response = try ask(plan, &part)
    do throws(TransferError) {
      try check(response, part)
      part.finalURL = response.url.shown
      try receive(response, plan, &part)
    } catch {
      context.loop.abandon(response.transfer)
      throw error
    }
  }

  private mutating func ask(
    _ plan: RangePlan, _ part: inout PartialDownload
  ) throws(TransferError) -> Response {
    let response = try chain.ask(
      plan, decodes: decodes, insists: insistsOnIdentity, connections, &part)
    let status = response.head.status
    if [200, 203, 206].contains(status) || status == 416 && plan.condition != .whole {
      return response
    }
    response.transfer.discard()
    let error = response.failure(context)
    if response.redirects > 0, !error.isPassing, part.held > askedAgainAt {
      // A redirect target may have expired; the source's own URL gives a fresh one. It is asked
      // once, and again only after more bytes have arrived.
      askedAgainAt = part.held
      return try ask(plan, &part)
    }
    throw error
  }
}

// The checks of a response before any of its bytes is received.
extension SourceFetch {
  private mutating func check(
    _ response: Response, _ part: borrowing PartialDownload
  ) throws(TransferError) {
    let head = response.head
    let url = response.url.shown
    guard head.status != 416 else { return }
    if head.contradictsItself {
      throw .protocolBroken(url: url, detail: "the length is told in two ways")
    }
    let total = head.total
    guard head.status != 206 else { return }
    if let total, let expected = context.job.expectedSize?.bytes, total != expected {
      throw .sizeMismatch(url: url, expected: expected, found: total)
    }
    if total == 0 { throw .emptyBody(url: url) }
    try checkType(head.contentType, url)
    switch context.job.kind {
    case .document(let limit):
      if let total, total > limit.bytes { throw .tooLarge(url: url, limit: limit.bytes) }
    case .media:
      if let coding = head.contentCoding, !decodes {
        throw .encoded(url: url, coding: coding)
      }
    }
  }

  private func checkType(_ type: String?, _ url: String) throws(TransferError) {
    guard let type else { return }
    if context.job.kind == .media, MediaType.isPage(type) { throw .notMedia(url: url, type: type) }
    if let declared = context.job.declaredType,
      MediaType.contradict(declared: declared, found: type)
    {
      throw .typeMismatch(url: url, declared: declared, found: type)
    }
  }
}

// Recovery after a failure.
extension SourceFetch {
  private mutating func recover(
    from error: TransferError, _ part: inout PartialDownload
  ) throws(TransferError) {
    if case .encoded = error, !decodes, try decodeInstead(error) { return }
    if case .rangeBroken = error { memory.wasWrong() }
    if memory.hasNoRanges { connections.bar() }
    if error.isRefusal, makesRoom(error) {
      let pause = RunContext.slice * 3
      return try context.pause(pause, attempt: 1, after: error, connections, &part)
    }
    switch context.verdict(of: &retryBudget, after: error, held: part.held) {
    case .giveUp: throw error.withTime(after: context.clock.now, context.settings)
    case .retry(let delay, let attempt):
      try context.pause(delay, attempt: attempt, after: error, connections, &part)
    }
  }

  /// Gives up one additional connection: the host may have refused because there were too many.
  ///
  /// - Returns: whether the next attempt may follow at once.
  private func makesRoom(_ error: TransferError) -> Bool {
    let wait = error.retryAt.map { $0.milliseconds - context.clock.now.milliseconds }
    let until = wait.map { MonotonicTime.now + $0 } ?? 0
    return context.hosts.makesRoom(url.origin, until: until) && wait == nil
  }

  /// Requests the identity coding once more, then accepts the coded form if a published digest or
  /// size can check it.
  private mutating func decodeInstead(_ error: TransferError) throws(TransferError) -> Bool {
    guard insistsOnIdentity else {
      insistsOnIdentity = true
      return true
    }
    guard context.job.expectedDigest != nil || context.job.expectedSize != nil else {
      throw error
    }
    decodes = true
    return true
  }
}
