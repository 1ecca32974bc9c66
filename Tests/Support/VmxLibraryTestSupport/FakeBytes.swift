package import VmxEngine
package import VmxModel

/// A source, a finisher and a remover of bytes that do not exist; each call returns the configured
/// result.
package struct FakeBytes: PartSource, PartFinishing, PartRemoving {
  package var holding = CompletedBytes.some(0)
  package var refusal: ErrorCode?
  package var failureOfTransfer: ErrorCode?
  /// Whether the transfer ends as if a limit of the run were reached.
  package var isPostponed = false
  package var failureOfCheck: ErrorCode?
  package var failureOfPlacing: ErrorCode?
  package var failureOfRemoval: ErrorCode?
  package var failureOfRepair: ErrorCode?
  /// The file that is reported as damaged.
  package var damaged: DamagedFile?
  /// The fault of the container that is found.
  package var fault: ContainerFault?
  /// Whether the bytes are lost until they are transferred again.
  package var isLostBeforeTransfer = false
  /// The root in which the file is to be published.
  package var root = "root"
  /// The URL of a source that fails permanently.
  package var deadSource: String?
  /// The source that provides the bytes.
  package var source: String?
  /// The changes that another process makes during the transfer.
  package var meanwhile: @Sendable () throws -> Void = {}
  /// Called where a real implementation would change files.
  package var onTouch: @Sendable () -> Void = {}

  /// Creates bytes with the given results.
  package init(
    holding: CompletedBytes = .some(0), refusal: ErrorCode? = nil,
    failureOfTransfer: ErrorCode? = nil,
    failureOfCheck: ErrorCode? = nil, failureOfPlacing: ErrorCode? = nil,
    failureOfRemoval: ErrorCode? = nil, failureOfRepair: ErrorCode? = nil,
    damaged: DamagedFile? = nil, isPostponed: Bool = false, root: String = "root",
    source: String? = nil, isLostBeforeTransfer: Bool = false,
    onTouch: @escaping @Sendable () -> Void = {}
  ) {
    self.isLostBeforeTransfer = isLostBeforeTransfer
    self.holding = holding
    self.refusal = refusal
    self.failureOfTransfer = failureOfTransfer
    self.failureOfCheck = failureOfCheck
    self.failureOfPlacing = failureOfPlacing
    self.failureOfRemoval = failureOfRemoval
    self.failureOfRepair = failureOfRepair
    self.damaged = damaged
    self.isPostponed = isPostponed
    self.root = root
    self.source = source
    self.onTouch = onTouch
  }

  /// This value as the actions of a fetch.
  package var actions: PartActions { PartActions(source: self, finisher: self) }

  package static let found = FoundBytes(
    size: ByteCount(clamping: 3), sha256: digest, proof: .length)

  private static var digest: Digest {
    guard let digest = Digest(.sha256, bytes: [UInt8](repeating: 7, count: 32)) else {
      fatalError("32 bytes are a SHA-256 digest")
    }
    return digest
  }

  package func completedBytes(of part: FetchContext) throws -> CompletedBytes { holding }

  package func damage(of part: EpisodePart) throws -> DamagedFile? {
    try fail(failureOfRepair)
    return damaged
  }

  package func admit(_ part: FetchContext) throws { try fail(refusal) }

  package func transfer(_ part: FetchContext) throws -> FoundBytes {
    if isPostponed { throw WorkEnded.postponed(Failure(.budgetSpent, "as told")) }
    onTouch()
    try fail(failureOfTransfer)
    if let deadSource, part.part.variant?.sources.first?.url == deadSource {
      throw SourcesFailed(Failure(.httpGone, "as told"), permanent: [deadSource: .httpGone])
    }
    try meanwhile()
    return FoundBytes(
      size: Self.found.size, sha256: Self.found.sha256, proof: Self.found.proof, source: source)
  }

  package func check(_ part: EpisodePart, _ found: FoundBytes?) throws -> CheckedBytes {
    try fail(failureOfCheck)
    if isLostBeforeTransfer, found == nil { throw Failure(.partLost, "as told") }
    return CheckedBytes(
      found: Self.found, root: root, path: "Show/Show - Title.mp4", fault: fault)
  }

  package func fault(of part: EpisodePart) throws -> ContainerFault? { fault }

  package func reject(_ part: EpisodePart) throws -> Timestamp { Timestamp(seconds: 1000) }

  package func publish(_ part: EpisodePart, checked: FileIdentity?) throws -> PlacedFile? {
    onTouch()
    try fail(failureOfPlacing)
    if isLostBeforeTransfer, part.part.path == nil { return nil }
    return part.part.path.map { PlacedFile(path: $0) }
  }

  package func remove(_ part: EpisodePart) throws {
    onTouch()
    try fail(failureOfRemoval)
  }

  package func writeSidecar(_ episode: Episode, found: [String: FoundBytes]) -> Failure? { nil }

  private func fail(_ code: ErrorCode?) throws {
    if let code { throw Failure(code, "as told") }
  }
}

/// A finisher of bytes that do not exist, for fakes of which only the source matters.
package protocol FakeFinishing: PartFinishing {}

extension FakeFinishing {
  package func damage(of part: EpisodePart) throws -> DamagedFile? { nil }

  package func check(_ part: EpisodePart, _ found: FoundBytes?) throws -> CheckedBytes {
    try FakeBytes().check(part, found)
  }

  package func fault(of part: EpisodePart) throws -> ContainerFault? { nil }

  package func reject(_ part: EpisodePart) throws -> Timestamp { Timestamp(seconds: 0) }

  package func publish(_ part: EpisodePart, checked: FileIdentity?) throws -> PlacedFile? {
    try FakeBytes().publish(part, checked: nil)
  }

  package func writeSidecar(_ episode: Episode, found: [String: FoundBytes]) -> Failure? { nil }
}

extension Episode {
  /// A wanted episode with one video at one URL.
  package static func sample(_ state: PartState = .new) throws -> Episode {
    var part = Part(
      role: .video, variants: [Variant(sources: [Source(url: "http://127.0.0.1/a.mp4")])])
    part.state = state
    return Episode(
      id: try EpisodeID("show/a"), title: "A", showTitle: "Show", added: Timestamp(seconds: 0),
      parts: [part])
  }
}
