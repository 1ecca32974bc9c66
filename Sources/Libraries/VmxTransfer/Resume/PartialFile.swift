import SystemPackage
import VmxDigest
import VmxLibrary
import VmxMedia
import VmxModel
import VmxSystem

/// The file for a part's bytes, and the digests computed during the transfer.
///
/// Bytes may arrive in any order and at several offsets in turn. Complete segments are read back
/// and hashed in groups. The file is flushed only by `flush`.
struct PartialFile: ~Copyable {
  /// The bytes written or verified.
  var completedRanges = ByteRangeSet()
  /// The digests of complete segments by index.
  var segments: [Int: Digest] = [:]
  /// Whether the file is empty, without bytes of this run or an earlier one.
  private(set) var isEmpty: Bool
  /// The size of the whole in bytes, once known; a file of one segment is hashed only once.
  var length: Int64?
  /// The number of bytes written between two requests to the kernel to begin write-back.
  private static let writeBackBytes: Int64 = 8 << 20

  let file: OpenFile
  var runningDigest: RunningDigest
  /// Whether a file of one segment is hashed at its end together with those of other transfers.
  let batchesSmallFiles: Bool
  var backlog = SegmentBacklog()
  /// The digests of the bytes outside segments that have a digest.
  var rolling = RollingDigests()
  /// The number of bytes written since the last such request.
  private var unsent: Int64 = 0

  /// Opens the file, creating it if missing. Its folder is never created here: without the folder
  /// the disk is gone, and the bytes would be on another one.
  ///
  /// - Parameter batchesSmallFiles: whether small files are hashed in groups (multi-buffer
  ///   SHA-256). On a processor with SHA-256 instructions, they are hashed from memory as they
  ///   arrive.
  /// - Throws: `FileError`, mostly `disk-full` and `media-unwritable`.
  init(
    _ path: FilePath, batchesSmallFiles: Bool = MultiBufferSHA256.minCount < 4
  ) throws(FileError) {
    let opened = try OpenFile(path, .readWrite, options: .create)
    isEmpty = try opened.facts().size == 0
    file = opened
    self.batchesSmallFiles = batchesSmallFiles
    runningDigest = RunningDigest(of: path)
  }

  /// The number of bytes held from the first byte on without a gap.
  var prefix: Int64 {
    guard let first = completedRanges.ranges.first, first.start == 0 else { return 0 }
    return first.end
  }

  /// Whether the held bytes are a sound container whose length its own structure states.
  func isClosedContainer() throws(FileError) -> Bool {
    let report = try MediaReport(of: file.descriptor, named: file.path, size: prefix)
    return report.structure == .intact && report.isClosed
  }

  /// The file itself, whatever is at its path now.
  func identity() throws(TransferError) -> FileIdentity {
    do throws(FileError) {
      return try file.facts().identity
    } catch {
      throw .file(error)
    }
  }

  /// The file's size in bytes, which does not mean that these bytes are held.
  func size() throws(FileError) -> Int64 {
    try file.facts().size
  }

  /// Writes bytes at an offset, replacing any held there.
  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) {
    // withUnsafeBytes does not support typed errors, hence the Result.
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
    completedRanges.insert(ByteRange(offset..<offset + Int64(bytes.count)))
    rolling.didWrite(bytes, at: offset)
    // The kernel writes back during the transfer, so that the final flush is short.
    unsent += Int64(bytes.count)
    if unsent >= Self.writeBackBytes { sendToDisk() }
    let isSmall = length.map { $0 <= SegmentMap.size } ?? false
    if !isSmall || !batchesSmallFiles { runningDigest.didWrite(bytes, at: offset, prefix: prefix) }
    if isSmall { return }
    backlog.didWrite(ByteRange(offset..<offset + Int64(bytes.count)), held: completedRanges)
    if backlog.isDue { try digestPending() }
  }

  /// Discards all bytes and truncates the file to zero.
  mutating func reset() throws(FileError) {
    completedRanges = ByteRangeSet()
    segments = [:]
    length = nil
    runningDigest.reset()
    backlog.discard(from: 0)
    rolling.discard(from: 0)
    if !isEmpty { try file.truncate(to: 0) }
    isEmpty = true
  }

  /// Discards the held bytes from an offset on; they will be fetched again.
  mutating func discard(from offset: Int64) {
    completedRanges.remove(ByteRange(offset..<Int64.max))
    segments = segments.filter { SegmentMap.range($0.key).end <= offset }
    runningDigest.discard(from: offset)
    backlog.discard(from: offset)
    rolling.discard(from: offset)
  }

  /// Preallocates a file of this length, so that a full disk is reported before the first byte.
  func reserve(_ length: Int64) throws(FileError) {
    guard length > 1 << 20 else { return }
    // A file system without preallocation reports a full disk on writing.
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

  /// Whether the file contains these bytes at an offset.
  func contains(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError) -> Bool {
    try read(ByteRange(offset..<offset + Int64(bytes.count))).elementsEqual(bytes)
  }

  /// Whether a range consists of one repeated byte.
  func isUniform(_ range: ByteRange) throws(FileError) -> Bool {
    let bytes = try read(range)
    return bytes.allSatisfy { $0 == bytes[0] }
  }

  /// Reads the bytes of a range; fewer if the file ends earlier.
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

  /// The digest of a held range.
  func sha256(_ range: ByteRange) throws(FileError) -> Digest {
    var hasher = SHA256Hasher()
    hasher.update(try read(range))
    return hasher.finish()
  }
}
