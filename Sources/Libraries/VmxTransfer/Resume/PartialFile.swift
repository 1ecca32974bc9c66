import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

/// The file that takes a part's bytes, and the digests made while they pass.
///
/// Bytes may come in any order, at several places by turns. Segments are digested in groups once
/// they are whole; where that is no faster, those of one run that follow each other are digested
/// from memory. Nothing is flushed unless told.
struct PartialFile: ~Copyable {
  /// The bytes written and believed.
  var held = ByteRangeSet()
  /// Digests of whole segments by index.
  var segments: [Int: Digest] = [:]
  /// Whether there is nothing in the file, neither from this run nor from an earlier one.
  private(set) var isEmpty: Bool
  /// Bytes of the whole, once known: what fits into one segment is digested only once.
  var length: Int64?
  /// Bytes written between two times that the kernel is told to begin to bring them to the disk.
  private static let writeBackBytes: Int64 = 8 << 20

  let file: OpenFile
  var whole: WholeDigest
  let groupsSegments: Bool
  var backlog = SegmentBacklog()
  private var runs = SegmentRuns()
  /// Bytes written since the kernel was last told to begin to bring them to the disk.
  private var unsent: Int64 = 0

  /// Opens the file, making it and its folder where they are missing.
  ///
  /// - Parameter groupsSegments: whether segments are digested side by side.
  /// - Throws: `FileError`, above all `disk-full` and `media-unwritable`.
  init(
    _ path: FilePath, groupsSegments: Bool = MultiBufferSHA256.isWorthwhile
  ) throws(FileError) {
    let opened = try Self.open(path)
    isEmpty = try opened.facts().size == 0
    file = opened
    self.groupsSegments = groupsSegments
    whole = WholeDigest(of: path)
  }

  private static func open(_ path: FilePath) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile(path, .readWrite, options: .create)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      try makeFolders(path.folder)
      return try OpenFile(path, .readWrite, options: .create)
    }
  }

  /// Bytes held from the first on without a gap.
  var prefix: Int64 {
    guard let first = held.ranges.first, first.start == 0 else { return 0 }
    return first.end
  }

  /// How long the file is; proves nothing.
  func size() throws(FileError) -> Int64 {
    try file.facts().size
  }

  /// Writes bytes at an offset; where they go they replace what was held.
  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
    // withUnsafeBytes carries no typed error: the outcome is carried out of it.
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileError) in try write(bytes, at: offset) }
    }
    try outcome.get()
  }

  private mutating func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(FileError) {
    isEmpty = false
    try file.write(bytes, at: offset)
    held.insert(ByteRange(offset..<offset + Int64(bytes.count)))
    // The disk works while the network does: the flush at the end finds little left to do.
    unsent += Int64(bytes.count)
    if unsent >= Self.writeBackBytes { sendToDisk() }
    let isSmall = length.map { $0 <= SegmentMap.size } ?? false
    // A small one is digested at its end, perhaps beside others.
    if !isSmall || !groupsSegments { whole.wrote(bytes, at: offset, prefix: prefix) }
    if isSmall { return }
    if groupsSegments {
      backlog.wrote(ByteRange(offset..<offset + Int64(bytes.count)), held: held)
      if backlog.isDue { try settle() }
      return
    }
    if !runs.follow(offset) { try beginRun(at: offset) }
    for (index, digest) in runs.update(bytes, at: offset) { segments[index] = digest }
  }

  /// Forgets all bytes and cuts the file to nothing.
  mutating func startOver() throws(FileError) {
    held = ByteRangeSet()
    segments = [:]
    length = nil
    whole.startOver()
    backlog.drop(from: 0)
    runs.removeAll()
    if !isEmpty { try file.truncate(to: 0) }
    isEmpty = true
  }

  /// Forgets what is held from an offset on; it will be fetched again.
  mutating func drop(from offset: Int64) {
    held.remove(ByteRange(offset..<Int64.max))
    segments = segments.filter { SegmentMap.range($0.key).end <= offset }
    whole.drop(from: offset)
    backlog.drop(from: offset)
    // The bytes to come may differ from those that were digested.
    runs.removeAll()
  }

  /// Sets blocks aside for a file of this length, so that a disk that is too full says so before
  /// the first byte.
  func reserve(_ length: Int64) throws(FileError) {
    guard length > 1 << 20 else { return }
    // A file system that cannot do it says so when it is written to.
    _ = try preallocate(
      file.descriptor, of: file.path, ByteCount(clamping: length), keepSize: true)
  }

  mutating func sendToDisk() {
    beginWriteBack(file.descriptor)
    unsent = 0
  }

  /// Flushes the bytes to the disk.
  func flush() throws(FileError) {
    try dataSync(file.descriptor, of: file.path)
  }

  /// Whether the file holds the same bytes at an offset.
  func holds(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) -> Bool {
    try read(ByteRange(offset..<offset + Int64(bytes.count))).elementsEqual(bytes)
  }

  /// Whether all bytes of a range are one and the same.
  func isRun(_ range: ByteRange) throws(FileError) -> Bool {
    let bytes = try read(range)
    return bytes.allSatisfy { $0 == bytes[0] }
  }

  /// Bytes of a range; fewer where the file ends before.
  func read(_ range: ByteRange) throws(FileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(range.count), alignment: 16)
    defer { buffer.deallocate() }
    return Array(buffer.prefix(try file.read(into: buffer, at: range.start)))
  }

  /// The digest of the last bytes held that fill no segment; nil if there are none.
  func tail() throws(FileError) -> ResumeData.Tail? {
    let end = prefix
    let start = end / SegmentMap.size * SegmentMap.size
    guard start < end else { return nil }
    return ResumeData.Tail(end: end, sha256: try sha256(ByteRange(start..<end)))
  }

  /// The digest of any bytes held.
  func sha256(_ range: ByteRange) throws(FileError) -> Digest {
    var hasher = SHA256Hasher()
    hasher.update(try read(range))
    return hasher.finish()
  }

  /// Begins the digest of an open segment, reading back what is held of it before an offset.
  private mutating func beginRun(at offset: Int64) throws(FileError) {
    let index = Int(offset / SegmentMap.size)
    let before = ByteRange(SegmentMap.range(index).start..<offset)
    // Not all held: the segment's digest is made at the end, from the file.
    guard held.contains(before) else { return }
    runs.begin(in: index, after: before.isEmpty ? [] : try read(before))
  }
}
