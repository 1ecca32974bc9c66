import VmxModel
import VmxSystem

// No connection delays the end of the file.
//
// The rate of each connection is measured. A range is taken back as soon as the rest of the file
// would arrive before it. The connection keeps the bytes that it can receive by then, or is
// closed if these are too few. The connection before it continues with the bytes taken back, in the
// same response where possible. A connection without work requests the range of a slow one as well:
// the bytes that arrive first are written, and the other connection ends.

extension ConnectionGroup {
  /// The cursors of all connections that receive a range.
  private var open: [RangeCursor] {
    [first].compactMap { $0 } + running.compactMap(\.cursor)
  }

  /// Measures the connections, and takes ranges back from those that the file would wait for.
  func balance(_ total: Int64, _ now: Int64) {
    let window = session.settings.growth.window
    for cursor in open { cursor.mark(now: now, window: window) }
    let loads = open.map { (cursor: $0, load: load(of: $0, total: total, at: now)) }
    fastest = max(fastest, loads.compactMap(\.load.rate).max() ?? 0)
    guard loads.count > 1 else { return }
    let balance = RangeBalance(loads.map(\.load), missing: total - part.completedBytes)
    for (cursor, load) in loads {
      if let kept = balance.kept(by: load) { reassign(from: cursor, keeping: kept, total) }
    }
  }

  private func load(of cursor: RangeCursor, total: Int64, at now: Int64) -> RangeBalance.Load {
    let end = cursor.end ?? total
    let left = part.missing(in: ByteRange(cursor.position..<max(cursor.position, end)))
    return RangeBalance.Load(
      remaining: left.reduce(0) { $0 + $1.count },
      rate: cursor.rate(now: now, window: session.settings.growth.window))
  }

  private func reassign(from cursor: RangeCursor, keeping kept: Int64, _ total: Int64) {
    if kept == 0, let slow = running.first(where: { $0.cursor === cursor }) {
      if cursor.written < session.settings.growth.minRange { countSlow() }
      return withdraw(slow)
    }
    // The response of the first connection ends by itself at its cut.
    if kept == 0 { countSlowFirst() }
    cursor.stop(after: kept)
  }

  /// Lets the first connection continue beyond its cut, which its received bytes have reached. This
  /// happens if the connection that receives the bytes there has received hardly any.
  ///
  /// A new request for these bytes could be slower, and would end a response that was fast.
  func continueFirst(to offset: Int64) {
    guard let first, let end = first.end, first.isTruncated, !first.isAbandoned, offset >= end,
      let total = part.total
    else { return }
    let least = session.settings.growth.minRange
    func isReached(_ start: Int64) -> Bool {
      guard (0..<least).contains(start - end) else { return false }
      return start == end || part.missing(in: ByteRange(end..<start)).isEmpty
    }
    let behind = running.first { connection in
      connection.cursor.map { !$0.isDone && isReached($0.position) } ?? false
    }
    if let behind {
      countSlow()
      withdraw(behind)
    } else if let gap = unassignedRanges(total).first(where: { isReached($0.start) }) {
      first.extend(to: gap.end)
    }
  }

  /// Closes an additional connection; the connection before it continues with its range if its
  /// response has these bytes.
  func withdraw(_ connection: ExtraConnection) {
    remove(connection)
    guard let cursor = connection.cursor, let end = cursor.end else { return }
    let before = open.first { other in
      guard let reached = other.end, reached <= cursor.position else { return false }
      return cursor.position - reached <= session.settings.growth.minRange
        && (reached == cursor.position
          || part.missing(in: ByteRange(reached..<cursor.position)).isEmpty)
    }
    before?.extend(to: end)
  }

  /// Whether an additional connection receives no more than the average of all. Otherwise another
  /// connection is the reason for the lower rate.
  func isDispensable(_ connection: ExtraConnection, _ now: Int64) -> Bool {
    let all = open.reduce(0) { $0 + ($1.rate(now: now, window: 0) ?? 0) }
    let own = connection.cursor?.rate(now: now, window: 0) ?? 0
    return own * Int64(open.count) * 10 <= all * 12
  }

  /// The range of a connection that the file waits for, to request it a second time; nil if no
  /// connection is that slow.
  func rangeToRace(_ total: Int64) -> ByteRange? {
    let now = Deadline.nowMilliseconds
    let candidates = open.filter { cursor in
      let end = cursor.end ?? total
      let others = open.filter { $0 !== cursor }.map { ($0.position, $0.end ?? total) }
      let asked = running.filter { $0.cursor == nil }.map { ($0.piece.start, $0.piece.end) }
      return !(others + asked).contains { max($0.0, cursor.position) < min($0.1, end) }
        && RangeBalance.isWorthRacing(load(of: cursor, total: total, at: now), at: fastest)
    }
    let slowest = candidates.min {
      $0.rate(now: now, window: 0) ?? 0 < $1.rate(now: now, window: 0) ?? 0
    }
    return slowest.map { ByteRange($0.position..<($0.end ?? total)) }
  }

  /// Ends the connections whose ranges other connections have received.
  func endCovered() {
    guard isRacing else { return }
    func isCovered(_ cursor: RangeCursor) -> Bool {
      guard let end = cursor.end, cursor.position < end else { return false }
      return part.missing(in: ByteRange(cursor.position..<end)).isEmpty
    }
    if let first, isCovered(first) { first.truncate(at: first.position) }
    for connection in running {
      if let cursor = connection.cursor, isCovered(cursor) { reuse(connection) }
    }
  }
}
