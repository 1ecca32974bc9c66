import VmxDigest
import VmxModel

/// Brings one part here: source after source, then the proof.
struct TransferRun: ~Copyable {
  private let context: RunContext
  private var part: PartialDownload
  private var hasFetchedAnew = false

  /// Opens the part's files.
  init(_ context: RunContext) throws(TransferError) {
    let part = try PartialDownload(context.job, boot: context.boot)
    self.context = context
    self.part = part
  }

  /// Fetches what is missing and proves the whole.
  ///
  /// - Throws: the failure of the source worth asking again, else of the first. What is held is
  ///   recorded then.
  mutating func perform() throws(TransferError) -> TransferResult {
    let context = context
    try part.restore { context.isStopped }
    // A look that was cut short has believed too little: nothing of it may be recorded.
    try context.checkStop()
    var failures: [TransferError] = []
    for index in order {
      context.sourceIndex = index
      do throws(TransferError) {
        return try fetch(from: context.job.sources[index])
      } catch {
        guard !error.isOurs else {
          try close(after: error)
          throw error
        }
        failures.append(error)
      }
    }
    let worthAskingAgain = failures.first { $0.code.entry.retry != .never }
    let failure = worthAskingAgain ?? failures.first ?? .broken(detail: "no source")
    try close(after: failure)
    throw failure
  }

  /// The sources in the order in which they are asked: the one that what is held came from has
  /// worked before, the others follow as they were given.
  private var order: [Int] {
    let sources = context.job.sources
    let known = sources.firstIndex { part.isFrom($0) }
    return (known.map { [$0] } ?? []) + sources.indices.filter { $0 != known }
  }

  private mutating func fetch(from source: TransferSource) throws(TransferError) -> TransferResult {
    while true {
      var fetch = try SourceFetch(source, context, held: part.held)
      try fetch.fetch(&part)
      context.tellEnd(held: part.held, total: part.total)
      let beside = try checksum(beside: fetch.url, of: source)
      // Who has to compare digests may have to fetch anew.
      if published(beside).isEmpty { context.tellArrival() }
      do throws(TransferError) {
        return try prove(fetch.url.shown, beside: beside)
      } catch {
        guard !error.isOurs else { throw error }
        // They are not the file: kept aside, never gone on with.
        try part.startOver(SourceVersion(), from: fetch.url, aside: true)
        // A wrong digest may be the network's doing, once.
        guard case .digestMismatch = error, !hasFetchedAnew, !context.job.keepsVersion else {
          throw error
        }
        hasFetchedAnew = true
      }
    }
  }

  /// The digest that stands beside the source, where one is to be looked for.
  private mutating func checksum(
    beside url: RequestURL, of source: TransferSource
  ) throws(TransferError) -> Digest? {
    guard context.settings.looksForChecksums, context.job.kind == .media,
      context.job.expectedDigest == nil
    else { return nil }
    return try ChecksumLookup(source, url, context).digest(&part)
  }

  /// All digests that were published of the whole.
  private func published(_ beside: Digest?) -> [Digest] {
    [context.job.expectedDigest, part.version.published, beside].compactMap { $0 }
  }

  /// Compares the whole with all that was published of it.
  private mutating func prove(
    _ url: String, beside: Digest?
  ) throws(TransferError) -> TransferResult {
    let size = part.prefix
    if let expected = context.job.expectedSize?.bytes, expected != size {
      throw .sizeMismatch(url: url, expected: expected, found: size)
    }
    let context = context
    let digests = try part.finish(at: context.digests) { context.ending != nil }
    guard var digests else {
      throw .stopped(context.ending ?? .interrupted)
    }
    var isPublished = false
    for expected in published(beside) {
      var found: Digest? = digests.whole
      // Nothing is refused by a digest that was made beside others.
      if found != expected {
        found = try part.digest(expected.algorithm) { context.ending != nil }
        if found == expected, expected.algorithm == .sha256 { digests.whole = expected }
      }
      guard let found else { throw .stopped(context.ending ?? .interrupted) }
      guard found == expected else {
        throw .digestMismatch(url: url, expected: expected, found: found)
      }
      isPublished = true
    }
    try part.removeAside()
    let proof: Proof =
      isPublished ? .published : part.isRepeated ? .repeated : part.isProbed ? .probe : .length
    return TransferResult(
      size: ByteCount(clamping: size), sha256: digests.whole, segments: digests.segments,
      proof: proof, contentType: part.version.contentType,
      version: part.fetchedVersion, charset: part.version.charset, sourceIndex: context.sourceIndex,
      requests: context.requests)
  }

  /// Records what is held.
  private mutating func close(after error: TransferError) throws(TransferError) {
    do throws(TransferError) {
      try part.close()
    } catch let second {
      // A disk that refuses this as well is not worth more than what it refused first.
      guard case .file = error else { throw second }
    }
  }
}
