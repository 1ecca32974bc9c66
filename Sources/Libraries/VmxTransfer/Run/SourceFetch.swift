import VmxModel

/// Fetches a part from one source: attempt after attempt, until it is whole or there is no sense
/// in asking again.
struct SourceFetch {
  let context: RunContext
  let source: TransferSource
  let url: RequestURL
  private let chain: RequestChain
  let connections: ConnectionGroup
  var memory = RangeMemory()
  var retryBudget: RetryBudget
  var changes = 0
  /// Bytes held when the source's own URL was last asked for a fresh redirect.
  private var askedAgainAt: Int64 = -1
  private var insistsOnIdentity = false
  var decodes: Bool

  /// Blocks between the ends that are fetched again where validators tell nothing.
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

  /// What is known of the bytes held, as an answer of this source is to be judged by it.
  func known(_ part: borrowing PartialDownload) -> SourceVersion {
    var known = part.version(at: StableHash.of(url.text))
    if memory.rotatesValidators { known.validators = Validators() }
    return known
  }

  /// Fetches what is missing.
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
        // Nothing is missing and the file is not whole: what is known of it contradicts itself.
        return try part.startOver(SourceVersion(), from: url, aside: false)
      }
      let plan = RangePlan(
        condition: memory.ignoresCondition ? .range : .version(validator), start: gap.start,
        end: gap.end)
      return try take(plan, &part)
    }
    // Without a strong validator only one run of bytes can be proven.
    part.drop(from: part.prefix)
    let between = memory.rotatesValidators ? Self.blocksBetween : 0
    guard let plans = try part.probe(between: between)?.plans else {
      return try take(.whole, &part)
    }
    for plan in plans.probes + [plans.last] {
      try take(plan, &part)
      // Where an answer was not the block asked for, the next attempt sees to the rest.
      if part.held == 0 || memory.hasNoRanges || part.isWhole { return }
    }
  }

  /// Makes one request and takes what it gives.
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
      // What a redirect leads to may have run out; its origin gives a fresh one. Once more only,
      // until bytes have come that way.
      askedAgainAt = part.held
      return try ask(plan, &part)
    }
    throw error
  }
}

// What an answer must be before a byte of it is taken.
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

// What follows a failure.
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

  /// It may have been one connection too many: the next attempt finds one fewer.
  ///
  /// - Returns: whether that may follow at once.
  private func makesRoom(_ error: TransferError) -> Bool {
    let wait = error.retryAt.map { $0.milliseconds - context.clock.now.milliseconds }
    let until = wait.map { MonotonicTime.now + $0 } ?? 0
    return context.hosts.makesRoom(url.origin, until: until) && wait == nil
  }

  /// Asks for identity once more, then takes the coded form if its bytes can be checked.
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
