package import VmxModel

/// Provides the bytes of a part: `vmx fetch` from the network, `vmx add` from a local file.
///
/// Every call may be repeated after a crash, with the record as it was before the call.
package protocol PartSource: Sendable {
  /// Inspects the partial file of the part, without the network.
  func completedBytes(of part: FetchContext) throws -> CompletedBytes
  /// Returns the variant to fetch of a part that offers several; may prompt the user.
  ///
  /// - Parameter usual: the variant that the options choose.
  /// - Throws: `WorkEnded` if a stop is requested during the call.
  func variant(of part: FetchContext, usual: Variant) throws -> Variant
  /// Requests permission for the transfer from the policies.
  ///
  /// - Throws: the refusal of a policy.
  func admit(_ part: FetchContext) throws
  /// Transfers all bytes into the partial file.
  ///
  /// - Throws: `SourcesFailed` if sources failed permanently; other errors of the transfer.
  func transfer(_ part: FetchContext) throws -> FoundBytes
  /// Waits until a part that is `waiting` may continue, if the run waits for such conditions.
  ///
  /// - Returns: whether to resume now; else it stays `waiting` for a later run.
  /// - Throws: `WorkEnded` if a stop is requested during the call.
  func waitForPolicy(_ part: FetchContext) throws -> Bool
  /// Returns the host of the next transfer of an episode; nil if none is known or needed.
  func host(of episode: Episode, _ options: WorkOptions) -> String?
  /// Waits briefly for an episode that another worker has claimed, if the run waits for claims.
  ///
  /// - Returns: whether to try the claim again.
  /// - Throws: `WorkEnded` if a stop is requested.
  func waitForClaim(of id: EpisodeID) throws -> Bool
  /// Whether the file of a ready part is out of reach, and could be fetched into a root that is
  /// not.
  func canReplace(_ part: Part) throws -> Bool
}

extension PartSource {
  package func variant(of part: FetchContext, usual: Variant) throws -> Variant { usual }

  package func waitForPolicy(_ part: FetchContext) throws -> Bool { false }

  package func waitForClaim(of id: EpisodeID) throws -> Bool { false }

  package func host(of episode: Episode, _ options: WorkOptions) -> String? { nil }

  package func canReplace(_ part: Part) throws -> Bool { false }
}

/// The end of a transfer for which sources failed permanently.
package struct SourcesFailed: Error {
  /// The failure of the transfer.
  package let failure: Failure
  /// The failures of the sources that are not to be retried, by URL.
  package let permanent: [String: ErrorCode]

  /// Creates the end of a transfer.
  package init(_ failure: Failure, permanent: [String: ErrorCode]) {
    self.failure = failure
    self.permanent = permanent
  }
}

/// The amount of a part that its partial file contains.
package enum CompletedBytes: Sendable, Equatable {
  /// The number of bytes held, possibly 0, if it is less than all.
  case some(Int64)
  /// All bytes, as far as is known without verification.
  case all
}

/// The source of a part's bytes, and the operations that finish it.
package struct PartActions: Sendable {
  /// Provides the bytes.
  package let source: any PartSource
  /// Verifies and publishes them.
  package let finisher: any PartFinishing

  /// Creates the actions of a run.
  package init(source: any PartSource, finisher: any PartFinishing) {
    self.source = source
    self.finisher = finisher
  }
}
