import SystemPackage
import VmxLibrary
import VmxModel

/// An episode reconstructed from the resume data of a partial file, if the store has lost its
/// record.
struct UnfinishedPart {
  /// The episode, with its id, and with the URL of the bytes if it is known.
  let episode: Episode
  /// Whether the URL is unknown. Resume data hold only a redacted URL, which is not usable if it
  /// contained secrets.
  let lacksSource: Bool

  /// Reads resume data; nil if they are of no video.
  ///
  /// - Throws: errors of the file system.
  init?(at path: FilePath, now: Timestamp) throws {
    guard let data = try ResumeData.load(path), data.part == PartRole.video.rawValue else {
      return nil
    }
    let id = data.episode
    var variants: [Variant] = []
    if StableHash.of(data.url) == data.source {
      variants = [Variant(sources: [Source(url: data.url)])]
    }
    lacksSource = variants.isEmpty
    let part = Part(role: .video, language: nil, variants: variants)
    var episode = Episode(
      id: id, title: id.episode, showTitle: id.show, added: now, parts: [part])
    episode.want = .fetch
    self.episode = episode
  }
}
