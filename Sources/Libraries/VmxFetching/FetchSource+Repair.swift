import SystemPackage
import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem
import VmxTransfer

extension FetchSource {
  /// Creates a partial file from intact bytes, unless one exists already and no copy was given.
  ///
  /// - Returns: the number of bytes held; nil if no digest and size of the bytes are known.
  func salvaged(
    _ part: FetchContext, at location: PartLocation, held: Int64
  ) throws -> Int64? {
    if held > 0, part.order.copy == nil { return held }
    guard let whole = part.digestToCome, let size = part.bytesToCome else { return nil }
    try makeFolders(location.root.folder.appending(LibraryLayout.Folder.partial.path))
    var job = try TransferJob(of: part, at: location, secrets: store.secrets)
    job.expectedDigest = whole
    // The segments describe the kept form: if the received form differs, only the whole can be
    // compared.
    let list = SegmentList(
      of: part.part.name, in: part.episode.id, whole: whole, size: size, on: location.root)
    let salvage = PartialRecovery(
      for: job, size: size, segments: list?.digests ?? [],
      version: FetchedVersion(
        of: part.part.name, in: part.episode.id, whole: whole, on: location.root))
    let damaged = part.part.repairs == nil ? nil : location.final
    return try salvage.perform(
      from: [damaged, part.order.copy].compactMap { $0 }, reserve: reserve,
      shouldStop: watch.shouldStop)
  }
}

extension FetchContext {
  /// The SHA-256 of the bytes to fetch, if known before.
  var digestToCome: Digest? {
    part.repairs?.sha256 ?? part.original?.sha256 ?? part.sha256
  }

  /// The number of bytes to fetch, if known before.
  var bytesToCome: ByteCount? { part.repairs?.size ?? part.original?.size ?? part.size }

  /// The `repair-refused` failure where the source has other bytes by now; nil for other errors.
  func refusal(after error: TransferError) -> Failure? {
    guard part.repairs != nil,
      [.sourceChanged, .digestMismatch, .sizeMismatch].contains(error.code)
    else { return nil }
    return Failure(.repairRefused, "\(error.summary); the damaged file stays")
  }
}
