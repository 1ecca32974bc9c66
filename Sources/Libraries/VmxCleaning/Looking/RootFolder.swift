import SystemPackage
import VmxJobs
import VmxModel
import VmxSystem

/// The folders in `.vmx` of a root, where everything is ours that has a name of ours.
struct RootFolder {
  /// One of them.
  enum Place: String {
    case partial, records, originals
  }

  /// The root.
  let root: MediaRoot

  /// The files in one of the folders; none where it is not there.
  ///
  /// - Parameter isWanted: tells by the name whether a file is to be looked at.
  /// - Throws: `FileError`.
  func files(
    in place: Place, _ isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [LooseFile] {
    try files(below: ".vmx/\(place.rawValue)", isWanted)
  }

  /// The files in a folder below the root; none where it is not there.
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

  /// Drafts of files in `.vmx` itself, and of sidecars and originals: what a crash between the
  /// first byte and the final name leaves. Those among the unfinished parts are listed with them.
  ///
  /// - Throws: what `failures` throws.
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

/// What the name of a file in `.vmx/partial` tells of it.
enum PartialName: Equatable {
  /// Bytes of an episode's part, by the episode's claim, and what is known of them.
  case part(claim: Int64)
  /// Bytes that turned out not to be the right ones.
  case aside(claim: Int64)
  /// A file on its way into the library, by the id that is claimed meanwhile.
  case arrival(EpisodeID)
  /// A draft that a crash left.
  case draft

  /// Reads a name; nil for one that is none of ours.
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

  /// `<16 hex>-<part>.part` and what stands behind that.
  private static func claim(_ name: Substring) -> Int64? {
    let ends = [".part", ".part.json", ".part.aside", ".part.made"]
    guard ends.contains(where: { name.hasSuffix($0) }), name.dropFirst(16).first == "-",
      let number = UInt64(name.prefix(16), radix: 16)
    else { return nil }
    return Int64(exactly: number)
  }
}
