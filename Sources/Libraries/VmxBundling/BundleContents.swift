import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel

/// The content of a bundle, collected while it is read.
struct BundleContents {
  /// The sizes and digests of all files, by their path in the bag (`data/…`). In a folder that is
  /// not a bag, the path is relative to that folder.
  var check = BagCheck()
  /// The number of payload files.
  private(set) var count = 0
  /// The paths of the payload files; empty once the records are known.
  private var paths: [String] = []
  /// The number of each file's staged copy, by the file's number in `check`; -1 for none.
  private var copies: [Int32] = []
  private var copyCount: Int32 = 0
  /// The digests of the 4 MiB segments, by the file's number, for files of several segments.
  private var segments: [Int: [Digest]] = [:]
  /// The staging place of the copies; nil if none are made.
  private let place: ImportStaging.Place?
  /// The parsed records; nil for a bag of another program, or a plain folder.
  var records: BundleRecords? {
    // Records hold more information than file names and NFO files.
    didSet { (paths, documents) = ([], NFODocuments()) }
  }
  /// The verdict on the bag; nil if the input is not a bag.
  var verdict: BagVerdict? {
    didSet { faulty = Set((verdict?.errors ?? []).compactMap(\.path.text)) }
  }
  private var faulty: Set<String> = []
  /// The parsed NFO files; empty once the records are known, which hold more information.
  var documents = NFODocuments()
  /// The name of the bundle's type, as in `vmx export --type`.
  var type: String?
  /// The failure that ended the reading early, or the fault of the bag, if the user requested the
  /// intact episodes.
  var failure: Failure?

  /// Creates the content of a bundle before any of it has been read.
  init(copiedTo place: ImportStaging.Place? = nil) { self.place = place }

  /// The path of the next staged copy; nil if none are made.
  var nextCopy: FilePath? { place.map { Self.path(of: copyCount, in: $0) } }

  private static func path(of number: Int32, in place: ImportStaging.Place) -> FilePath {
    number == 0 ? place.file : place.file(Int(number))
  }

  /// Adds a payload file.
  ///
  /// - Parameter isCopied: whether its bytes were written to `nextCopy`.
  mutating func add(
    _ path: String, size: Int64, digests: [ManifestAlgorithm: [UInt8]], isCopied: Bool = false
  ) {
    count += 1
    if records == nil { paths.append(path) }
    check.add(PathBytes(path), size: size, digests: digests)
    guard isCopied, let number = fileNumber(of: path) else { return }
    if number >= copies.count {
      copies.append(contentsOf: repeatElement(-1, count: number + 1 - copies.count))
    }
    copies[number] = copyCount
    copyCount += 1
  }

  /// Returns the number of a file in `check`.
  private func fileNumber(of path: String) -> Int? { check.number(of: PathBytes(path)) }

  /// Adds the digests of a staged copy.
  mutating func add(_ path: String, _ digest: FileDigest) {
    if digest.segments.count > 1, let number = fileNumber(of: path) {
      segments[number] = digest.segments
    }
    check.add(
      PathBytes(path), size: digest.size.bytes, digests: [.sha256: digest.whole.bytes])
  }

  /// Returns the bag paths of the files with staged copies, by digest; of equal files the first.
  func copiesByDigest() -> [Digest: String] {
    var paths: [Digest: String] = [:]
    for number in copies.indices where copies[number] >= 0 {
      let path = check.path(of: number)
      if let digest = check.sha256(of: path), paths[digest] == nil { paths[digest] = path.words }
    }
    return paths
  }

  /// Returns the path of a file's staged copy; nil if it has none.
  func copy(of path: String) -> FilePath? {
    guard let place, let number = fileNumber(of: path), number < copies.count, copies[number] >= 0
    else { return nil }
    return Self.path(of: copies[number], in: place)
  }

  /// Returns a staged file with its digests; nil if it has no copy.
  func staged(_ file: BundledEpisode.File) -> ImportedFile? {
    let path = PathBytes(file.path)
    guard let copy = copy(of: file.path), let sha256 = check.sha256(of: path),
      let size = check.size(of: path)
    else { return nil }
    // The digest of a single segment equals that of the file.
    let several = fileNumber(of: file.path).flatMap { self.segments[$0] } ?? []
    let segments = several.isEmpty && size > 0 ? [sha256] : several
    return ImportedFile(
      copy, part: file.part,
      found: FoundBytes(
        size: ByteCount(clamping: size), sha256: sha256, proof: .length, segments: segments))
  }

  /// Returns the episodes, decoded one at a time from the records. Without records they are derived
  /// from the names of the videos.
  ///
  /// - Throws: `resources-short`.
  func episodes() throws(Failure) -> AnySequence<BundledEpisode.Read> {
    guard let records else {
      let episodes = try PlainBundle.episodes(paths, documents: documents) {
        check.sha256(of: PathBytes($0))
      }
      return AnySequence(
        episodes.lazy.map {
          BundledEpisode.Read(id: $0.description.proposedID, episode: .success($0))
        })
    }
    return AnySequence(
      records.lazy.map { record in
        BundledEpisode.Read(
          id: BundledEpisode.id(of: record),
          episode: Result { () throws(Failure) in try BundledEpisode(record) })
      })
  }

  /// Whether a file matches its manifest, and the digest of its record if there is one.
  func isIntact(_ path: String, _ sha256: Digest?) -> Bool {
    guard let found = check.sha256(of: PathBytes(path)) else { return false }
    return !faulty.contains(path) && (sha256 == nil || sha256 == found)
  }
}
