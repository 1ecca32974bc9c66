import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

/// The content of a bundle, collected while it is read.
struct BundleContents {
  /// The sizes and digests of all files, by their path in the bag (`data/…`). In a folder that is
  /// not a bag, the path is relative to that folder.
  var check = BagCheck()
  /// The folder of the bag in an archive or folder.
  private(set) var folder = BagFolder()
  /// The failure of a bundle with several bags, of which it is unknown which to read.
  private(set) var failureOfSeveralBags: Failure?
  /// The number of payload files.
  private(set) var count = 0
  /// Whether each file is staged, by the file's number in `check`.
  private var isStaged: [Bool] = []
  /// The kind of each payload file according to its first bytes, by the file's number in `check`.
  private var kinds: [MediaKind?] = []
  /// The digests of the 4 MiB segments, by the file's number, for files of several segments.
  private var segments: [Int: [Digest]] = [:]
  /// The staging location of the copies; nil if none are made.
  private let stagingLocation: ImportStaging.Location?
  /// The parsed records; nil for a bag of another program, or a plain folder.
  var records: BundleRecords? {
    // Records hold more information than file names and NFO files.
    didSet { documents = NFODocuments() }
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
  init(copiedTo location: ImportStaging.Location? = nil) { self.stagingLocation = location }

  /// The path of the staged copy of the next file; nil if none are made.
  var nextCopy: FilePath? { stagingLocation?.file(check.paths.count) }

  /// Makes the folder of a tag file the bag, if no bag is known or the known bag is within it.
  ///
  /// - Throws: `bundle-invalid` if there are too many bags.
  mutating func find(bagOf tag: PathBytes) throws(Failure) {
    let old = folder
    let isMoved = try folder.add(tag)
    var bags = folder.conflictingFolders
    if isMoved {
      check.move(from: old, to: folder)
      documents.move(from: old, to: folder)
      // The records belong to the bag within, which is then only payload.
      if records != nil { bags = (folder.displayPath, old.displayPath) }
    }
    failureOfSeveralBags = bags.map { first, second in
      Failure(
        .bundleInvalid, "there is more than one bag: '\(first)' and '\(second)'",
        hint: "unpack the bundle, and import the folder of each bag")
    }
  }

  /// The number of files outside the bag.
  var outsideCount: Int { folder.isFound ? check.paths.count { $0.isOutsideBag } : 0 }

  /// Adds a payload file.
  ///
  /// - Parameters:
  ///   - kind: the kind according to its first bytes; nil for an unknown one.
  ///   - isCopied: whether its bytes, if there are any, were written to `nextCopy`.
  /// - Returns: the number of the file in `check`.
  @discardableResult
  mutating func add(
    _ path: String, size: Int64, _ kind: MediaKind?, digests: [ManifestAlgorithm: [UInt8]],
    isCopied: Bool = false
  ) -> Int {
    count += 1
    let number = check.add(PathBytes(path), size: size, digests: digests)
    kinds.append(contentsOf: repeatElement(nil, count: max(0, number - kinds.count)))
    kinds.append(kind)
    guard isCopied else { return number }
    isStaged.append(contentsOf: repeatElement(false, count: number - isStaged.count))
    isStaged.append(true)
    return number
  }

  /// Adds a payload file with the bytes of another one.
  ///
  /// - Parameter isCopied: whether it gets a staged copy of its own: a repair of one of two files
  ///   with one inode would change both.
  /// - Returns: false if the other file is no payload, or has no staged copy to be copied.
  /// - Throws: errors of the file system.
  mutating func add(_ path: String, linkedTo source: String, isCopied: Bool) throws(FileError)
    -> Bool
  {
    guard !folder.isFound || PathBytes(source).isPayload,
      let number = fileNumber(of: source), number < kinds.count,
      let size = check.size(of: PathBytes(source))
    else { return false }
    if isCopied, size > 0 {
      guard let held = stagedCopy(of: source), let copy = nextCopy else { return false }
      _ = try copyFile(from: held, to: copy)
    }
    let added = add(
      path, size: size, kinds[number], digests: check.digests(ofFile: number), isCopied: isCopied)
    segments[added] = segments[number]
    return true
  }

  /// Returns the failure for a file that cannot be imported as its part, as its first bytes or
  /// their absence show; nil if they show none.
  func kindFailure(of file: BundledEpisode.File) -> Failure? {
    guard let number = fileNumber(of: file.path), number < kinds.count else { return nil }
    do throws(Failure) {
      try PartFinisher.check(kinds[number], for: file.role, "'\(file.path)'")
    } catch {
      return error
    }
    let isEmpty = check.size(of: PathBytes(file.path)) == 0
    return isEmpty ? Failure(.emptyBody, "'\(file.path)' is empty") : nil
  }

  /// Returns the number of a file in `check`.
  private func fileNumber(of path: String) -> Int? { check.number(of: PathBytes(path)) }

  /// Adds the digests of a staged copy.
  mutating func add(_ number: Int, _ digest: FileDigest) {
    if digest.segments.count > 1 { segments[number] = digest.segments }
    check.add([.sha256: digest.sha256.bytes], ofFile: number)
  }

  /// Returns the bag paths of the files with staged copies, by digest; of equal files the first.
  func copiesByDigest() -> [Digest: String] {
    var paths: [Digest: String] = [:]
    for number in isStaged.indices where isStaged[number] {
      let path = check.path(of: number)
      if let digest = check.sha256(of: path), paths[digest] == nil {
        paths[digest] = path.displayText
      }
    }
    return paths
  }

  /// Returns the path of a file's staged copy, which does not exist if the file is empty; nil if it
  /// has none.
  func stagedCopy(of path: String) -> FilePath? {
    guard let number = fileNumber(of: path), number < isStaged.count, isStaged[number]
    else { return nil }
    return stagingLocation?.file(number)
  }

  /// Returns the path of a file's staged copy, which is created if the file is empty; nil if it has
  /// none.
  ///
  /// - Throws: errors of the file system.
  func copy(of path: String) throws(FileError) -> FilePath? {
    guard let copy = stagedCopy(of: path) else { return nil }
    if check.size(of: PathBytes(path)) == 0 {
      _ = try OpenFile(copy, .readWrite, options: [.create])
    }
    return copy
  }

  /// Returns a staged file with its digests; nil if it has no copy.
  ///
  /// - Throws: errors of the file system.
  func staged(_ file: BundledEpisode.File) throws(FileError) -> ImportedFile? {
    let path = PathBytes(file.path)
    guard let copy = try copy(of: file.path), let sha256 = check.sha256(of: path),
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
  /// from the names of the videos, which are in the payload of a bag.
  func episodes() -> AnySequence<BundledEpisode.Read> {
    guard let records else {
      let isBag = folder.isFound
      let paths = check.paths.lazy.filter { !isBag || $0.isPayload }
      let bundle = PlainBundle(
        paths, documents: documents, digest: { check.sha256(of: PathBytes($0)) },
        copy: { stagedCopy(of: $0) })
      return AnySequence(bundle.episodes)
    }
    return AnySequence((0..<records.count).lazy.map { BundledEpisode.Read($0, of: records) })
  }

  /// Whether a file matches its manifest, and the digest of its record if there is one.
  func isIntact(_ path: String, _ sha256: Digest?) -> Bool {
    // The manifests of a bag need not list other files.
    guard !folder.isFound || PathBytes(path).isPayload,
      let found = check.sha256(of: PathBytes(path))
    else { return false }
    return !faulty.contains(path) && (sha256 == nil || sha256 == found)
  }
}
