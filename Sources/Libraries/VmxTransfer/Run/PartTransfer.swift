import VmxDigest
import VmxLibrary
import VmxModel

/// Downloads one part from its sources in turn, then verifies it.
///
/// The table defines which phase may follow which. An error in a phase of a source leads to a
/// retry, to the next source, or to the end of the transfer.
final class PartTransfer {
  /// The phases of a transfer.
  enum Phase: CaseIterable {
    /// Verifies the bytes held from earlier runs.
    case restoring
    /// Selects the next source.
    case choosing
    /// Requests missing bytes and checks the head of the response.
    case requesting
    /// Receives the body of the response.
    case receiving
    /// Waits before the next attempt.
    case pausing
    /// Looks for a digest that is published beside the source.
    case lookingUp
    /// Compares the whole with its published size and digests.
    case verifying
    /// The part is whole and verified.
    case done
  }

  /// The work of one phase, and the phases that may follow.
  struct Action: Sendable {
    let next: Set<Phase>
    let perform: @Sendable (PartTransfer) throws(TransferError) -> Phase
  }

  static let table: [Phase: Action] = [
    .restoring: Action(next: [.choosing]) { transfer throws(TransferError) in
      try transfer.restore()
    },
    .choosing: Action(next: [.requesting, .lookingUp]) { transfer throws(TransferError) in
      try transfer.choose()
    },
    .requesting: Action(next: [.requesting, .receiving, .pausing, .lookingUp, .choosing]) {
      transfer throws(TransferError) in try transfer.current().request()
    },
    .receiving: Action(next: [.requesting, .pausing, .lookingUp, .choosing]) {
      transfer throws(TransferError) in try transfer.current().receive()
    },
    .pausing: Action(next: [.requesting, .lookingUp, .choosing]) {
      transfer throws(TransferError) in try transfer.current().pause()
    },
    .lookingUp: Action(next: [.verifying, .choosing]) { transfer throws(TransferError) in
      try transfer.lookUpChecksum()
    },
    .verifying: Action(next: [.done, .choosing]) { transfer throws(TransferError) in
      try transfer.verify()
    },
  ]

  private let job: TransferJob
  private let session: TransferSession
  private let part: PartialDownload
  /// The indices of the sources that are still to be tried.
  private var remaining: [Int] = []
  private var sourceIndex = 0
  private var source: SourceFetch?
  /// The failures of the sources so far.
  private var failures: [TransferError] = []
  /// The number of whole files whose digest was not the published one.
  private var mismatches = 0
  /// The digest published beside the source.
  private var checksumFileDigest: Digest?
  private var result: FoundBytes?

  /// Opens the part's files.
  init(_ job: TransferJob, _ session: TransferSession) throws(TransferError) {
    self.job = job
    self.session = session
    part = try PartialDownload(job, boot: session.engine.boot)
  }

  /// Fetches the missing bytes and verifies the whole.
  ///
  /// - Throws: the refusal of a source that may deliver the file soon, otherwise the failure of the
  ///   first source that is worth retrying, otherwise that of the first source. The held bytes are
  ///   recorded then.
  func perform() throws(TransferError) -> FoundBytes {
    var phase = Phase.restoring
    while let action = Self.table[phase] {
      let next: Phase
      do throws(TransferError) {
        next = try action.perform(self)
      } catch {
        next = try nextPhase(phase, after: error)
      }
      guard action.next.contains(next) else { fatalError("\(next) may not follow \(phase)") }
      phase = next
    }
    guard let result else { fatalError("a transfer ended without a result") }
    return result
  }

  /// Returns the phase that follows a failed one.
  private func nextPhase(_ phase: Phase, after error: TransferError) throws(TransferError) -> Phase
  {
    // An interrupted restoration has verified too few bytes, so it must not be recorded.
    if phase == .restoring { throw error }
    var error = error
    do throws(TransferError) {
      if phase == .requesting || phase == .receiving { return try current().recover(from: error) }
    } catch let final {
      error = final
    }
    source?.end()
    guard phase != .choosing, !error.isSourceIndependent else {
      try close(after: error)
      throw error
    }
    abandonSource(error)
    return .choosing
  }

  private func current() throws(TransferError) -> SourceFetch {
    guard let source else { throw .broken(detail: "no source") }
    return source
  }

  /// Records the held bytes.
  private func close(after error: TransferError) throws(TransferError) {
    do throws(TransferError) {
      try part.close()
    } catch let second {
      // If the disk fails here as well, its first error is the one to report.
      guard case .file = error else { throw second }
    }
  }
}

// The phases that do not belong to a single source.
extension PartTransfer {
  private func restore() throws(TransferError) -> Phase {
    let observer = session.observer
    try part.restore { observer.stop != nil }
    try session.checkStop()
    // The source of the held bytes comes first, because it has worked before.
    let known = job.sources.firstIndex { part.isFrom($0) }
    remaining = (known.map { [$0] } ?? []) + job.sources.indices.filter { $0 != known }
    let untried = remaining.filter { !job.sources[$0].hasFailed }
    if !untried.isEmpty { remaining = untried }
    return .choosing
  }

  private func choose() throws(TransferError) -> Phase {
    while !remaining.isEmpty {
      sourceIndex = remaining.removeFirst()
      do throws(TransferError) {
        let next = try SourceFetch(job.sources[sourceIndex], job: job, part: part, session: session)
        if !part.isComplete,
          let refusal = session.observer.willTry(source: job.sources[sourceIndex].url)
        {
          throw .passedOver(refusal)
        }
        source = next
        source?.begin()
        // Several connections may be the reason for wrong bytes.
        if mismatches > 0 { source?.connections.bar() }
        return part.isComplete ? .lookingUp : .requesting
      } catch {
        abandonSource(error)
      }
    }
    // A source that was not given up yet precedes all failures of others.
    let postponed = failures.filter(\.isPostponed)
    if let next = postponed.min(by: { ($0.retryAt ?? session.now) < ($1.retryAt ?? session.now) }) {
      throw next
    }
    let worthAskingAgain = failures.first { $0.code.entry.retry != .never }
    // If several sources request a wait, the one with the earliest time counts.
    let waits = failures.filter { $0.code == .rateLimited && $0.retryAt != nil }
    if worthAskingAgain?.code == .rateLimited,
      let next = waits.min(by: { ($0.retryAt ?? session.now) < ($1.retryAt ?? session.now) })
    {
      throw next
    }
    throw worthAskingAgain ?? failures.first ?? .broken(detail: "no source")
  }

  private func abandonSource(_ error: TransferError) {
    failures.append(error)
    session.observer.abandoned(source: job.sources[sourceIndex].url, after: Failure(error))
  }

  private func lookUpChecksum() throws(TransferError) -> Phase {
    let source = try current()
    session.reportProgress()
    session.observer.verifying()
    source.end()
    checksumFileDigest = nil
    if session.settings.looksUpChecksums, job.kind == .media, job.expectedDigest == nil {
      checksumFileDigest = try ChecksumLookup(source.source, url: source.url, session: session)
        .digest()
    }
    // A digest that still has to be compared may require another download.
    if published.isEmpty { session.observer.allBytesReceived() }
    return .verifying
  }

  private func verify() throws(TransferError) -> Phase {
    let source = try current()
    do throws(TransferError) {
      result = try verified(source.url.redacted)
      return .done
    } catch {
      guard !error.isSourceIndependent else { throw error }
      // The held bytes are not the file: they are kept aside and never continued.
      try part.reset(SourceVersion(), from: source.url, aside: true)
      // A wrong digest may be a network error, once.
      guard case .digestMismatch = error, mismatches == 0, !job.keepsVersion else { throw error }
      mismatches += 1
      remaining.insert(sourceIndex, at: 0)
      return .choosing
    }
  }

  /// All published digests of the whole.
  private var published: [Digest] {
    [job.expectedDigest, part.version.published, checksumFileDigest].compactMap { $0 }
  }

  /// Compares the whole with its published size and digests.
  private func verified(_ url: String) throws(TransferError) -> FoundBytes {
    let size = part.prefix
    if let expected = job.expectedSize?.bytes, expected != size {
      throw .sizeMismatch(url: url, expected: expected, found: size)
    }
    let session = session
    let shouldStop = { session.ending != nil }
    guard var digests = try part.finish(at: session.engine.digests, shouldStop: shouldStop) else {
      throw .stopped(session.ending ?? .interrupted)
    }
    for expected in published {
      var found: Digest? = digests.whole
      // A multi-buffer digest alone never rejects a file: a mismatch is recomputed with libcrypto.
      if found != expected {
        found = try part.digest(expected.algorithm, shouldStop: shouldStop)
        if found == expected, expected.algorithm == .sha256 { digests.whole = expected }
      }
      guard let found else { throw .stopped(session.ending ?? .interrupted) }
      guard found == expected else {
        throw .digestMismatch(url: url, expected: expected, found: found)
      }
    }
    try part.removeRejectedFile()
    var found = FoundBytes(
      size: ByteCount(clamping: size), sha256: digests.whole,
      proof: published.isEmpty ? part.proof : .published, segments: digests.segments,
      source: job.sources[sourceIndex].url, version: part.fetchedVersion)
    found.charset = part.version.charset
    found.file = try part.identity()
    return found
  }
}
