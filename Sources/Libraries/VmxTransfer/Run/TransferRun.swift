import VmxDigest
import VmxModel

/// Downloads one part from its sources in turn, then verifies it.
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

  /// Fetches the missing bytes and verifies the whole.
  ///
  /// - Throws: the failure of the first source worth asking again, else of the first source. The
  ///   held bytes are recorded then.
  mutating func perform() throws(TransferError) -> TransferResult {
    let context = context
    try part.restore { context.isStopped }
    // An interrupted verification accepted too few bytes: nothing of it may be recorded.
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

  /// The order of the sources: first the one that the held bytes came from, because it has worked
  /// before, then the others as given.
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
      // A digest that still has to be compared may require another download.
      if published(beside).isEmpty { context.tellArrival() }
      do throws(TransferError) {
        return try prove(fetch.url.shown, beside: beside)
      } catch {
        guard !error.isOurs else { throw error }
        // The held bytes are not the file: they are kept aside and never continued.
        try part.startOver(SourceVersion(), from: fetch.url, aside: true)
        // A wrong digest may be a network error, once.
        guard case .digestMismatch = error, !hasFetchedAnew, !context.job.keepsVersion else {
          throw error
        }
        hasFetchedAnew = true
      }
    }
  }

  /// The digest published beside the source, if the settings ask for a lookup.
  private mutating func checksum(
    beside url: RequestURL, of source: TransferSource
  ) throws(TransferError) -> Digest? {
    guard context.settings.looksForChecksums, context.job.kind == .media,
      context.job.expectedDigest == nil
    else { return nil }
    return try ChecksumLookup(source, url, context).digest(&part)
  }

  /// All published digests of the whole.
  private func published(_ beside: Digest?) -> [Digest] {
    [context.job.expectedDigest, part.version.published, beside].compactMap { $0 }
  }

  /// Compares the whole with its published size and digests.
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
      // A multi-buffer digest alone never rejects a file: a mismatch is recomputed with libcrypto.
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

  /// Records the held bytes.
  private mutating func close(after error: TransferError) throws(TransferError) {
    do throws(TransferError) {
      try part.close()
    } catch let second {
      // If the disk fails here as well, its first error is the one to report.
      guard case .file = error else { throw second }
    }
  }
}
