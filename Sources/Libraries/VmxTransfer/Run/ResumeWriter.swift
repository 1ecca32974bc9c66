import SystemPackage
import VmxModel
import VmxSystem

/// When and how the resume data of a part are written while its bytes come.
///
/// What is recorded is never more than what is written. After each buffer a line is appended,
/// for the same boot; after 64 MiB or 30 seconds everything is flushed, for a power cut.
struct ResumeWriter: ~Copyable {
  private static let durableBytes: Int64 = 64 << 20
  private static let durableTime: Int64 = 30_000

  private var resume: ResumeFile
  private var recorded: Int64 = 0
  private var segments: Set<Int> = []
  private var durable: (bytes: Int64, time: Int64)

  /// A record of nothing yet; what stands at the path is left alone.
  init(_ path: FilePath) {
    resume = ResumeFile(path)
    durable = (0, MonotonicTime.now)
  }

  /// Takes over what an earlier run recorded.
  mutating func holds(_ bytes: Int64) {
    recorded = bytes
    durable.bytes = bytes
  }

  /// Removes the record: nothing is held any more.
  mutating func startOver() throws(FileError) {
    try resume.remove()
    recorded = 0
    segments = []
    durable = (0, MonotonicTime.now)
  }

  /// Appended lines tell of bytes alone: after a change of anything else the next is a whole one.
  mutating func isOutdated() {
    resume.detach()
  }

  /// Records what is written, as cheaply as the time allows.
  ///
  /// What would be missing of the whole if this were lost, and would be fetched again at no more
  /// cost than a buffer is, is not worth a file of its own.
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

  /// Records everything at the end of a run; waits for no disk.
  mutating func close(_ data: ResumeData) throws(FileError) {
    try resume.replace(with: data, durable: false)
  }
}
