import SystemPackage
import VmxArchive
import VmxLibrary
import VmxModel

/// The content of a bundle that was read to its end.
struct BundleContents {
  /// A file of the payload.
  struct File {
    /// The number of bytes.
    let size: Int64
    /// The digest of the whole; nil for a file that an incomplete copy left undigested.
    var sha256: Digest?
    /// The digests of the segments of 4 MiB; empty for a file that was not staged.
    var segments: [Digest] = []
    /// The copy beside the library; nil for a file that was only digested.
    let staged: FilePath?
  }

  /// The files of the payload, by their path in the bag (`data/…`), or for a folder that is no bag
  /// by their path there.
  private(set) var files: [String: File] = [:]
  /// The lines of the records; nil for a bag of another program, or a plain folder.
  var records: BundleRecords?
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

  mutating func add(_ path: String, _ file: File) { files[path] = file }

  /// The episodes, one at a time: those of the records, or those that the names of videos tell.
  ///
  /// - Throws: `resources-short`.
  func episodes() throws(Failure) -> AnySequence<BundledEpisode.Read> {
    guard let records else {
      let episodes = try PlainBundle.episodes(files.keys, documents: documents) {
        files[$0]?.sha256
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
    guard let file = files[path], let found = file.sha256 else { return false }
    return !faulty.contains(path) && (sha256 == nil || sha256 == found)
  }
}
