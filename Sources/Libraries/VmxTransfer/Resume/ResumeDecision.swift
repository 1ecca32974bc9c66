import VmxLibrary
import VmxModel

// The rule against joining bytes of two versions when a response continues the held bytes.
//
// Bytes are only written after held bytes if their response has the same offset and the same total.
// If the version has a strong validator, the response must have the same one. Otherwise the plan
// contains an overlap whose bytes must agree. A response that fails any of these checks is never
// written next to the held bytes.

/// The decision about a usable response (200, 206, 416) to a plan.
enum ResumeDecision: Equatable {
  /// The bytes continue the held ones: write from `start` up to `end`.
  case append(start: Int64, end: Int64)
  /// The response is the whole: discard the held bytes and receive the body from its first byte.
  case startOver(Reason)
  /// Abandon the response: the next request has another plan and does not count as an attempt.
  case abandon(Next)
  /// All bytes of the source are held already.
  case complete
  /// The response is wrong; the value is the message.
  case refuse(String)

  /// The reason for receiving a body from its first byte.
  enum Reason: Equatable {
    /// No held bytes could have been kept.
    case nothingKept
    /// The version differs from the one held.
    case changed
    /// The server does not support ranges.
    case noRanges
  }

  /// Whether it results from a different validator, size or digest.
  var isChange: Bool { self == .startOver(.changed) || self == .abandon(.changed) }

  /// The next request after abandoning a response.
  enum Next: Equatable {
    /// The range once more, without `If-Range`.
    case rangeAlone
    /// The whole: the version differs from the one held.
    case changed
    /// The whole: the held bytes cannot belong to the source.
    case discard
  }

  /// Decides about a response.
  ///
  /// - Parameters:
  ///   - known: the version of the bytes held.
  ///   - held: the number of bytes held from the first on.
  static func of(
    _ head: ResponseHead, to plan: RangePlan, known: SourceVersion, held: Int64
  ) -> ResumeDecision {
    switch head.status {
    case 206: partial(head, plan: plan, known: known)
    case 416: unsatisfied(head, known: known, held: held)
    default: decideWhole(head, plan: plan, known: known)
    }
  }

  private static func decideWhole(
    _ head: ResponseHead, plan: RangePlan, known: SourceVersion
  ) -> ResumeDecision {
    if let detail = disguise(head, plan: plan, known: known) { return .refuse(detail) }
    let agreement = known.agreement(with: head.sourceVersion)
    switch plan.condition {
    case .fullFile: return .startOver(.nothingKept)
    case .range: return .startOver(agreement == .different ? .changed : .noRanges)
    // Different sizes already mean another version; chunked responses have no size.
    case .version: return agreement == .same ? .abandon(.rangeAlone) : .startOver(.changed)
    }
  }

  /// The reason, as text for a message, for which a response with status 200 is only a range of the
  /// file; nil if it is the whole.
  ///
  /// Some servers answer a range request with the range and status 200.
  static func disguise(
    _ head: ResponseHead, plan: RangePlan, known: SourceVersion
  ) -> String? {
    // Content-Range has no meaning with status 200 (RFC 9110, section 14.4). It counts only if the
    // length is not that of the whole.
    if case .sent(let start, let end, let total) = head.contentRange,
      start > 0 || total.map({ $0 != end }) ?? false,
      head.contentLength == nil || head.contentLength != total && head.contentLength != known.total
    {
      return "received the bytes \(start)-\(end - 1) with status \(head.status)"
    }
    guard plan.condition != .fullFile, plan.start > 0, let length = head.contentLength,
      let end = plan.end ?? known.total, length == end - plan.start
    else { return nil }
    return "received \(length) bytes, as many as requested, with status \(head.status)"
  }

  private static func partial(
    _ head: ResponseHead, plan: RangePlan, known: SourceVersion
  ) -> ResumeDecision {
    if head["content-type"]?.lowercased().contains("multipart/byteranges") ?? false {
      return .refuse("received several ranges instead of one")
    }
    if let coding = head.contentCoding {
      return .refuse("received a range with content encoding '\(coding)'")
    }
    guard case .sent(let start, let end, let total) = head.contentRange else {
      return .refuse("no usable Content-Range")
    }
    // A range of all bytes is the whole, even if no range was requested.
    if plan.condition == .fullFile, start == 0, end == total { return .startOver(.nothingKept) }
    guard plan.condition != .fullFile else {
      return .refuse("received a range that was not requested")
    }
    guard start == plan.start else {
      return .refuse("received byte \(start) instead of \(plan.start)")
    }
    if let last = plan.end, end > last {
      return .refuse("received bytes up to \(end) instead of \(last)")
    }
    if let length = head.contentLength, length != end - start {
      return .refuse("received \(length) bytes for the range \(start)-\(end - 1)")
    }
    // A file that ends within the held bytes is another one, even if its last bytes agree.
    if let total, total < plan.start + plan.overlap { return .abandon(.changed) }
    switch known.agreement(with: head.sourceVersion) {
    case .different: return .abandon(.changed)
    case .same: break
    case .unknown:
      // With a date in If-Range, a range response may omit the date (RFC 9110, 15.3.7): the status
      // itself confirms the version. An ETag must be repeated. A server that omits it may have
      // ignored If-Range.
      let mayOmitValidator =
        switch plan.condition {
        case .version(let validator): !validator.hasPrefix("\"")
        case .range, .fullFile: plan.isProvedByOverlap
        }
      guard mayOmitValidator else {
        return .refuse("received a range without the validator of its version")
      }
    }
    guard known.total != nil || total != nil || plan.end == nil else {
      return .refuse("received a range without the total length")
    }
    return .append(start: start, end: end)
  }

  private static func unsatisfied(
    _ head: ResponseHead, known: SourceVersion, held: Int64
  ) -> ResumeDecision {
    guard case .unsatisfied(let total) = head.contentRange, total == held,
      known.agreement(with: head.sourceVersion) != .different
    else { return .abandon(.discard) }
    return .complete
  }
}

/// The next request to a source.
struct RangePlan: Sendable, Equatable {
  /// The condition of a range request.
  enum Condition: Sendable, Equatable {
    /// No range: the whole file.
    case fullFile
    /// The range only of the version with this strong validator, else the whole file (`If-Range`).
    case version(String)
    /// The range of any version: the response's validators or an overlap must confirm it.
    case range
  }

  /// The condition.
  var condition: Condition
  /// The offset of the first requested byte.
  var start: Int64 = 0
  /// The offset after the last requested byte; nil for the end of the file.
  var end: Int64?
  /// The number of leading bytes that are held already: they are compared, not written.
  var overlap: Int64 = 0
  /// Whether only the overlap shows that the response continues the held bytes.
  var isProvedByOverlap: Bool { condition == .range && overlap > 0 }
  /// Whether no bytes after the overlap are requested.
  var isProbe = false

  /// A request of the whole file from its first byte.
  static let fullFile = RangePlan(condition: .fullFile)

  /// The value of `Range`; nil for a request of the whole file.
  var rangeField: String? {
    guard condition != .fullFile else { return nil }
    return "bytes=\(start)-\(end.map { String($0 - 1) } ?? "")"
  }

  /// The value of `If-Range`, if any.
  var ifRangeField: String? {
    if case .version(let validator) = condition { return validator }
    return nil
  }
}

/// The held bytes that are fetched again to verify that the source is unchanged.
///
/// This is the only check without a strong validator: the first and the last 64 KiB held must be
/// received again unchanged; of less than 512 KiB held, the first and the last eighth, so that a
/// server that cuts each response early delivers new bytes after them. A block of one repeated byte
/// proves nothing, since many files contain such runs. The nearest other block replaces it.
struct OverlapProbe: Sendable, Equatable {
  /// The usual size of a block in bytes.
  static let blockSize: Int64 = 64 * 1024
  /// The minimum number of bytes held that justifies a probe.
  static let leastHeld: Int64 = 32 * 1024

  /// The block near the start.
  let first: ByteRange
  /// The blocks between the two, where stronger evidence is required.
  let middle: [ByteRange]
  /// The block near the end. The transfer continues after it, so held bytes after it are dropped.
  let last: ByteRange

  /// Chooses the blocks; nil if the held bytes are so few or so uniform that starting over is
  /// better.
  ///
  /// - Parameters:
  ///   - held: the number of bytes held from the first on.
  ///   - between: the number of blocks between the first and the last, evenly spread where there is
  ///     room.
  ///   - isRun: returns whether a block of the file consists of one repeated byte.
  init?<Problem: Error>(
    held: Int64, between: Int = 0, isRun: (ByteRange) throws(Problem) -> Bool
  ) throws(Problem) {
    guard held >= Self.leastHeld else { return nil }
    let size = min(Self.blockSize, held / 8)
    var start: Int64 = 0
    while try isRun(ByteRange(start..<start + size)) {
      start += size
      guard start + 2 * size <= held else { return nil }
    }
    var end = held
    while try isRun(ByteRange(end - size..<end)) {
      end -= size
      guard end - size >= start + size else { return nil }
    }
    let (head, tail) = (ByteRange(start..<start + size), ByteRange(end - size..<end))
    let count = min(Int64(between), (tail.start - head.end) / (4 * size))
    var middle: [ByteRange] = []
    for number in stride(from: 1, through: count, by: 1) {
      let at = head.end + (tail.start - head.end) / (count + 1) * number
      let block = ByteRange(at..<min(at + size, tail.start))
      if try !isRun(block) { middle.append(block) }
    }
    (first, last) = (head, tail)
    self.middle = middle
  }

  /// The blocks at other offsets.
  func shifted(by distance: Int64) -> OverlapProbe {
    OverlapProbe(
      first: first.shifted(by: distance), middle: middle.map { $0.shifted(by: distance) },
      last: last.shifted(by: distance))
  }

  private init(first: ByteRange, middle: [ByteRange], last: ByteRange) {
    (self.first, self.middle, self.last) = (first, middle, last)
  }

  /// The requests of the blocks alone.
  var blocks: [RangePlan] {
    ([first] + middle + [last]).map { block in
      RangePlan(
        condition: .range, start: block.start, end: block.end, overlap: block.count, isProbe: true)
    }
  }

  /// The requests in order: the block near the start, those between, then the block near the end
  /// together with all bytes after it.
  var plans: (probes: [RangePlan], last: RangePlan) {
    (blocks.dropLast(), RangePlan(condition: .range, start: last.start, overlap: last.count))
  }
}
