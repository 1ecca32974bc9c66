import VmxJobs
import VmxModel

/// A door to bytes that are never there: each call answers as it was told to.
struct FakeBytes: PartBytes {
  var holding = HeldBytes.some(0)
  var refusal: ErrorCode?
  var failureOfTransfer: ErrorCode?
  /// Ends the transfer as a limit of the run does.
  var isPostponed = false
  var failureOfCheck: ErrorCode?
  var failureOfPlacing: ErrorCode?
  var failureOfRemoval: ErrorCode?
  var failureOfRepair: ErrorCode?
  /// The file that was found damaged.
  var damaged: DamagedFile?
  /// The root that the file is to go to.
  var root = "root"
  /// The source that gives the bytes.
  var source: String?
  /// The changes that another process makes during the transfer.
  var meanwhile: @Sendable () throws -> Void = {}
  /// Called where files would be changed.
  var onTouch: @Sendable () -> Void = {}

  static let found = FoundBytes(
    size: ByteCount(clamping: 3), sha256: digest, proof: .length)

  private static var digest: Digest {
    guard let digest = Digest(.sha256, bytes: [UInt8](repeating: 7, count: 32)) else {
      fatalError("32 bytes are a SHA-256 digest")
    }
    return digest
  }

  func held(of part: PartContext) throws -> HeldBytes { holding }

  func damage(of part: PartContext) throws -> DamagedFile? {
    try fail(failureOfRepair)
    return damaged
  }

  func admit(_ part: PartContext) throws { try fail(refusal) }

  func transfer(_ part: PartContext) throws -> FoundBytes {
    if isPostponed { throw WorkEnded.postponed(Failure(.budgetSpent, "as told")) }
    onTouch()
    try fail(failureOfTransfer)
    try meanwhile()
    return FoundBytes(
      size: Self.found.size, sha256: Self.found.sha256, proof: Self.found.proof, source: source)
  }

  func check(_ part: PartContext) throws -> CheckedBytes {
    try fail(failureOfCheck)
    return CheckedBytes(found: Self.found, root: root, path: "Show/Show - Title.mp4")
  }

  func place(_ part: PartContext) throws -> PlacedFile? {
    onTouch()
    try fail(failureOfPlacing)
    return part.part.path.map { PlacedFile(path: $0) }
  }

  func remove(_ part: PartContext) throws {
    onTouch()
    try fail(failureOfRemoval)
  }

  func remember(_ episode: Episode, found: [String: FoundBytes]) -> Failure? { nil }

  private func fail(_ code: ErrorCode?) throws {
    if let code { throw Failure(code, "as told") }
  }
}

extension Episode {
  /// A wanted episode with one video at one URL.
  static func sample(_ state: PartState = .new) throws -> Episode {
    var part = Part(
      role: .video, variants: [Variant(sources: [Source(url: "http://127.0.0.1/a.mp4")])])
    part.state = state
    return Episode(
      id: try EpisodeID("show/a"), title: "A", showTitle: "Show", added: Timestamp(seconds: 0),
      parts: [part])
  }
}
