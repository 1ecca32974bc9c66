import SystemPackage
import VmxJSON
import VmxLibrary
import VmxModel
import VmxSystem

/// An episode reconstructed from the resume data of a partial file, if the store has lost its
/// record.
struct UnfinishedPart {
  private static let longestLine = 1 << 20

  /// The episode, with its id, and with the URL of the bytes if it is known.
  let episode: Episode
  /// Whether the URL is unknown. Resume data hold only a redacted URL, which is not usable if it
  /// contained secrets.
  let lacksSource: Bool

  /// Reads the first line of resume data; nil if it names no video of an episode.
  ///
  /// - Throws: errors of the file system.
  init?(at path: FilePath, now: Timestamp) throws {
    let bytes = try RegularFile.prefix(of: path, upTo: Self.longestLine)
    let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    guard let fields = Self.object(line),
      let id = fields["episode"]?.string.flatMap(EpisodeID.init(valid:)),
      let name = fields["part"]?.string, name == PartRole.video.rawValue
    else { return nil }
    var variants: [Variant] = []
    if let url = fields["url"]?.string, let source = fields["source"]?.string,
      Hex.text(of: StableHash.of(url)) == source
    {
      variants = [Variant(sources: [Source(url: url)])]
    }
    lacksSource = variants.isEmpty
    let part = Part(role: .video, language: nil, variants: variants)
    var episode = Episode(
      id: id, title: id.episode, showTitle: id.show, added: now, parts: [part])
    episode.want = .fetch
    self.episode = episode
  }

  private static func object(_ line: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(line).object
    } catch {
      return nil
    }
  }
}
