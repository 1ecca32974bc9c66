import VmxLibrary
import VmxModel

// The comparison of a response with the bytes held.
extension SourceFetch {
  /// Receives the usable part of a response and updates what is known about the source.
  func receive(_ response: Response, _ plan: RangePlan) throws(TransferError) {
    if breaksOff(response, plan) { return session.loop.cancel(response.transfer) }
    if plan == endQuestion(), response.head.status == 206 { throw try followingBytes(response) }
    let decision = ResumeDecision.of(
      response.head, to: plan, known: known, held: part.prefix)
    if decision.isChange, try isRotating(response) {
      session.loop.cancel(response.transfer)
      support = .rotating
      return connections.bar()
    }
    switch decision {
    case .append(let start, let end):
      try receiveRange(ByteRange(start..<end), of: response, plan: plan)
    case .startOver(let reason):
      try receiveWhole(response, reason)
    case .abandon(.rangeAlone):
      session.loop.cancel(response.transfer)
      support = .unconditional
      connections.bar()
    case .abandon(.changed):
      session.loop.cancel(response.transfer)
      try changed()
    case .abandon(.discard) where part.end == .ambiguous:
      response.transfer.discard()
      try checkEnd(response)
    case .abandon(.discard):
      response.transfer.discard()
      try part.reset(SourceVersion(), from: url, aside: false)
    case .complete:
      response.transfer.discard()
      part.ends(at: part.prefix, published: nil)
    case .refuse(let detail):
      throw .rangeBroken(url: response.url.redacted, detail: detail)
    }
  }

  private func receiveRange(
    _ range: ByteRange, of response: Response, plan: RangePlan
  ) throws(TransferError) {
    let body = BodyReceiver(response, self)
    let agrees = try body.receiveRange(range, plan) {
      let version = response.head.sourceVersion
      guard !plan.isProbe else { return part.adoptValidators(with: version, from: url) }
      if plan.overlap > 0 { compared = (range.start + plan.overlap, part.era) }
      // The bytes after a plan with an end are already held.
      if plan.isProvedByOverlap, plan.end == nil { part.discard(from: range.start + plan.overlap) }
      part.adoptVersion(version, from: url, probed: plan.isProvedByOverlap)
    }
    guard agrees else {
      session.loop.cancel(response.transfer)
      return try changed()
    }
    if body.isTruncated { return session.loop.cancel(response.transfer) }
    // A range shorter than requested is accepted but counts as a cut. Many small requests without a
    // pause would burden the server.
    let joint = plan.overlap > 0 ? range.start + plan.overlap : nil
    if let end = plan.end ?? part.total ?? joint, range.end < end {
      throw .cut(url: response.url.redacted, held: part.completedBytes, total: part.total)
    }
  }

  private func receiveWhole(
    _ response: Response, _ reason: ResumeDecision.Reason
  ) throws(TransferError) {
    if reason == .noRanges {
      support = .none
      connections.bar()
    }
    if reason == .changed {
      try countChange()
    } else if part.end == .ambiguous {
      return try restartFromZero(response)
    }
    let body = BodyReceiver(response, self)
    var version = response.head.sourceVersion
    if response.head.contentCoding != nil {
      // Offsets and validators are those of the coded form, which is not held.
      version.validators = Validators()
      support = .none
      connections.bar()
    }
    // If the response does not mark its end, a published size reveals a cut.
    let published = response.head.hasFramedEnd ? nil : job.expectedSize?.bytes
    try body.receiveWhole(total: version.total ?? published) { () throws(TransferError) in
      part.isResumable = job.kind == .media && coding != .any
      try part.reset(version, from: url, aside: reason == .changed || keepsHeldAside)
      if keepsHeldAside { retryBudget.reset() }
      keepsHeldAside = false
    }
    if body.isTruncated { return session.loop.cancel(response.transfer) }
  }

  /// Whether the validator may be the only change.
  ///
  /// That is so after an earlier change in this run, if the length is the same and the bytes were
  /// the same at the earlier change. The response then does not count as a new version yet: the
  /// probes of the next attempt decide.
  private func isRotating(_ response: Response) throws(TransferError) -> Bool {
    let version = response.head.sourceVersion
    guard changes > 0, support != .rotating, part.isResumable,
      part.total != nil || part.end == .ambiguous, version.total == part.total,
      part.version.published == nil || version.published == part.version.published
    else { return false }
    return try part.matchesRejectedFile()
  }

  /// Discards the held bytes because the source has another version now.
  func changed() throws(TransferError) {
    try countChange()
    if support == .rotating { support = .conditional }
    try part.reset(SourceVersion(), from: url, aside: true)
    retryBudget.reset()
  }

  /// Counts a change of the source; after too many changes the source is given up.
  func countChange() throws(TransferError) {
    changes += 1
    retryBudget.reset()
    guard changes < session.settings.attempts, !job.keepsVersion else {
      throw .sourceChanged(url: url.redacted)
    }
  }
}

// Some responses do not mark their end: those that end with a connection, unless TLS announces the
// end by close_notify, and HTTP/2 streams without a length (`ResponseHead.hasFramedEnd`). Such a
// body may be cut, and a cut file must never get its final name. The received bytes are therefore
// treated as the beginning of a file, and the bytes after them are requested. Usually the source
// responds that there are none, which costs a request without a body. A source without ranges is
// fetched once more if that response can mark its end: with a length, with chunks instead of
// HTTP/2, or by TLS. A second body with the same end proves nothing: it may be cut by the same
// limit. If no response can mark its end, a container that states its own length and is complete to
// its last byte counts as the whole file. A published digest or size makes all of this unnecessary.
extension SourceFetch {
  /// The request that only checks whether bytes follow the held ones; nil if their end is sure, or
  /// if the usual requests show it.
  func endQuestion() -> RangePlan? {
    guard part.end == .ambiguous, support != .none else { return nil }
    let validator = support == .unconditional ? nil : known.validators.strong
    guard !part.isResumable || known.validators.strong == nil else { return nil }
    return RangePlan(condition: validator.map { .version($0) } ?? .range, start: part.prefix)
  }

  /// Discards the held bytes because more of the file follows them, and they cannot be continued.
  private func followingBytes(_ response: Response) throws(TransferError) -> TransferError {
    let held = part.completedBytes
    try part.reset(SourceVersion(), from: url, aside: false)
    return .cut(url: response.url.redacted, held: held, total: response.head.total)
  }

  /// Processes the response that no bytes follow the held ones.
  ///
  /// - Throws: `range-broken` if the file is longer after all.
  private func checkEnd(_ response: Response) throws(TransferError) {
    let version = response.head.sourceVersion
    let held = part.prefix
    guard part.version.agreement(with: version) != .different else { return try changed() }
    switch version.total {
    case held: part.ends(at: held, published: nil)
    case nil:
      // A server that refuses every range does not indicate the end.
      support = .none
      connections.bar()
    case let total? where total > held:
      throw .rangeBroken(
        url: response.url.redacted, detail: "received nothing from byte \(held) of \(total) on")
    default: try changed()
    }
  }

  /// Fetches the whole file once more and compares it, if the response can tell its end.
  ///
  /// - Throws: `body-cut` if no response of this source can mark its end.
  private func restartFromZero(_ response: Response) throws(TransferError) {
    let head = response.head
    let isOfOne = head.version.hasPrefix("1")
    if !head.hasFramedEnd, !isOfOne || response.url.origin.scheme != "https" {
      guard !isOfOne, !chain.showsLastChunk else {
        guard job.kind == .media, try part.endsByStructure() else {
          throw .endUnseen(url: response.url.redacted)
        }
        return session.loop.cancel(response.transfer)
      }
      session.loop.cancel(response.transfer)
      chain.showsLastChunk = true
      return
    }
    let version = head.sourceVersion
    var differs = false
    try BodyReceiver(response, self).receiveAgain(total: version.total) { isOther in
      differs = isOther
      part.belongs(to: version, of: url)
    }
    if differs { try countChange() }
  }
}
