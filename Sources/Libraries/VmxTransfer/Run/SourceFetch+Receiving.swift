import VmxModel

// The comparison of a response with the bytes held.
extension SourceFetch {
  /// Receives the usable part of a response and updates what is known of the source.
  mutating func receive(
    _ response: Response, _ plan: RangePlan, _ part: inout PartialDownload
  ) throws(TransferError) {
    let decision = RangeDecision.of(
      response.head, to: plan, known: known(part), held: part.prefix)
    if decision.isChange, try rotates(response, part) {
      context.loop.abandon(response.transfer)
      memory.rotatesValidators = true
      return connections.bar()
    }
    switch decision {
    case .take(let start, let end):
      try takeRange(ByteRange(start..<end), response, plan, &part)
    case .startOver(let reason):
      try takeWhole(response, reason, &part)
    case .breakOff(.rangeAlone):
      context.loop.abandon(response.transfer)
      memory.ignoresCondition = true
      connections.bar()
    case .breakOff(.changed):
      context.loop.abandon(response.transfer)
      try changed(&part)
    case .breakOff(.discard) where part.isEndUnsure:
      response.transfer.discard()
      try judgeEnd(response, &part)
    case .breakOff(.discard):
      response.transfer.discard()
      try part.startOver(SourceVersion(), from: url, aside: false)
    case .isWhole:
      response.transfer.discard()
      part.ends(at: part.prefix, published: nil)
    case .refuse(let detail):
      throw .rangeBroken(url: response.url.shown, detail: detail)
    }
  }

  private mutating func takeRange(
    _ range: ByteRange, _ response: Response, _ plan: RangePlan, _ part: inout PartialDownload
  ) throws(TransferError) {
    var body = BodyFetch(response, connections, context)
    let url = url
    let agrees = try body.takeRange(range, plan, &part) { part in
      guard !plan.isProbe else { return }
      if plan.overlap > 0 { part.drop(from: range.start + plan.overlap) }
      part.goOn(response.head.sourceVersion, from: url, probed: plan.overlap > 0)
    }
    guard agrees else {
      context.loop.abandon(response.transfer)
      return try changed(&part)
    }
    if body.isCut { return context.loop.abandon(response.transfer) }
    // A range shorter than requested is accepted but counts as a cut. Many small requests without a
    // pause would burden the server.
    if let end = plan.end ?? part.total, range.end < end {
      throw .cut(url: response.url.shown, held: part.held, total: part.total)
    }
  }

  private mutating func takeWhole(
    _ response: Response, _ reason: RangeDecision.Reason, _ part: inout PartialDownload
  ) throws(TransferError) {
    if reason == .noRanges {
      memory.hasNoRanges = true
      connections.bar()
    }
    if part.isEndUnsure { return try repeatWhole(response, &part) }
    if reason == .changed { try countChange() }
    var body = BodyFetch(response, connections, context)
    let version = response.head.sourceVersion
    let url = url
    let isResumable = context.job.kind == .media && !decodes
    let endsWithConnection = response.head.endsWithConnection
    // Where only the connection indicates the end, a published size reveals a cut.
    let published = endsWithConnection ? context.job.expectedSize?.bytes : nil
    try body.takeWhole(total: version.total ?? published, &part) { part throws(TransferError) in
      part.isResumable = isResumable
      try part.startOver(version, from: url, aside: reason == .changed)
    }
    if body.isCut { return context.loop.abandon(response.transfer) }
    if endsWithConnection, published == nil, !isDigestKnown(part) { part.doubtsEnd() }
  }

  /// Whether the validator may be the only change.
  ///
  /// It may be after an earlier change in this run, if the length is the same and the bytes were
  /// the same at the earlier change. It is then no new version yet: the probes of the next
  /// attempt decide.
  private func rotates(
    _ response: Response, _ part: borrowing PartialDownload
  ) throws(TransferError) -> Bool {
    let version = response.head.sourceVersion
    guard changes > 0, !memory.rotatesValidators, part.isResumable, part.total != nil,
      version.total == part.total,
      part.version.published == nil || version.published == part.version.published
    else { return false }
    return try part.agreesWithAside()
  }

  /// Discards the held bytes because the source has another version now.
  mutating func changed(_ part: inout PartialDownload) throws(TransferError) {
    try countChange()
    memory.rotatesValidators = false
    try part.startOver(SourceVersion(), from: url, aside: true)
    retryBudget.startsOver()
  }

  /// Counts a change of the source; after too many changes the source is given up.
  mutating func countChange() throws(TransferError) {
    changes += 1
    retryBudget.startsOver()
    guard changes < context.settings.attempts, !context.job.keepsVersion else {
      throw .sourceChanged(url: url.shown)
    }
  }
}
