import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

/// Writes the resume data of a part (`.part.json`) while its bytes arrive.
///
/// Never records a byte before it is written. Appends a line after each buffer, valid for the same
/// boot. After 64 MiB or 30 seconds it flushes everything, against power loss.
struct ResumeWriter: ~Copyable {
  private static let durableBytes: Int64 = 64 << 20
  private static let durableTime: Int64 = 30_000

  private let path: FilePath
  /// The file with a complete first line, to which lines may be appended, and its length.
  private var file: OpenFile?
  private var length: Int64 = 0
  private var recorded: Int64 = 0
  private var segments: Set<Int> = []
  /// The rolling digests as recorded last.
  private var rolling: [Int64: ResumeData.Rolling] = [:]
  private var durable: (bytes: Int64, time: Int64)

  /// Creates a writer without any record; a file at the path is left unchanged.
  init(_ path: FilePath) {
    self.path = path
    file = nil
    durable = (0, Deadline.nowMilliseconds)
  }

  /// Adopts the number of bytes that an earlier run recorded.
  mutating func adoptCount(_ bytes: Int64) {
    recorded = bytes
    durable.bytes = bytes
  }

  /// Removes the record because nothing is held any more, or bytes of another version follow.
  mutating func reset() throws(FileError) {
    file = nil
    do throws(FileError) {
      try removeFile(path)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
    recorded = 0
    segments = []
    rolling = [:]
    durable = (0, Deadline.nowMilliseconds)
  }

  /// Makes the next record a complete one: appended lines describe only bytes, not other changes.
  mutating func isOutdated() {
    file = nil
  }

  /// Records the written bytes, flushing only when it is due.
  ///
  /// Does nothing if at most one window of the whole is unrecorded: fetching these bytes again
  /// costs less than a file of resume data.
  mutating func append(_ file: borrowing PartialFile, _ data: ResumeData) throws(FileError) {
    let held = data.completedRanges.count
    if let total = data.total, total - recorded <= Int64(HTTPTransfer.window) { return }
    let now = Deadline.nowMilliseconds
    let isDue =
      held - durable.bytes >= Self.durableBytes || now - durable.time >= Self.durableTime
    if isDue { try file.flush() }
    if let open = self.file.take(), !isDue {
      var fresh: [Int: Digest] = [:]
      if data.segments.count != segments.count {
        fresh = data.segments.filter { !segments.contains($0.key) }
        segments.formUnion(fresh.keys)
      }
      // After a failure the file stays closed, and the next record is a complete one.
      let grown = data.rolling.filter { rolling[$0.key] != $0.value }
      let line = ResumeData.change(held: data.completedRanges, segments: fresh, rolling: grown)
      try open.write(line, at: length)
      length += Int64(line.count)
      self.file = consume open
    } else {
      try replace(with: data, durable: isDue)
      if isDue { durable = (held, now) }
      segments = Set(data.segments.keys)
    }
    rolling = data.rolling
    recorded = held
  }

  /// Records everything at the end of a run without flushing to the disk.
  mutating func close(_ data: ResumeData) throws(FileError) {
    try replace(with: data, durable: false)
  }

  private mutating func replace(with data: ResumeData, durable: Bool) throws(FileError) {
    file = nil
    let line = data.line
    try AtomicFile.replace(path, with: line, durable: durable)
    file = try OpenFile(path, .writeOnly)
    length = Int64(line.count)
  }
}
