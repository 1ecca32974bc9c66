import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel

/// The content of a bundle that was read to its end.
struct BundleContents {
  /// A copy of a file beside the library.
  struct Copy {
    /// Its path.
    let path: FilePath
    /// The digests of the segments of 4 MiB; empty as long as it is not digested.
    var segments: [Digest] = []
  }

  /// The sizes and digests of all files, by their path in the bag (`data/…`), or for a folder that is
  /// no bag by their path there.
  var check = BagCheck()
  /// The number of files of the payload.
  private(set) var count = 0
  /// The paths of the payload, as long as no records are known.
  private var paths: [String] = []
  /// The copies beside the library, by the path of the file.
  private(set) var copies: [String: Copy] = [:]
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

  /// Adds a file of the payload.
  mutating func add(
    _ path: String, size: Int64, digests: [ManifestAlgorithm: [UInt8]], copy: FilePath? = nil
  ) {
    count += 1
    if records == nil { paths.append(path) }
    check.add(PathBytes(path), size: size, digests: digests)
    if let copy { copies[path] = Copy(path: copy) }
  }

  /// Adds the digests of a copy.
  mutating func add(_ path: String, _ digest: FileDigest) {
    copies[path]?.segments = digest.segments
    check.add(
      PathBytes(path), size: digest.size.bytes, digests: [.sha256: digest.whole.bytes])
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
