import VmxModel

// Where only the end of the connection says that a body is whole (HTTP/1.0 without a length, or a
// server that leaves it out), nobody can tell a whole file from a cut one, and no cut file may get
// a name. So what came is taken for the beginning of a file, and the source is asked for the rest:
// mostly it says that there is none, which costs a request without a body. Where the source gives
// no ranges either, everything is fetched once more and must be the same up to the same end; what
// goes on behind it was cut before. A digest or a size that was published makes all that needless.
extension SourceFetch {
  /// Whether a digest will tell if anything is missing.
  func isDigestKnown(_ part: borrowing PartialDownload) -> Bool {
    context.job.expectedDigest != nil || part.version.published != nil
  }

  /// Takes the answer that there is nothing behind what is held.
  ///
  /// - Throws: `body-cut` where the whole is longer all the same: no more ranges then.
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

  /// Fetches everything once more and compares.
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
