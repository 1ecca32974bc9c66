import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel

/// The content of a bundle that was read to its end.
struct BundleContents {
  /// The sizes and digests of all files, by their path in the bag (`data/…`), or for a folder that is
  /// no bag by their path there.
  var check = BagCheck()
  /// The number of files of the payload.
  private(set) var count = 0
  /// The paths of the payload, as long as no records are known.
  private var paths: [String] = []
  /// The number of each file's copy beside the library by that of the file in the check; -1 for none.
  private var copies: [Int32] = []
  private var copyCount: Int32 = 0
  /// The digests of the segments of 4 MiB by the number of the file, where there are several.
  private var segments: [Int: [Digest]] = [:]
  /// The place of the copies; nil if none are made.
  private let place: ImportStaging.Place?
  /// The lines of the records; nil for a bag of another program, or a plain folder.
  var records: BundleRecords? {
    // Records tell more than names and NFO files.
    didSet { (paths, documents) = ([], NFODocuments()) }
  }
  /// The verdict on the bag; nil for what is no bag.
  var verdict: BagVerdict? {
    didSet { faulty = Set((verdict?.errors ?? []).compactMap(\.path.text)) }
  }
  private var faulty: Set<String> = []
  /// The NFO files, as long as no records are known, which tell more.
  var documents = NFODocuments()
  /// The name of the type of the bundle, as in `vmx export --type`.
  var type: String?
  /// The failure that ended the reading early, if the intact rest was asked for.
  var failure: Failure?

  /// Creates the content of a bundle of which nothing was read.
  init(copiedTo place: ImportStaging.Place? = nil) { self.place = place }

  /// Returns the path of the next copy beside the library; nil if none are made.
  var nextCopy: FilePath? { place.map { Self.path(of: copyCount, in: $0) } }

  private static func path(of number: Int32, in place: ImportStaging.Place) -> FilePath {
    number == 0 ? place.file : place.file(Int(number))
  }

  /// Adds a file of the payload.
  ///
  /// - Parameter isCopied: whether `nextCopy` has its bytes.
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

  /// Returns the number of a file in the check.
  private func fileNumber(of path: String) -> Int? { check.number(of: PathBytes(path)) }

  /// Adds the digests of a copy.
  mutating func add(_ path: String, _ digest: FileDigest) {
    if digest.segments.count > 1, let number = fileNumber(of: path) {
      segments[number] = digest.segments
    }
    check.add(
      PathBytes(path), size: digest.size.bytes, digests: [.sha256: digest.whole.bytes])
  }

  /// Returns the path of a file with a copy that has these bytes; nil if there is none.
  func copied(_ digest: Digest) -> String? {
    let number = copies.indices.first { number in
      copies[number] >= 0 && check.sha256(of: check.path(of: number)) == digest
    }
    return number.map { check.path(of: $0).words }
  }

  /// Returns the path of the copy of a file; nil if it has none.
  func copy(of path: String) -> FilePath? {
    guard let place, let number = fileNumber(of: path), number < copies.count, copies[number] >= 0
    else { return nil }
    return Self.path(of: copies[number], in: place)
  }

  /// Returns a file with its digests, which are known; nil if it has no copy.
  func staged(_ file: BundledEpisode.File) -> ImportedFile? {
    let path = PathBytes(file.path)
    guard let copy = copy(of: file.path), let sha256 = check.sha256(of: path),
      let size = check.size(of: path)
    else { return nil }
    // A file of one segment has its digest.
    let several = fileNumber(of: file.path).flatMap { self.segments[$0] } ?? []
    let segments = several.isEmpty && size > 0 ? [sha256] : several
    return ImportedFile(
      copy, part: file.part,
      found: FoundBytes(
        size: ByteCount(clamping: size), sha256: sha256, proof: .length, segments: segments))
  }

  /// The episodes, one at a time: those of the records, or those that the names of videos tell.
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

  /// Whether the bytes of a file are those that its manifest and its record name.
  func isIntact(_ path: String, _ sha256: Digest?) -> Bool {
    guard let found = check.sha256(of: PathBytes(path)) else { return false }
    return !faulty.contains(path) && (sha256 == nil || sha256 == found)
  }
}
