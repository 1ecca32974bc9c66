import SystemPackage
import VmxModel
import VmxSystem

/// Writes the resume data of a part while its bytes arrive.
///
/// Never records a byte before it is written. Appends a line after each buffer, valid for the same
/// boot. After 64 MiB or 30 seconds it flushes everything, against power loss.
struct ResumeWriter: ~Copyable {
  private static let durableBytes: Int64 = 64 << 20
  private static let durableTime: Int64 = 30_000

  private var resume: ResumeFile
  private var recorded: Int64 = 0
  private var segments: Set<Int> = []
  private var durable: (bytes: Int64, time: Int64)

  /// Creates a writer without any record; a file at the path is left unchanged.
  init(_ path: FilePath) {
    resume = ResumeFile(path)
    durable = (0, MonotonicTime.now)
  }

  /// Adopts the count of bytes that an earlier run recorded.
  mutating func holds(_ bytes: Int64) {
    recorded = bytes
    durable.bytes = bytes
  }

  /// Removes the record because nothing is held any more.
  mutating func startOver() throws(FileError) {
    try resume.remove()
    recorded = 0
    segments = []
    durable = (0, MonotonicTime.now)
  }

  /// Makes the next record a complete one: appended lines describe only bytes, not other changes.
  mutating func isOutdated() {
    resume.detach()
  }

  /// Records the written bytes, flushing only when it is due.
  ///
  /// Does nothing if at most one window of the whole is unrecorded: fetching these bytes again
  /// costs less than a file of resume data.
  mutating func note(_ file: borrowing PartialFile, _ data: ResumeData) throws(FileError) {
    let held = data.held.count
    if let total = data.total, total - recorded <= Int64(HTTPTransfer.window) { return }
    let now = MonotonicTime.now
    let isDue =
      held - durable.bytes >= Self.durableBytes || now - durable.time >= Self.durableTime
    if isDue { try file.flush() }
    if isDue || !resume.exists {
      try resume.replace(with: data, durable: isDue)
      if isDue { durable = (held, now) }
      segments = Set(data.segments.keys)
    } else {
      var fresh: [Int: Digest] = [:]
      if data.segments.count != segments.count {
        fresh = data.segments.filter { !segments.contains($0.key) }
        segments.formUnion(fresh.keys)
      }
      try resume.append(ResumeData.change(held: data.held, segments: fresh))
    }
    recorded = held
  }

  /// Records everything at the end of a run without flushing to the disk.
  mutating func close(_ data: ResumeData) throws(FileError) {
    try resume.replace(with: data, durable: false)
  }
}
