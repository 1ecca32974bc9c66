import VmxModel
import VmxSystem

/// The bytes of the file that one response still has to deliver.
///
/// The range may be cut while the response arrives, because another connection receives the bytes
/// after it.
// A class, because the receiver of the response and the assignment of ranges share it.
final class RangeCursor {
  /// The offset in the file of the next byte to arrive.
  private(set) var position: Int64
  /// The offset at which to stop; nil if only the end of the response determines it.
  private(set) var end: Int64?
  /// The number of bytes written.
  private(set) var written: Int64 = 0
  /// The end of the range as announced by the response.
  private let announcedEnd: Int64?
  /// Whether it was cut because it is too slow.
  private(set) var isAbandoned = false
  /// The positions at recent times, in milliseconds of the monotonic clock.
  private var marks: [(now: Int64, position: Int64)] = []

  /// Creates a cursor over the range that a response announces.
  init(from position: Int64, to end: Int64?) {
    self.position = position
    self.end = end
    announcedEnd = end
  }

  /// Whether it stops before the end of the response.
  var isTruncated: Bool { end != announcedEnd }
  /// Whether all bytes of the range have arrived.
  var isDone: Bool { position == end }

  /// Stops at an offset, or at the current position if that is later: another connection receives
  /// the rest.
  func truncate(at offset: Int64) {
    end = max(position, min(offset, end ?? .max))
  }

  /// Undoes a cut: continues to the end of the response.
  func extend() {
    end = announcedEnd
  }

  /// Stops permanently after this many more bytes: the connection is too slow for the rest.
  func stop(after count: Int64) {
    truncate(at: position + count)
    isAbandoned = true
  }

  /// Continues to a later offset if the response reaches it.
  func extend(to offset: Int64) {
    if let announcedEnd, let end, end < offset, offset <= announcedEnd, !isAbandoned {
      self.end = offset
    }
  }

  /// Adds a measurement of the position, and drops those that are older than the window.
  func mark(now: Int64, window: Int64) {
    marks.append((now, position))
    while marks.count > 2, marks[1].now <= now - window { marks.removeFirst() }
  }

  /// The rate in bytes a second over the last measurements; nil if these cover less than the
  /// window, in milliseconds.
  func rate(now: Int64, window: Int64) -> Int64? {
    guard let oldest = marks.first, now - oldest.now >= max(1, window) else { return nil }
    return (position - oldest.position) * 1000 / (now - oldest.now)
  }

  /// Advances over bytes that were compared, not written.
  func advance(_ count: Int) {
    position += Int64(count)
  }

  /// Writes received bytes, except those after the end and those already held.
  ///
  /// - Throws: also `range-broken` if the response has more bytes than announced.
  func write(
    _ bytes: ArraySlice<UInt8>, _ part: PartialDownload, url: String
  ) throws(TransferError) {
    let count = Int64(bytes.count)
    if let announcedEnd, position + count > announcedEnd {
      throw .rangeBroken(url: url, detail: "received more bytes than the range has")
    }
    let range = ByteRange(position..<min(position + count, end ?? .max))
    for gap in part.missing(in: range) {
      let first = bytes.startIndex + Int(gap.start - position)
      try part.write(bytes[first..<first + Int(gap.count)], at: gap.start)
      written += gap.count
    }
    position = range.end
  }
}

/// An additional connection of a part: the request for a range and the state of its response.
final class ExtraConnection {
  /// The requested range.
  let piece: ByteRange
  /// Whether it adds to the number of connections instead of replacing one that has ended.
  let isAdditional: Bool
  /// Whether another connection receives the same range, and neither gives way.
  let isRacing: Bool
  /// The time of the request, in milliseconds on the monotonic clock.
  let began = Deadline.nowMilliseconds
  /// The request.
  var request: ChainRequest
  /// The range of its response; nil until an acceptable response has arrived.
  var cursor: RangeCursor?
  /// The comparison of its bytes with the digest that the response declares.
  var check: ContentCheck?

  /// Requests a range of the version with this strong validator.
  init(
    _ piece: ByteRange, of validator: String, _ chain: RequestChain, isAdditional: Bool,
    isRacing: Bool
  ) {
    self.piece = piece
    self.isAdditional = isAdditional
    self.isRacing = isRacing
    let plan = RangePlan(condition: .version(validator), start: piece.start, end: piece.end)
    request = ChainRequest(plan, chain: chain)
  }

  /// The bytes that only this connection is to receive.
  var claim: ByteRange {
    guard let cursor else { return piece }
    return ByteRange(cursor.position..<(cursor.end ?? piece.end))
  }
}

extension ByteRange {
  /// Returns the offset at which another connection receives the rest of the range; nil if the
  /// range is too small to be split.
  ///
  /// In a large range it is a segment boundary, so that each connection completes its own segments;
  /// otherwise it is the middle.
  ///
  /// - Parameter least: the minimum size of each half in bytes.
  func split(least: Int64) -> Int64? {
    guard count >= 2 * least else { return nil }
    let middle = start + count / 2
    guard count >= 2 * SegmentMap.size else { return middle }
    let below = middle / SegmentMap.size * SegmentMap.size
    let isNearer = middle - below <= SegmentMap.size / 2
    return isNearer ? below : below + SegmentMap.size
  }
}
