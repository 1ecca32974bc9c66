package import VmxModel

// The entries of an archive may be in any order, and its bag in any folder. So the folder of the
// bag may become known only after its payload. A bag may hold other bags in its payload. So a
// folder with tag files is the bag only until tag files are found in a folder above it.

/// The folder of the bag in an archive, which is found while the entries are read.
///
///     var folder = BagFolder()
///     let before = folder
///     if folder.mayBeTag(path, orNamed: "bagit.txt"), try folder.add(path) {
///       check.move(from: before, to: folder)
///     }
///     check.add(folder.path(of: path), text: text)
package struct BagFolder: Sendable, Equatable {
  /// The maximum number of folders with tag files, none of which is within another.
  private static let maxFolders = 100

  /// The path of the folder with a trailing slash, empty for the whole archive; nil until a tag
  /// file is found.
  private var base: [UInt8]?
  /// The other folders with tag files that are neither within the bag nor above it.
  private var others: [[UInt8]] = []

  /// Creates the folder before any entry is read.
  package init() {}

  /// Whether a tag file was found.
  package var isFound: Bool { base != nil }

  /// The paths of two folders with tag files, neither within the other, for messages; nil if all
  /// tag files are in one bag.
  package var conflictingFolders: (String, String)? {
    guard let base, let other = others.first else { return nil }
    return (Self.displayPath(base), Self.displayPath(other))
  }

  /// The path of the bag for messages; `.` for the whole archive.
  package var displayPath: String { Self.displayPath(base ?? []) }

  /// Whether a file may be a tag file that `BagCheck` parses, or another file of this name next to
  /// them. A file in a folder below a bag is none.
  package func mayBeTag(_ path: PathBytes, orNamed name: String) -> Bool {
    let folder = Self.folder(of: path)
    let file = PathBytes(Array(path.bytes[folder.count...]))
    guard BagCheck.parses(file) || file == PathBytes(name) else { return false }
    return !([base].compactMap(\.self) + others).contains { root in
      root.count < folder.count && folder.starts(with: root)
    }
  }

  /// Adds a tag file, which makes its folder the bag if no bag is known, or if the bag is below it.
  /// A list of files to fetch proves no bag.
  ///
  /// - Returns: whether the bag is now another folder.
  /// - Throws: `bundle-invalid` if too many folders have tag files.
  package mutating func add(_ path: PathBytes) throws(Failure) -> Bool {
    let folder = Array(Self.folder(of: path))
    if path.bytes[folder.count...].elementsEqual(BagFetchLine.name.utf8) { return false }
    guard let base else {
      self.base = folder
      return true
    }
    if folder.starts(with: base) || others.contains(where: { folder.starts(with: $0) }) {
      return false
    }
    others.removeAll { $0.starts(with: folder) }
    if base.starts(with: folder) {
      self.base = folder
      return true
    }
    others.append(folder)
    guard others.count < Self.maxFolders else {
      throw Failure(.bundleInvalid, "the bundle has more than \(Self.maxFolders) bags")
    }
    return false
  }

  /// Returns the path of an entry relative to the bag. The path of an entry outside the bag begins
  /// with a slash.
  package func path(of entry: PathBytes) -> PathBytes {
    guard let base, !base.isEmpty else { return entry }
    guard entry.bytes.starts(with: base) else { return PathBytes([Self.slash] + entry.bytes) }
    return PathBytes(Array(entry.bytes[base.count...]))
  }

  /// Returns the path of the entry with a path that `path(of:)` returned.
  package func entry(at path: PathBytes) -> PathBytes {
    path.isOutsideBag
      ? PathBytes(Array(path.bytes.dropFirst())) : PathBytes((base ?? []) + path.bytes)
  }

  private static let slash = UInt8(ascii: "/")

  private static func folder(of path: PathBytes) -> ArraySlice<UInt8> {
    path.bytes[..<(path.bytes.lastIndex(of: slash).map { $0 + 1 } ?? 0)]
  }

  private static func displayPath(_ folder: [UInt8]) -> String {
    folder.isEmpty ? "." : PathBytes(Array(folder.dropLast())).escaped
  }
}

extension PathBytes {
  /// Whether an entry may be in the payload of a bag, whatever the folder of the bag.
  package var mayBePayload: Bool {
    bytes.split(separator: UInt8(ascii: "/")).dropLast().contains {
      $0.elementsEqual("data".utf8)
    }
  }

  /// Whether it is the path of an entry outside the bag, as `BagFolder.path(of:)` returns it.
  package var isOutsideBag: Bool { bytes.first == UInt8(ascii: "/") }
}
