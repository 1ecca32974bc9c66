import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxTransfer

extension TransferJob {
  /// Creates the job that downloads a part to its partial file.
  ///
  /// - Throws: `secret-missing` if a source needs a user and password that are not stored here, and
  ///   errors of reading the secrets.
  init(of context: FetchContext, at location: PartLocation, secrets: SecretStore) throws {
    let part = context.part
    let variant = part.variant
    var sources: [TransferSource] = []
    for source in variant?.sources ?? [] {
      guard let reference = source.secret else {
        sources.append(TransferSource(url: source.url))
        continue
      }
      let secret = try secrets.get(reference)
      sources.append(
        TransferSource(url: source.url, user: secret.user, password: secret.password))
    }
    self.init(
      episode: context.episode.id, partName: part.name, sources: sources,
      partial: location.files.partial, resume: location.files.resume,
      kind: part.role == .video
        ? .media : .document(limit: PartFinisher.largest(of: part.role)))
    expectedSize = variant?.size
    expectedDigest = variant?.sha256
    declaredType = variant?.type
    if let damaged = context.part.repairs {
      expectedSize = damaged.size
      expectedDigest = damaged.sha256
      keepsVersion = true
    }
  }
}
