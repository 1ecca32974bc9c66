// Without Foundation, only this interface of Swift has the Unicode normal forms (UAX 15).
@_spi(_Unicode) import Swift
import SystemPackage
import VmxArchive
import VmxModel
import VmxNaming

/// Allocates the names of a bundle's files. No two names differ only in case or in Unicode normal
/// form, since some file systems treat such names as equal (RFC 8493, section 6.1.2).
struct BundleNames {
  /// The dictionary key of the NFO file in the paths of an episode.
  static let description = "nfo"

  private let layout: BundleContent.Layout
  /// The hashes of the names in use, which take a tenth of the memory of their text. If two hashes
  /// collide, the second name gets an unnecessary copy number, the same in every library.
  private var used: Set<UInt64> = []
  /// The next copy number to try for a name, by its hash. Otherwise each of many equal titles would
  /// probe all numbers from 1.
  private var copies: [UInt64: UInt32] = [:]

  /// The spelling of each folder in use, by its folded path.
  private var folders: [String: String] = [:]

  /// - Parameter taken: the paths of episodes outside the plan, which are not allocated.
  init(_ layout: BundleContent.Layout, taken: some Sequence<String> = []) {
    self.layout = layout
    for path in taken.sorted() { self.used.insert(Self.hash(inFolders(path))) }
  }

  /// Returns the path in the bag of each part of an episode, by the name of the part.
  ///
  /// Ignores the folder that a feed sets in this library, since another library may use another.
  mutating func paths(of episode: Episode) -> [String: String] {
    var episode = episode
    episode.folder = nil
    let first = paths(of: episode, copy: 1)
    let key = Self.hash(first.values.min() ?? "")
    var copy = Int(copies[key] ?? 1)
    var paths = copy == 1 ? first : paths(of: episode, copy: copy)
    while paths.values.contains(where: { used.contains(Self.hash($0)) }) {
      copy += 1
      paths = self.paths(of: episode, copy: copy)
    }
    copies[key] = UInt32(clamping: copy + 1)
    used.formUnion(paths.values.map { Self.hash($0) })
    return paths.mapValues { inFolders($0) }
  }

  /// Returns one hash for all names that a file system may treat as equal. Case is folded, and NFC
  /// maps canonical equivalents to one form.
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

  /// Returns the path with its folders spelled as in earlier paths, so that shows whose titles
  /// differ only in case share a folder.
  private mutating func inFolders(_ path: String) -> String {
    var spelled = ""
    for component in path.split(separator: "/").dropLast() {
      let folder = "\(spelled)\(component)/"
      spelled = folders[folder.foldedName] ?? folder
      folders[folder.foldedName] = spelled
    }
    return spelled + (path.split(separator: "/").last ?? "")
  }

  /// Returns the name in a form that all archivers and checkers handle. Archivers such as
  /// libarchive write names in NFC. A manifest encodes `%` as `%25` (RFC 8493, section 2.1.3),
  /// which neither `sha256sum -c` nor bagit.py decodes, so U+FF05 replaces it.
  private static func portable(_ name: String) -> String {
    String(String.UnicodeScalarView(name._nfc.map { $0 == "%" ? "\u{FF05}" : $0 }))
  }
}
