import SystemPackage
import VmxArchive
import VmxDigest
import VmxJSON
import VmxLibrary
import VmxModel
import VmxSystem

// A bundle is read once, in constant memory. Its tag files come first where vmx wrote it, and
// anywhere else otherwise. Files that may be taken in are copied beside the library; a second thread
// digests them from the page cache, with their segments, while the next ones are copied. Nothing gets
// a name of its own before the whole bag was judged.

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
  fileprivate(set) var records: BundleRecords?
  /// The verdict on the bag; nil for what is no bag.
  fileprivate(set) var verdict: BagVerdict? {
    didSet { faulty = Set((verdict?.errors ?? []).compactMap(\.path.text)) }
  }
  private var faulty: Set<String> = []
  /// The NFO files, by their path.
  fileprivate(set) var documents: [String: [UInt8]] = [:]
  /// The name of the type of the bundle, as in `vmx export --type`.
  var type: String?
  /// The failure that ended the reading early, if the intact rest was asked for.
  fileprivate(set) var failure: Failure?

  fileprivate mutating func add(_ path: String, _ file: File) { files[path] = file }

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

/// Reads a bundle: tag files into memory, payload files to copies beside the library.
struct BundleReading {
  /// The purpose of the reading.
  enum Purpose {
    /// Files for which the closure returns true are copied, below the staging place.
    case staging(ImportStaging.Place, wants: (String, JSONObject?) throws -> Bool)
    /// All files are only digested.
    case verification
    /// The reading ends as soon as the records are known.
    case listing
  }

  /// The manifests of a stream named algorithms that were not computed, and there is no copy to
  /// compute them from.
  struct UnknownAlgorithms: Error {
    let algorithms: Set<ManifestAlgorithm>
  }

  private let purpose: Purpose
  private let algorithms: Set<ManifestAlgorithm>
  private let takesIntact: Bool
  private let progress: (Int) -> Void
  private let shouldStop: @Sendable () -> Bool
  private var contents = BundleContents()
  private var check = BagCheck()
  private var prefix: String?
  private var isBag = false
  /// The number of the record of each path, once the records are known.
  private var recordOf: [String: Int] = [:]
  private var copies = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 20)

  /// Creates a reading.
  ///
  /// - Parameter algorithms: those to compute in addition to SHA-256 and to those of the manifests
  ///   that come before the payload.
  init(
    for purpose: Purpose, takesIntact: Bool = false, algorithms: Set<ManifestAlgorithm> = [],
    progress: @escaping (Int) -> Void = { _ in }, shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.purpose = purpose
    self.algorithms = algorithms.union([.sha256])
    self.takesIntact = takesIntact
    self.progress = progress
    self.shouldStop = shouldStop
  }

  /// Reads a bundle to its end.
  ///
  /// - Throws: `bundle-damaged`, `bundle-invalid`, `entry-refused` and the other errors of
  ///   `ArchiveError`, `disk-full`, `WorkEnded.interrupted`. With `takesIntact` a damaged or invalid
  ///   bundle is no error if it has records.
  mutating func read(_ reader: any BundleReader) throws -> BundleContents {
    let digesting = try StagedDigests(shouldStop: shouldStop)
    do {
      while let entry = try reader.next() {
        if shouldStop() { throw WorkEnded.interrupted }
        guard entry.kind == .file else { continue }
        guard try take(entry, reader, digesting) else { break }
      }
    } catch let error as ArchiveError where takesIntact && contents.records != nil {
      contents.failure = Failure(error)
    }
    for (path, digest) in try digesting.finish() { note(path, digest) }
    if case .listing = purpose { return contents }
    try judge()
    return contents
  }

  /// - Returns: whether to go on.
  private mutating func take(
    _ entry: BundleEntry, _ reader: any BundleReader, _ digesting: StagedDigests
  ) throws -> Bool {
    let path = inBag(entry.path.words)
    if isTag(path) {
      let bytes = try reader.readAll(of: entry)
      try take(tag: path, bytes)
      if case .listing = purpose { return contents.records == nil }
      return true
    }
    if case .listing = purpose { return true }
    if path.hasSuffix(".nfo"), (entry.size ?? 0) <= 1 << 20 {
      let bytes = try take(document: entry, path, reader)
      // Records tell more than NFO files.
      if contents.records == nil { contents.documents[path] = bytes }
    } else {
      try take(payload: entry, path, reader, digesting)
    }
    return true
  }

  /// The path without the single top folder of a bag in an archive. The first file decides whether
  /// there is one: it is a tag file, or in the folder `data`.
  private mutating func inBag(_ path: String) -> String {
    if let prefix { return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path }
    let components = path.split(separator: "/")
    let isInBag =
      components.count > 1 && components[0] != "data"
      && (components[1] == "data" || BagCheck.parses(PathBytes(String(components[1]))))
    prefix = isInBag ? "\(components[0])/" : ""
    return inBag(path)
  }

  private func isTag(_ path: String) -> Bool {
    !path.hasPrefix("data/") && !path.contains("/") && path.hasSuffix(".txt")
      || path == BundleRecord.fileName || path == BundleTags.elsewhere
  }

  private mutating func take(tag path: String, _ bytes: [UInt8]) throws {
    let name = PathBytes(path)
    if path == BagDeclaration.name { isBag = true }
    if BagCheck.parses(name) { check.add(name, bytes: bytes) }
    check.add(
      name, size: Int64(bytes.count),
      digests: ManifestHasher.digests(of: bytes, check.algorithms.union(algorithms)))
    guard path == BundleRecord.fileName else { return }
    let records = try BundleRecords(bytes)
    contents.records = records
    for (number, record) in records.enumerated() {
      for path in BundleRecord.paths(in: record)
      where recordOf.updateValue(number, forKey: path) != nil {
        throw Failure(.bundleInvalid, "the records name '\(path)' twice")
      }
    }
  }

  /// Reads a small document, which stays in memory.
  private mutating func take(
    document entry: BundleEntry, _ path: String, _ reader: any BundleReader
  ) throws -> [UInt8] {
    let bytes = try reader.readAll(of: entry, limit: 1 << 20)
    let digests = ManifestHasher.digests(of: bytes, check.algorithms.union(algorithms))
    check.add(PathBytes(path), size: Int64(bytes.count), digests: digests)
    contents.add(
      path,
      BundleContents.File(
        size: Int64(bytes.count), sha256: DigestHasher.sha256(of: bytes), staged: nil))
    progress(bytes.count)
    return bytes
  }

  private mutating func take(
    payload entry: BundleEntry, _ path: String, _ reader: any BundleReader,
    _ digesting: StagedDigests
  ) throws {
    let record = recordOf[path].flatMap { contents.records?[$0] }
    guard case .staging(let place, let wants) = purpose, try wants(path, record) else {
      let hasher = ManifestHasher(check.algorithms.union(algorithms))
      let size = try copy(reader) { bytes, _ in hasher.update(bytes) }
      let digests = hasher.finish()
      check.add(PathBytes(path), size: size, digests: digests)
      let sha256 = digests[.sha256].flatMap { Digest(.sha256, bytes: $0) }
      contents.add(path, BundleContents.File(size: size, sha256: sha256, staged: nil))
      return
    }
    let copy = copies == 0 ? place.file : place.file(copies)
    copies += 1
    let file = StagedFile(
      path, try OpenFile(copy, .readWrite, options: [.create, .exclusiveCreate]))
    let size = try self.copy(reader) { bytes, offset in try file.write(bytes, at: offset) }
    contents.add(path, BundleContents.File(size: size, sha256: nil, staged: copy))
    check.add(PathBytes(path), size: size, digests: [:])
    digesting.add(file)
  }

  /// Reads the entry in pieces.
  ///
  /// - Returns: its size.
  private mutating func copy(
    _ reader: any BundleReader, _ body: (UnsafeRawBufferPointer, Int64) throws -> Void
  ) throws -> Int64 {
    var size: Int64 = 0
    while true {
      if shouldStop() { throw WorkEnded.interrupted }
      let count = try buffer.withUnsafeMutableBytes { piece in
        let count = try reader.read(into: piece)
        if count > 0 { try body(UnsafeRawBufferPointer(rebasing: piece[..<count]), size) }
        return count
      }
      if count == 0 { return size }
      size += Int64(count)
      progress(count)
    }
  }

  private mutating func note(_ path: String, _ digest: FileDigest) {
    guard var file = contents.files[path] else { return }
    (file.sha256, file.segments) = (digest.whole, digest.segments)
    contents.add(path, file)
    check.add(PathBytes(path), size: digest.size.bytes, digests: [.sha256: digest.whole.bytes])
  }

  /// Judges the bag, after computing the digests of other algorithms from the copies.
  private mutating func judge() throws {
    guard isBag else { return }
    var verdict = check.verdict()
    for (path, names) in verdict.unverified {
      guard let text = path.text, let file = contents.files[text]?.staged else { continue }
      let hasher = ManifestHasher(names)
      let open = try OpenFile(file, .readOnly)
      var offset: Int64 = 0
      while true {
        let bytes = try open.read(1 << 20, at: offset)
        if bytes.isEmpty { break }
        bytes.withUnsafeBytes { hasher.update($0) }
        offset += Int64(bytes.count)
      }
      check.add(path, size: offset, digests: hasher.finish())
    }
    if !verdict.unverified.isEmpty { verdict = check.verdict() }
    contents.verdict = verdict
    guard !takesIntact || contents.records == nil else {
      contents.failure = contents.failure ?? verdict.failure
      return
    }
    if let failure = verdict.failure { throw failure }
    let unknown = verdict.unverified.values.reduce(into: Set()) { $0.formUnion($1) }
    if !unknown.isEmpty { throw UnknownAlgorithms(algorithms: unknown) }
  }
}

/// An open copy of a file of the payload.
private final class StagedFile: Sendable {
  private static let largePiece = 1 << 20
  /// The path in the bag.
  let path: String
  private let file: OpenFile

  init(_ path: String, _ file: consuming OpenFile) {
    self.path = path
    self.file = file
  }

  /// Writes a piece, and starts its way to the disk, so that the flush has less to do.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    try file.write(bytes, at: offset)
    if bytes.count >= Self.largePiece {
      beginWriteBack(file.descriptor, from: offset, Int64(bytes.count))
    }
  }

  func digest(_ shouldStop: () -> Bool) throws -> FileDigest {
    try FileDigest.of(file.descriptor.rawValue, withSegments: true) { _ in shouldStop() }
  }
}

/// Digests staged files on a thread of its own, in their order.
private final class StagedDigests: Sendable {
  private let queue = Channel<StagedFile>(capacity: 4)
  private let results = Monitor<[(String, Result<FileDigest, any Error>)]>([])
  private let thread: WorkerThread

  init(shouldStop: @escaping @Sendable () -> Bool) throws {
    thread = try WorkerThread.start("vmx-digest") { [queue, results] in
      while let file = queue.receive() {
        let result = Result { try file.digest(shouldStop) }
        results.withLock { $0.append((file.path, result)) }
      }
    }
  }

  deinit { queue.cancel() }

  func add(_ file: StagedFile) { queue.send(file) }

  /// Returns the digests, once all are known.
  func finish() throws -> [(String, FileDigest)] {
    queue.close()
    thread.join()
    return try results.withLock { results in try results.map { ($0.0, try $0.1.get()) } }
  }
}
