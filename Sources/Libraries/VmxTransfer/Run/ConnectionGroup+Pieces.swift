import VmxModel

// The assignment of ranges to connections.
extension ConnectionGroup {
  /// Adds connections while one more increases the throughput.
  func grow(_ part: borrowing PartialDownload) {
    let now = MonotonicTime.now
    guard now - looked >= min(Self.lookInterval, context.settings.growth.interval) else { return }
    looked = now
    guard first != nil, let total = part.total else { return }
    let known = context.hosts.experience(host)
    while growth.wantsMore(reading(part, total, now), known), add(part, isGrowth: true) {}
    if let lesson = growth.lesson { context.hosts.learns(lesson, host) }
  }

  private func reading(
    _ part: borrowing PartialDownload, _ total: Int64, _ now: Int64
  ) -> ConnectionScaling.Reading {
    ConnectionScaling.Reading(
      now: now, received: context.received, missing: total - part.held,
      largest: max(
        unclaimed(part, total).map(\.count).max() ?? 0, claims(total).map(\.count).max() ?? 0),
      connections: running.count + 1, asked: running.count { $0.cursor == nil })
  }

  /// Requests one more range if the limits allow it and one is left; returns whether it did.
  @discardableResult
  func add(_ part: borrowing PartialDownload, isGrowth: Bool) -> Bool {
    guard !isBarred, barredEra != part.era, part.isResumable, let total = part.total,
      let validator = part.version(at: source).validators.strong,
      running.count + 1 < context.settings.connections
    else { return false }
    let gap = unclaimed(part, total).max { $0.count < $1.count }
    guard let piece = gap ?? half(total), context.quiet(chain.url) == nil,
      context.hosts.enterAdditional(host, now: MonotonicTime.now)
    else { return false }
    guard context.overspent(chain.url) == nil else {
      context.hosts.leaveAdditional(host)
      return false
    }
    running.append(ExtraConnection(piece, of: validator, chain, isGrowth: isGrowth))
    return true
  }

  /// The bytes that each connection still has to receive, without those requested by other
  /// connections.
  private func claims(_ total: Int64) -> [ByteRange] {
    let asked = running.filter { $0.cursor == nil }.map(\.piece.start)
    let open = [first].compactMap { $0 } + running.compactMap(\.cursor)
    return open.map { cursor in
      let end = cursor.end ?? total
      let limit = asked.filter { $0 > cursor.position }.min() ?? end
      return ByteRange(cursor.position..<max(cursor.position, min(end, limit)))
    }
  }

  /// The missing ranges that no connection is to receive.
  func unclaimed(_ part: borrowing PartialDownload, _ total: Int64) -> [ByteRange] {
    part.missing(in: ByteRange(0..<total), besides: claims(total) + running.map(\.claim))
  }

  /// The second half of the largest range that some connection still has to receive.
  func half(_ total: Int64) -> ByteRange? {
    guard let largest = claims(total).max(by: { $0.count < $1.count }),
      let cut = RangeSplit.cut(largest, least: context.settings.growth.least)
    else { return nil }
    return ByteRange(cut..<largest.end)
  }

  /// Cuts the other connections' ranges at the position of this cursor, which receives the bytes
  /// from there on.
  func claim(_ cursor: RangeCursor) {
    for other in [first].compactMap({ $0 }) + running.compactMap(\.cursor)
    where other !== cursor && other.position < cursor.end ?? .max {
      if other.end ?? .max > cursor.position { other.cut(at: cursor.position) }
    }
  }
}
