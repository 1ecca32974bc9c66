import VmxModel

/// Fetches a part from one source: attempt after attempt, until it is whole or there is no sense
/// in asking again.
struct SourceFetch {
  let context: RunContext
  let source: TransferSource
  let url: RequestURL
  private let asker: Asker
  private let lanes: Lanes
  private var memory = RangeMemory()
  private var patience: Patience
  private var changes = 0
  /// Bytes held when the source's own URL was last asked for a fresh redirect.
  private var askedAgainAt: Int64 = -1
  private var insistsOnIdentity = false
  private var decodes: Bool

  /// - Throws: `source-unsupported` for a URL of another scheme than http and https.
  init(_ source: TransferSource, _ context: RunContext, held: Int64) throws(TransferError) {
    guard let url = RequestURL(source.url) else {
      throw .unsupported(url: RequestURL.shown(source.url))
    }
    self.source = source
    self.context = context
    self.url = url
    let asker = Asker(context: context, source: source, url: url)
    self.asker = asker
    lanes = Lanes(context, asker, source: StableHash.of(url.text))
    patience = Patience(context.settings, held: held)
    decodes = context.job.kind != .media
  }

  private var key: UInt64 { StableHash.of(url.text) }

  /// Fetches what is missing.
  mutating func fetch(_ part: inout HeldPart) throws(TransferError) {
    context.hosts.enter(url.origin)
    defer {
      lanes.endAll()
      context.hosts.leave(url.origin)
    }
    while !part.isWhole {
      try context.checkStop()
      do throws(TransferError) {
        try attempt(&part)
        patience.succeeded(held: part.held)
      } catch {
        try recover(from: error, &part)
      }
    }
  }

  private mutating func attempt(_ part: inout HeldPart) throws(TransferError) {
    let known = part.version(at: key)
    guard part.isResumable, part.held > 0, !memory.hasNoRanges else {
      return try take(.whole, &part)
    }
    if let validator = known.validators.strong {
      guard let gap = lanes.nextForFirst(part) else {
        return try lanes.rest(RunContext.slice, &part)
      }
      let plan = RangePlan(
        condition: memory.ignoresCondition ? .range : .version(validator), start: gap.start,
        end: gap.end)
      return try take(plan, &part)
    }
    // Without a strong validator only one run of bytes can be proven.
    part.drop(from: part.prefix)
    guard let plans = try part.probe()?.plans else { return try take(.whole, &part) }
    try take(plans.first, &part)
    // Where the first answer was not the block asked for, the next attempt sees to the rest.
    if part.held > 0, !memory.hasNoRanges, !part.isWhole { try take(plans.last, &part) }
  }

  /// Makes one request and takes what it gives.
  private mutating func take(_ plan: RangePlan, _ part: inout HeldPart) throws(TransferError) {
    let answer = try ask(plan, &part)
    do throws(TransferError) {
      try check(answer, part)
      part.finalURL = answer.url.shown
      try receive(answer, plan, &part)
    } catch {
      context.loop.abandon(answer.exchange)
      throw error
    }
  }

  private mutating func ask(
    _ plan: RangePlan, _ part: inout HeldPart
  ) throws(TransferError) -> Answer {
    let answer = try asker.ask(
      plan, decodes: decodes, insists: insistsOnIdentity, lanes, &part)
    let status = answer.head.status
    if [200, 203, 206].contains(status) || status == 416 && plan.condition != .whole {
      return answer
    }
    answer.exchange.discard()
    let error = answer.failure(context)
    if answer.redirects > 0, !error.isPassing, part.held > askedAgainAt {
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
    _ answer: Answer, _ part: borrowing HeldPart
  ) throws(TransferError) {
    let head = answer.head
    let url = answer.url.shown
    guard head.status != 416 else { return }
    if head.contradictsItself {
      throw .protocolBroken(url: url, detail: "the length is told in two ways")
    }
    let total = head.sourceVersion.total
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
    from error: TransferError, _ part: inout HeldPart
  ) throws(TransferError) {
    if case .encoded = error, !decodes, try decodeInstead(error) { return }
    if case .rangeBroken = error { memory.wasWrong() }
    if memory.hasNoRanges { lanes.bar() }
    if error.isRefusal, makesRoom(error) {
      let pause = RunContext.slice * 3
      return try context.pause(pause, attempt: 1, after: error, lanes, &part)
    }
    switch context.verdict(of: &patience, after: error, held: part.held) {
    case .giveUp: throw error.withTime(after: context.clock.now, context.settings)
    case .retry(let delay, let attempt):
      try context.pause(delay, attempt: attempt, after: error, lanes, &part)
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

// Where an answer meets what is held.
extension SourceFetch {
  private mutating func receive(
    _ answer: Answer, _ plan: RangePlan, _ part: inout HeldPart
  ) throws(TransferError) {
    let known = part.version(at: key)
    switch RangeDecision.of(answer.head, to: plan, known: known, held: part.prefix) {
    case .take(let start, let end):
      try takeRange(ByteRange(start..<end), answer, plan, &part)
    case .startOver(let reason):
      try takeWhole(answer, reason, &part)
    case .breakOff(.rangeAlone):
      context.loop.abandon(answer.exchange)
      memory.ignoresCondition = true
      lanes.bar()
    case .breakOff(.changed):
      context.loop.abandon(answer.exchange)
      try changed(&part)
    case .breakOff(.discard):
      answer.exchange.discard()
      try part.startOver(SourceVersion(), from: url, aside: false)
    case .isWhole:
      answer.exchange.discard()
      part.ends(at: part.prefix, published: nil)
    case .refuse(let detail):
      throw .rangeBroken(url: answer.url.shown, detail: detail)
    }
  }

  private mutating func takeRange(
    _ range: ByteRange, _ answer: Answer, _ plan: RangePlan, _ part: inout HeldPart
  ) throws(TransferError) {
    var body = BodyFetch(answer, lanes, context)
    let url = url
    let agrees = try body.takeRange(range, plan, &part) { part in
      guard !plan.isProbe else { return }
      if plan.overlap > 0 { part.drop(from: range.start + plan.overlap) }
      part.goOn(answer.head.sourceVersion, from: url, probed: plan.overlap > 0)
    }
    guard agrees else {
      context.loop.abandon(answer.exchange)
      return try changed(&part)
    }
    if body.isCut { return context.loop.abandon(answer.exchange) }
    // A range shorter than asked for is taken, but counts as a cut: piece by piece without a
    // pause would burden the server.
    if let end = plan.end ?? part.total, range.end < end {
      throw .cut(url: answer.url.shown, held: part.held, total: part.total)
    }
  }

  private mutating func takeWhole(
    _ answer: Answer, _ reason: RangeDecision.Reason, _ part: inout HeldPart
  ) throws(TransferError) {
    if reason == .noRanges {
      memory.hasNoRanges = true
      lanes.bar()
    }
    if reason == .changed { try countChange() }
    var body = BodyFetch(answer, lanes, context)
    let version = answer.head.sourceVersion
    let url = url
    let isResumable = context.job.kind == .media && !decodes
    let endsWithConnection = answer.head.endsWithConnection
    // Where only the connection tells the end, a published length tells a cut.
    let published = endsWithConnection ? context.job.expectedSize?.bytes : nil
    try body.takeWhole(total: version.total ?? published, &part) { part throws(TransferError) in
      part.isResumable = isResumable
      try part.startOver(version, from: url, aside: reason == .changed)
      part.isEndUnsure = endsWithConnection
    }
    if body.isCut { context.loop.abandon(answer.exchange) }
  }

  /// What is held is of another version than the source has now.
  private mutating func changed(_ part: inout HeldPart) throws(TransferError) {
    try countChange()
    try part.startOver(SourceVersion(), from: url, aside: true)
    patience.startsOver()
  }

  private mutating func countChange() throws(TransferError) {
    changes += 1
    patience.startsOver()
    if changes >= context.settings.attempts { throw .sourceChanged(url: url.shown) }
  }
}
