import SystemPackage
import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem
import VmxTransfer

extension FetchContext {
  /// The SHA-256 of the bytes to fetch, if it is known in advance.
  var expectedDigest: Digest? {
    part.repairs.map(\.sha256) ?? part.receivedDigest
  }

  /// The number of bytes to fetch, if it is known in advance.
  var expectedBytes: ByteCount? {
    part.repairs.map(\.size) ?? part.original?.size ?? part.size
  }

  /// The `repair-refused` failure if the source now has different bytes; nil for other errors.
  func refusal(after error: TransferError) -> Failure? {
    guard part.repairs?.sha256 != nil,
      [.sourceChanged, .digestMismatch, .sizeMismatch].contains(error.code)
    else { return nil }
    return Failure(.repairRefused, "\(error.summary); the damaged file is kept")
  }
}

extension TransferJob {
  /// Creates the job that downloads a part to its partial file.
  ///
  /// - Throws: `secret-missing` if a source needs a user and password that are not stored here, and
  ///   errors of reading the secrets.
  init(of context: FetchContext, at location: PartLocation, secrets: SecretStore) throws {
    let part = context.part
    let variant = part.variant
    let sources = try (variant?.sources ?? []).map { source in
      let secret = try source.secret.map { try secrets.get($0) }
      var known = TransferSource(
        url: source.url, user: secret?.user, password: secret?.password)
      known.allowsPrivateAddresses = !source.isForeign
      known.hasFailed = source.failure != nil
      return known
    }
    self.init(
      episode: context.episode.id, partName: part.name, sources: sources,
      partial: location.files.partial, resume: location.files.resume,
      kind: part.role == .video
        ? .media : .document(limit: PartFinisher.maxSize(of: part.role)))
    textLimit = PartFinisher.maxTextSize(of: part.role)
    ignoresRetryAfter = context.options.ignoresRetryAfter
    expectedSize = variant?.size
    expectedDigest = variant?.sha256
    declaredType = variant?.type
    if let damaged = part.repairs, let sha256 = damaged.sha256 {
      expectedSize = damaged.size
      expectedDigest = sha256
      keepsVersion = true
    }
  }
}

extension PartLocation {
  /// Returns the number of bytes in the part's partial file, according to its resume data.
  func completedBytes(of work: EpisodePart) throws(FileError) -> Int64 {
    try ResumeData.completedBytes(
      partial: files.partial, resume: files.resume, episode: work.episode.id, part: work.part.name,
      urls: work.part.urls)
  }

  /// Returns the number of disk bytes that are allocated for the partial file beyond its held
  /// bytes. The free space of the disk no longer includes them.
  func preallocatedBytes(beyond held: Int64) throws(FileError) -> Int64 {
    guard held > 0 else { return 0 }
    do throws(FileError) {
      return max(0, try OpenFile(files.partial, .readOnly).facts().allocated - held)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return 0
    }
  }
}
