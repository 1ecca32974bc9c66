// Swift has the normal forms of Unicode (UAX 15) only there, without Foundation.
@_spi(_Unicode) import Swift
import SystemPackage
import VmxArchive
import VmxModel

/// The names of the files of a bundle, none of which differs from another only in case or in the
/// form of its Unicode characters (RFC 8493, section 6.1.2: other file systems hold only one).
struct BundleNames {
  /// The key of the NFO file among the paths of an episode.
  static let description = "nfo"

  private let layout: BundleContent.Layout
  /// The names in use, as hashes: of many episodes they take a tenth of the memory of their text. Two
  /// names with one hash get different numbers in vain, in every library alike.
  private var taken: Set<UInt64> = []
  /// The number of copies of a name that are in use, so that many equal titles are not tried in vain.
  private var copies: [UInt64: UInt32] = [:]

  /// The spelling of each folder in use, by its folded path.
  private var folders: [String: String] = [:]

  /// - Parameter taken: paths that belong to episodes outside the plan.
  init(_ layout: BundleContent.Layout, taken: some Sequence<String> = []) {
    self.layout = layout
    for path in taken.sorted() { self.taken.insert(Self.hash(inFolders(path))) }
  }

  /// Returns the path in the bag of each part of an episode, by the name of the part.
  ///
  /// The folder that a feed gives them in this library is no name that others would make.
  mutating func paths(of episode: Episode) -> [String: String] {
    var episode = episode
    episode.folder = nil
    let first = paths(of: episode, copy: 1)
    let key = Self.hash(first.values.min() ?? "")
    var copy = Int(copies[key] ?? 1)
    var paths = copy == 1 ? first : paths(of: episode, copy: copy)
    while paths.values.contains(where: { taken.contains(Self.hash($0)) }) {
      copy += 1
      paths = self.paths(of: episode, copy: copy)
    }
    copies[key] = UInt32(clamping: copy + 1)
    taken.formUnion(paths.values.map { Self.hash($0) })
    return paths.mapValues { inFolders($0) }
  }

  /// The hash of a name, the same for all that a file system may take for it: Unicode's canonical
  /// equivalents have one form NFC.
  private static func hash(_ path: String) -> UInt64 {
    let folded = path.foldedName
    if folded.utf8.allSatisfy({ $0 < 0x80 }) { return StableHash.of(folded) }
    return StableHash.of(String(String.UnicodeScalarView(folded._nfc)))
  }

  private func paths(of episode: Episode, copy: Int) -> [String: String] {
    var paths: [String: String] = [:]
    var used: Set<String> = []
    for part in episode.parts where part.state != .removed {
      var path = path(of: part, in: episode, copy: copy)
      // Two parts of different roles may have the same extension.
      while !used.insert(path.foldedName).inserted { path += ".\(part.role.rawValue)" }
      paths[part.name] = path
    }
    let metadata = Part(role: .metadata, variants: [])
    let nfo = self.path(metadata, in: episode, fileExtension: "nfo", copy: copy)
    if used.insert(nfo.foldedName).inserted { paths[Self.description] = nfo }
    return paths
  }

  private func path(of part: Part, in episode: Episode, copy: Int) -> String {
    let known = part.path.flatMap { FilePath($0).extension }
    return path(part, in: episode, fileExtension: known ?? part.urlExtension, copy: copy)
  }

  private func path(
    _ part: Part, in episode: Episode, fileExtension: String, copy: Int
  ) -> String {
    let path = MediaName.path(
      for: episode, part: part, fileExtension: fileExtension, copy: copy)
    let name = layout == .kodi ? path : path.split(separator: "/").last.map(String.init) ?? path
    return "data/\(Self.portable(name))"
  }

  /// The path with its folders spelled as in the paths before. Shows whose titles differ only in case
  /// share a folder.
  private mutating func inFolders(_ path: String) -> String {
    var spelled = ""
    for component in path.split(separator: "/").dropLast() {
      let folder = "\(spelled)\(component)/"
      spelled = folders[folder.foldedName] ?? folder
      folders[folder.foldedName] = spelled
    }
    return spelled + (path.split(separator: "/").last ?? "")
  }

  /// The name as every archiver and checker takes it. Archivers, libarchive among them, write names in
  /// the normal form NFC. A manifest has `%25` for `%` (RFC 8493, section 2.1.3), which neither
  /// `sha256sum -c` nor bagit.py decodes, so U+FF05 stands in its place.
  private static func portable(_ name: String) -> String {
    String(String.UnicodeScalarView(name._nfc.map { $0 == "%" ? "\u{FF05}" : $0 }))
  }
}
