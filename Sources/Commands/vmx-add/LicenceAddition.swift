import SystemPackage
import VmxCommand
import VmxDigest
import VmxLibrary
import VmxLicence
import VmxModel
import VmxStore
import VmxSystem

/// The licence file given with `--licence`. It is read before anything is recorded, and becomes the
/// key part of the episode.
struct LicenceAddition {
  private let bytes: [UInt8]
  private let document: LicenceDocument
  private let settings: LicenceService.Settings

  /// Reads the file.
  ///
  /// - Returns: nil without a file; a URL is a source that `vmx fetch` fetches.
  /// - Throws: `input-missing`, `not-a-licence`, `bad-setting`.
  init?(_ details: DescriptionOptions, in context: CommandContext) throws(Failure) {
    guard let name = details.licence, !WebURL.isMeant(by: name) else { return nil }
    let file = context.environment.absolute(argument: name)
    do throws(FileError) {
      bytes = try RegularFile.prefix(of: file, upTo: LicenceDocument.maxBytes + 1)
    } catch {
      throw Failure(.inputMissing, "cannot read '\(file)': \(error.summary)")
    }
    document = try LicenceDocument(bytes)
    settings = try LicenceService.Settings(context.settings, host: hostName())
  }

  /// Returns the operands; if there are none, the URL of the licensed video.
  ///
  /// - Throws: `source-unsupported` for a licence whose video cannot be fetched.
  func operands(_ sources: [String], _ details: inout DescriptionOptions) throws(Failure)
    -> [String]
  {
    guard sources.isEmpty, let link = document.publication else { return sources }
    guard let url = link.address(base: nil) else {
      throw Failure(
        .sourceUnsupported, "the licence has no link to a downloadable video",
        hint: "give the URL or the file of the video as well")
    }
    details.title = details.title ?? link.title
    // The licence contains the digest and the size of the video as published.
    details.sha256 = details.sha256 ?? link.hash?.hex
    details.size = details.size ?? link.length.map { "\($0)" }
    return [url.text]
  }

  /// Stores the file as the key part of the episode, or replaces the existing one with a newer
  /// document, and records the rights.
  ///
  /// - Returns: the episode as recorded afterwards, and whether anything changed.
  /// - Throws: `licence-foreign` if the episode has another licence; `disk-full`, `lock-busy`,
  ///   errors of the store.
  func add(
    _ id: EpisodeID, with files: LocalImport, to store: LibraryStore, in context: CommandContext
  ) throws -> (episode: Episode, isChanged: Bool, unsaved: Failure?) {
    let service = LicenceService(
      store: store, settings: settings, clock: context.clock,
      digest: { DigestHasher.sha256(of: $0) },
      send: { _ in throw Failure(.offline, "'vmx add' does not contact providers") })
    let episode = try store.snapshot().episode(id)
    let isHere = episode?.parts.contains { $0.role == .key && $0.state == .ready } ?? false
    var unsaved: Failure?
    var isChanged = !isHere
    if isHere {
      isChanged = try service.replace(with: bytes, of: id)
    } else {
      unsaved = try files.storeLicence(bytes, of: id).unsaved
      try service.adopt(id, isTyped: true)
    }
    let meaning = try service.outcome(of: id).reconciliation
    if meaning.state != .usable {
      context.messages.note("the licence of '\(id)': \(meaning.reason.phrase())")
    }
    guard let after = try store.snapshot().episode(id) else { throw Failure.noSuchEpisode(id) }
    return (after, isChanged, unsaved)
  }
}
