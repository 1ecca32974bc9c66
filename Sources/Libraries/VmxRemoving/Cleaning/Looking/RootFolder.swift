import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

/// The folders in `.vmx` of a root. Files there that follow the naming scheme of vmx belong to vmx.
struct RootFolder {
  /// The name of a folder.
  enum Place: String {
    case partial, records, originals
  }

  /// The root.
  let root: MediaRoot

  /// Lists the files in one of the folders; empty if the folder does not exist.
  ///
  /// - Parameter isWanted: returns by the name whether a file is inspected.
  /// - Throws: `FileError`.
  func files(
    in place: Place, _ isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [LooseFile] {
    try files(below: ".vmx/\(place.rawValue)", isWanted)
  }

  /// Lists the files in a folder below the root; empty if the folder does not exist.
  ///
  /// - Throws: `FileError`.
  func files(
    below path: String, _ isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [LooseFile] {
    let place = root.file(at: PathBytes(path))
    guard try FileFacts.of(place)?.isFolder == true else { return [] }
    let folder = try OpenFolder(place)
    var files: [LooseFile] = []
    while let entry = try folder.next() {
      guard entry.kind == .file, isWanted(entry.name),
        let facts = try folder.facts(of: entry.name)
      else { continue }
      let path = Array("\(path)/".utf8) + entry.name
      files.append(LooseFile(path: PathBytes(path), facts: facts))
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Lists the drafts in `.vmx` itself, of sidecars and of originals. A draft is a temporary file
  /// that a crash left before the rename to the final name. Drafts in `.vmx/partial` are listed
  /// with the partial downloads.
  ///
  /// - Throws: the errors of `failures`.
  func drafts(_ failures: ReadFailures) throws -> [LooseFile] {
    let places = [".vmx", ".vmx/records", ".vmx/originals"]
    return try places.flatMap { place in
      try failures.attempt(at: PathBytes(place)) {
        try files(below: place) { name in
          AtomicFile.isTemporary(name) || place == ".vmx" && MediaRoot.isDraftOfMark(name)
        }
      } ?? []
    }
  }
}

/// The meaning of a file name in `.vmx/partial`.
enum PartialName: Equatable {
  /// The bytes of an episode's part, or the metadata about them, with the number of the episode's
  /// claim.
  case part(claim: Int64)
  /// Bytes that were set aside because their digest was wrong.
  case aside(claim: Int64)
  /// A file that is being imported, with the id that is claimed during the import.
  case arrival(EpisodeID)
  /// A temporary file that a crash left.
  case draft

  /// Parses a name; nil if it does not follow the naming scheme of vmx.
  init?(_ path: PathBytes) {
    guard let name = path.text?.split(separator: "/").last else { return nil }
    if AtomicFile.isTemporary(name.utf8) {
      self = .draft
    } else if name.hasPrefix("import-"), name.hasSuffix(".part"),
      let id = EpisodeID(valid: "import/\(name.dropFirst(7).dropLast(5))")
    {
      self = .arrival(id)
    } else if let claim = Self.claim(name) {
      self = name.hasSuffix(".part.aside") ? .aside(claim: claim) : .part(claim: claim)
    } else {
      return nil
    }
  }

  /// Parses `<16 hex>-<part>.part` and its suffixes, and returns the number of the claim.
  private static func claim(_ name: Substring) -> Int64? {
    let ends = [".part", ".part.json", ".part.aside", ".part.made"]
    guard ends.contains(where: { name.hasSuffix($0) }), name.dropFirst(16).first == "-",
      let number = UInt64(name.prefix(16), radix: 16)
    else { return nil }
    return Int64(exactly: number)
  }
}
