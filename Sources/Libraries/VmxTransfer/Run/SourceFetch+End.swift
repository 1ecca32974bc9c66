import VmxModel

// Some bodies end only with the connection: HTTP/1.0 without a length, or a server that omits it.
// Such a body may be cut, and a cut file must never get its final name. The received bytes are
// therefore treated as the beginning of a file, and the rest is requested. Mostly the source says
// that there is none, which costs a request without a body. A source without ranges is fetched once
// more. Both bodies must be the same up to the same end; a longer second body shows that the first
// was cut. A published digest or size makes all of this unnecessary.
extension SourceFetch {
  /// Whether a published digest will reveal missing bytes.
  func isDigestKnown(_ part: borrowing PartialDownload) -> Bool {
    context.job.expectedDigest != nil || part.version.published != nil
  }

  /// Processes the response that nothing follows the held bytes.
  ///
  /// - Throws: `body-cut` if the file is longer after all; no more ranges are requested then.
  mutating func judgeEnd(
    _ response: Response, _ part: inout PartialDownload
  ) throws(TransferError) {
    let version = response.head.sourceVersion
    let held = part.prefix
    guard part.version.agreement(with: version) != .different else { return try changed(&part) }
    switch version.total {
    case nil, held: part.ends(at: held, published: nil)
    case let total? where total > held:
      memory.hasNoRanges = true
      connections.bar()
      throw .cut(url: response.url.shown, held: held, total: total)
    default: try changed(&part)
    }
  }

  /// Fetches the whole file once more and compares it.
  mutating func repeatWhole(
    _ response: Response, _ part: inout PartialDownload
  ) throws(TransferError) {
    var body = BodyFetch(response, connections, context)
    let version = response.head.sourceVersion
    let url = url
    var differs = false
    let isSame = try body.takeAgain(total: version.total, &part) { part, isOther in
      differs = isOther
      part.belongs(to: version, of: url)
    }
    if isSame { return part.isConfirmed() }
    if differs { try countChange() }
    if let total = version.total { part.ends(at: total, published: version.published) }
  }
}
