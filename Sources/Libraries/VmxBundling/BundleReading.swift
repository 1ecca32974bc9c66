import SystemPackage
import VmxArchive
import VmxDigest
import VmxJSON
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxSystem

// A bundle is read once, in constant memory. Its tag files come first if vmx wrote it, and at any
// position otherwise, so the folder of the bag may be found after its payload (`BagFolder`). Files
// that may be imported are copied to the staging directory. While the
// next files are copied, a second thread computes their digests and segment digests from the page
// cache. No file gets its final name before the whole bag is verified.

/// Reads a bundle: tag files into spooled texts, payload files into staged copies.
struct BundleReading {
  /// The purpose of reading a bundle.
  enum Purpose {
    /// Copies files to the staging location: those of a record for which the closure returns true.
    /// Before the records are known, it copies all files that a record may name.
    case staging(ImportStaging.Location, wants: (String, JSONObject) throws -> Bool)
    /// Digests all files and copies none.
    case verification
    /// Stops reading as soon as the records are known.
    case listing
  }

  /// The manifests name algorithms that were not computed, and no staged copy exists to compute
  /// them from.
  struct UnknownAlgorithms: Error {
    let algorithms: Set<ManifestAlgorithm>
  }

  private let purpose: Purpose
  private let scratch: FilePath
  /// The algorithms to compute in addition to those of manifests that precede the payload.
  var algorithms: Set<ManifestAlgorithm> = [.sha256]
  private let importsIntact: Bool
  private let progress: (Int) -> Void
  private let note: (String) -> Void
  private let shouldStop: @Sendable () -> Bool
  private var contents: BundleContents
  /// The number of the record that names a path, by the path's hash, once the records are known.
  /// The record itself decides whether it names the path.
  private var recordOf: [Int: Int32] = [:]
  /// The hard links among the payload, with the entries that have their bytes.
  private var links: [(entry: BundleEntry, target: PathBytes)] = []
  /// The number of bytes of the payload files, and of the copies of them for hard links.
  private var (payloadBytes, linkedBytes): (Int64, Int64) = (0, 0)
  /// The bytes of the tag files read so far, without the records.
  private var tagBytes: Int64 = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 20)

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - scratch: the folder for the spooled texts of the tag files.
  ///   - note: called with each fault of an invalid bag beyond the first, which is thrown.
  init(
    for purpose: Purpose, scratch: FilePath, importsIntact: Bool = false,
    progress: @escaping (Int) -> Void = { _ in }, note: @escaping (String) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.purpose = purpose
    self.scratch = scratch
    if case .staging(let location, _) = purpose {
      contents = BundleContents(copiedTo: location)
    } else {
      contents = BundleContents()
    }
    self.importsIntact = importsIntact
    self.progress = progress
    self.note = note
    self.shouldStop = shouldStop
  }

  /// Reads a bundle to its end.
  ///
  /// - Throws: `bundle-damaged`, `bundle-invalid`, `entry-refused` and the other errors of
  ///   `ArchiveError`, `disk-full`, `WorkEnded.interrupted`. With `importsIntact`, a damaged or
  ///   invalid bundle that has records causes no error.
  mutating func read(_ reader: any BundleReader) throws -> BundleContents {
    let digesting = try StagedDigests(shouldStop: shouldStop)
    do {
      while let entry = try reader.next() {
        if shouldStop() { throw WorkEnded.interrupted }
        guard entry.kind == .file else { continue }
        guard try read(entry, from: reader, digesting: digesting) else { break }
        for (file, digest) in try digesting.known() { contents.add(file, digest) }
      }
    } catch let error as ArchiveError
      where importsIntact && contents.records != nil && !error.isInterruption
    {
      contents.failure = Failure(error.code, error.summary, hint: BundleImporter.copyAgain)
    }
    for (file, digest) in try digesting.finish() { contents.add(file, digest) }
    for (entry, target) in links { try add(entry, linkedTo: target) }
    if case .listing = purpose { return contents }
    try verify()
    let outside = contents.outsideCount
    if outside > 0 {
      note("files outside the bag '\(contents.folder.displayPath)' are not imported: \(outside)")
    }
    return contents
  }

  /// Whether the records of a bundle of vmx were read.
  var hasRecords: Bool { contents.records != nil }

  /// - Returns: whether to continue with the next entry.
  private mutating func read(
    _ entry: BundleEntry, from reader: any BundleReader, digesting: StagedDigests
  ) throws -> Bool {
    let entryPath = PathBytes(entry.path.displayText)
    let isTag = contents.folder.mayBeTag(entryPath, orNamed: BundleRecord.fileName)
    if isTag { try contents.find(bagOf: entryPath) }
    let path = contents.folder.path(of: entryPath)
    if isTag, entry.linkTarget != nil { throw ArchiveError.refused(entry: entry.path, .link) }
    // The records of another bag are payload if a bag around both is found later.
    if isTag,
      path.displayText == BundleRecord.fileName || entryPath.lastName != BundleRecord.fileName
    {
      try read(tag: path, entry, reader)
      if let failure = contents.failureOfSeveralBags, contents.records != nil { throw failure }
      if case .listing = purpose { return contents.records == nil }
      return true
    }
    if case .listing = purpose { return true }
    if let target = entry.linkTarget {
      links.append((entry, target))
      return true
    }
    try read(payload: entry, at: path.displayText, from: reader, digesting: digesting)
    return true
  }

  private mutating func read(
    tag path: PathBytes, _ entry: BundleEntry, _ reader: any BundleReader
  ) throws {
    if path.displayText == BundleRecord.fileName { return try read(records: path, entry, reader) }
    // A manifest may have tens of megabytes, and is verified at the end.
    let text = SpooledText(in: scratch)
    let hasher = ManifestHasher(contents.check.algorithms.union(algorithms))
    try reader.readPieces(of: entry, used: tagBytes) { piece in
      hasher.update(piece)
      try text.append(piece)
    }
    tagBytes += Int64(text.count)
    contents.check.add(path, text: text)
    contents.check.add(path, size: Int64(text.count), digests: hasher.finish())
  }

  private mutating func read(
    records path: PathBytes, _ entry: BundleEntry, _ reader: any BundleReader
  ) throws {
    let hasher = ManifestHasher(contents.check.algorithms.union(algorithms))
    let text = SpooledText(in: scratch)
    try reader.readPieces(of: entry, limit: BundleLimits().records) { piece in
      hasher.update(piece)
      try text.append(piece)
    }
    contents.check.add(path, size: Int64(text.count), digests: hasher.finish())
    let records = try BundleRecords(text)
    contents.records = records
    try records.forEach { number, record in
      for path in BundleRecord.paths(in: record)
      where recordOf.updateValue(Int32(clamping: number), forKey: path.hashValue) != nil {
        throw Failure(.bundleInvalid, "the records name '\(path)' twice")
      }
    }
  }

  /// Copies or digests a payload file. Before the records are known, any file in `data` may be the
  /// file of a part, and an NFO file may describe an episode.
  private mutating func read(
    payload entry: BundleEntry, at path: String, from reader: any BundleReader,
    digesting: StagedDigests
  ) throws {
    var text: [UInt8]?
    if contents.records == nil, NFODocuments.isNFO(path, size: entry.size) { text = [] }
    guard contents.check.number(of: PathBytes(path)) == nil else {
      throw ArchiveError.refused(entry: entry.path, .duplicate)
    }
    let hasher = ManifestHasher(contents.check.algorithms.union(algorithms))
    let isCopied = try needsStaging(path)
    // No file is staged for an empty entry, of which an archive may have a million.
    if isCopied, entry.size != 0, let copy = contents.nextCopy {
      var file = (entry.size ?? 0) > 0 ? try StagedFile(creating: copy) : nil
      let (size, kind) = try self.copy(from: reader, into: &text) { bytes, offset in
        let open = try file ?? StagedFile(creating: copy)
        file = open
        try open.write(bytes, at: offset)
      }
      let digests = file == nil ? hasher.finish() : [:]
      let number = contents.add(path, size: size, kind, digests: digests, isCopied: true)
      if let file { digesting.add(file, number) }
    } else {
      let (size, kind) = try copy(from: reader, into: &text) { bytes, _ in hasher.update(bytes) }
      contents.add(path, size: size, kind, digests: hasher.finish(), isCopied: isCopied)
    }
    let limit = BundleLimits().metadata
    guard let text, try !contents.documents.add(path, text, limit: limit) else { return }
    throw ArchiveError.tooLarge(.metadata(entry.path, limit: limit))
  }

  /// Adds a hard link as a file with the bytes of its target.
  ///
  /// - Throws: `entry-refused` if the target is no payload file, or was not copied because only the
  ///   link belongs to a part.
  private mutating func add(_ entry: BundleEntry, linkedTo target: PathBytes) throws {
    let path = contents.folder.path(of: PathBytes(entry.path.displayText)).displayText
    let source = contents.folder.path(of: PathBytes(target.displayText)).displayText
    guard contents.check.number(of: PathBytes(path)) == nil else {
      throw ArchiveError.refused(entry: entry.path, .duplicate)
    }
    let isCopied = try needsStaging(path)
    if isCopied {
      // A link has no bytes in the archive, as if they were packed.
      linkedBytes = linkedBytes.addingClamped(contents.check.size(of: PathBytes(source)) ?? 0)
      let limits = BundleLimits()
      if linkedBytes > BundleLimits.free, linkedBytes / limits.ratio > payloadBytes {
        throw ArchiveError.tooLarge(.ratio(entry.path))
      }
    }
    guard try contents.add(path, linkedTo: source, isCopied: isCopied) else {
      throw ArchiveError.refused(entry: entry.path, .link)
    }
  }

  /// Whether a file must be staged, since its episode may be taken; others are only digested.
  private func needsStaging(_ path: String) throws -> Bool {
    guard case .staging(_, let wants) = purpose else { return false }
    guard let records = contents.records else {
      // Records that follow the payload may name any file of a bag, whose folder may be unknown.
      return PathBytes(path).mayBePayload || PlainBundle.mayBePart(path)
    }
    return try recordOf[path.hashValue].map { try wants(path, records.record(Int($0))) } ?? false
  }

  /// Reads the entry in pieces, and passes each with its offset to the closure.
  ///
  /// - Parameter text: collects the bytes; set to nil if they exceed the limit of an NFO file.
  /// - Returns: its size in bytes, and its kind according to the first of them.
  private mutating func copy(
    from reader: any BundleReader, into text: inout [UInt8]?,
    body: (UnsafeRawBufferPointer, Int64) throws -> Void
  ) throws -> (size: Int64, kind: MediaKind?) {
    var size: Int64 = 0
    var first: [UInt8] = []
    while true {
      if shouldStop() { throw WorkEnded.interrupted }
      let count = try buffer.withUnsafeMutableBytes { piece in
        let count = try reader.read(into: piece)
        if count > 0 { try body(UnsafeRawBufferPointer(rebasing: piece[..<count]), size) }
        return count
      }
      if count == 0 { return (size, first.isEmpty ? nil : MediaKind.sniff(first)) }
      first += buffer[..<min(count, MediaKind.sniffLength - first.count)]
      size += Int64(count)
      payloadBytes += Int64(count)
      text = size > Int64(NFOContents.maxBytes) ? nil : text.map { $0 + buffer[..<count] }
      progress(count)
    }
  }

  /// Verifies the bag, after computing missing digests of other algorithms from the staged copies.
  private mutating func verify() throws {
    guard contents.folder.isFound else { return }
    if let failure = contents.failureOfSeveralBags { throw failure }
    var verdict = contents.check.verdict()
    for (path, names) in verdict.unverified {
      guard let text = path.text, let file = contents.stagedCopy(of: text) else { continue }
      let hasher = ManifestHasher(names)
      var offset: Int64 = 0
      if contents.check.size(of: path) != 0 {
        let open = try OpenFile(file, .readOnly)
        while case let bytes = try open.read(1 << 20, at: offset), !bytes.isEmpty {
          bytes.withUnsafeBytes { hasher.update($0) }
          offset += Int64(bytes.count)
        }
      }
      contents.check.add(path, size: offset, digests: hasher.finish())
    }
    if !verdict.unverified.isEmpty { verdict = contents.check.verdict() }
    contents.check.releaseTexts()
    contents.verdict = verdict
    guard !importsIntact || contents.records == nil else {
      contents.failure = contents.failure ?? verdict.failure
      return
    }
    if let failure = verdict.failure {
      if case .verification = purpose { verdict.errors.dropFirst().map(\.summary).forEach(note) }
      throw failure
    }
    let unknown = verdict.unverified.values.reduce(into: Set()) { $0.formUnion($1) }
    if !unknown.isEmpty { throw UnknownAlgorithms(algorithms: unknown) }
  }
}
