import VmxModel

// The comparison of a response with the bytes held.
extension SourceFetch {
  /// Receives the usable part of a response and updates what is known of the source.
  func receive(_ response: Response, _ plan: RangePlan) throws(TransferError) {
    let decision = ResumeDecision.of(
      response.head, to: plan, known: known, held: part.prefix)
    if decision.isChange, try rotates(response) {
      session.loop.abandon(response.transfer)
      support = .rotating
      return connections.bar()
    }
    switch decision {
    case .take(let start, let end):
      try takeRange(ByteRange(start..<end), response, plan)
    case .startOver(let reason):
      try takeWhole(response, reason)
    case .breakOff(.rangeAlone):
      session.loop.abandon(response.transfer)
      support = .unconditional
      connections.bar()
    case .breakOff(.changed):
      session.loop.abandon(response.transfer)
      try changed()
    case .breakOff(.discard) where part.end == .unsure:
      response.transfer.discard()
      try judgeEnd(response)
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

  private func takeRange(
    _ range: ByteRange, _ response: Response, _ plan: RangePlan
  ) throws(TransferError) {
    let body = BodyReceiver(response, self)
    let agrees = try body.receiveRange(range, plan) {
      guard !plan.isProbe else { return }
      if plan.overlap > 0 { part.drop(from: range.start + plan.overlap) }
      part.goOn(response.head.sourceVersion, from: url, probed: plan.overlap > 0)
    }
    guard agrees else {
      session.loop.abandon(response.transfer)
      return try changed()
    }
    if body.isCut { return session.loop.abandon(response.transfer) }
    // A range shorter than requested is accepted but counts as a cut. Many small requests without a
    // pause would burden the server.
    if let end = plan.end ?? part.total, range.end < end {
      throw .cut(url: response.url.shown, held: part.held, total: part.total)
    }
  }

  private func takeWhole(
    _ response: Response, _ reason: ResumeDecision.Reason
  ) throws(TransferError) {
    if reason == .noRanges {
      support = .none
      connections.bar()
    }
    if part.end == .unsure { return try repeatWhole(response) }
    if reason == .changed { try countChange() }
    let body = BodyReceiver(response, self)
    let version = response.head.sourceVersion
    let endsWithConnection = response.head.endsWithConnection
    // Where only the connection indicates the end, a published size reveals a cut.
    let published = endsWithConnection ? job.expectedSize?.bytes : nil
    try body.receiveWhole(total: version.total ?? published) { () throws(TransferError) in
      part.isResumable = job.kind == .media && coding != .any
      try part.startOver(version, from: url, aside: reason == .changed)
    }
    if body.isCut { return session.loop.abandon(response.transfer) }
    if endsWithConnection, published == nil, !isDigestKnown { part.doubtsEnd() }
  }

  /// Whether the validator may be the only change.
  ///
  /// It may be after an earlier change in this run, if the length is the same and the bytes were
  /// the same at the earlier change. It is then no new version yet: the probes of the next
  /// attempt decide.
  private func rotates(_ response: Response) throws(TransferError) -> Bool {
    let version = response.head.sourceVersion
    guard changes > 0, support != .rotating, part.isResumable, part.total != nil,
      version.total == part.total,
      part.version.published == nil || version.published == part.version.published
    else { return false }
    return try part.agreesWithAside()
  }

  /// Discards the held bytes because the source has another version now.
  func changed() throws(TransferError) {
    try countChange()
    if support == .rotating { support = .conditional }
    try part.startOver(SourceVersion(), from: url, aside: true)
    retryBudget.startsOver()
  }

  /// Counts a change of the source; after too many changes the source is given up.
  func countChange() throws(TransferError) {
    changes += 1
    retryBudget.startsOver()
    guard changes < session.settings.attempts, !job.keepsVersion else {
      throw .sourceChanged(url: url.shown)
    }
  }
}

// Some bodies end only with the connection: HTTP/1.0 without a length, or a server that omits it.
// Such a body may be cut, and a cut file must never get its final name. The received bytes are
// therefore treated as the beginning of a file, and the rest is requested. Mostly the source says
// that there is none, which costs a request without a body. A source without ranges is fetched once
// more. Both bodies must be the same up to the same end; a longer second body shows that the first
// was cut. A published digest or size makes all of this unnecessary.
extension SourceFetch {
  /// Whether a published digest will reveal missing bytes.
  private var isDigestKnown: Bool {
    job.expectedDigest != nil || part.version.published != nil
  }

  /// Processes the response that nothing follows the held bytes.
  ///
  /// - Throws: `body-cut` if the file is longer after all; no more ranges are requested then.
  private func judgeEnd(_ response: Response) throws(TransferError) {
    let version = response.head.sourceVersion
    let held = part.prefix
    guard part.version.agreement(with: version) != .different else { return try changed() }
    switch version.total {
    case nil, held: part.ends(at: held, published: nil)
    case let total? where total > held:
      support = .none
      connections.bar()
      throw .cut(url: response.url.shown, held: held, total: total)
    default: try changed()
    }
  }

  /// Fetches the whole file once more and compares it.
  private func repeatWhole(_ response: Response) throws(TransferError) {
    let body = BodyReceiver(response, self)
    let version = response.head.sourceVersion
    var differs = false
    let isSame = try body.receiveAgain(total: version.total) { isOther in
      differs = isOther
      part.belongs(to: version, of: url)
    }
    if isSame { return part.isConfirmed() }
    if differs { try countChange() }
    if let total = version.total { part.ends(at: total, published: version.published) }
  }
}
