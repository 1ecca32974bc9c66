import VmxLibrary
import VmxModel
import VmxSystem

// The assignment of ranges to connections.
extension ConnectionGroup {
  /// Adds connections while one more increases the throughput.
  func addConnections() {
    let now = Deadline.nowMilliseconds
    guard now - measured >= min(Self.measureInterval, session.settings.growth.interval) else {
      return
    }
    measured = now
    guard let total = part.total else { return }
    balance(total, now)
    guard first != nil else { return }
    let known = session.engine.hosts.experience(host)
    while scaling.wantsMore(reading(total, now), known), add(isGrowth: true) {}
    if let measurement = scaling.measurement {
      session.engine.hosts.recordExperience(measurement, host)
    }
    if scaling.hasRegressed, let last = running.last(where: \.isAdditional),
      isDispensable(last, now)
    {
      withdraw(last)
      restartMeasurement()
    }
  }

  private func reading(_ total: Int64, _ now: Int64) -> ConnectionScaling.Reading {
    ConnectionScaling.Reading(
      now: now, received: session.received, missing: total - part.completedBytes,
      largestRange: max(
        unassignedRanges(total).map(\.count).max() ?? 0, claims(total).map(\.count).max() ?? 0),
      connections: running.count + 1, pending: running.count { $0.cursor == nil })
  }

  /// Requests one more range if the limits allow it and one is left; returns whether it did.
  func add(isGrowth: Bool) -> Bool {
    guard !isBarred, barredEra != part.era, part.isResumable, let total = part.total,
      let validator = part.version(at: source).validators.strong,
      running.count + 1 < session.settings.connections
    else { return false }
    let gap = unassignedRanges(total).max { $0.count < $1.count }
    let race = gap == nil && !isGrowth && half(total) == nil ? rangeToRace(total) : nil
    guard let piece = gap ?? half(total) ?? race, session.penalty(of: chain.url) == nil,
      session.engine.hosts.acquireAdditional(host, now: Deadline.nowMilliseconds)
    else { return false }
    guard session.throttlingError(chain.url) == nil else {
      session.engine.hosts.releaseAdditional(host)
      return false
    }
    running.append(
      ExtraConnection(
        piece, of: validator, chain, isAdditional: isGrowth, isRacing: race != nil))
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
  func unassignedRanges(_ total: Int64) -> [ByteRange] {
    part.missing(in: ByteRange(0..<total), besides: claims(total) + running.map(\.claim))
  }

  /// The second half of the largest range that some connection still has to receive.
  func half(_ total: Int64) -> ByteRange? {
    guard let largest = claims(total).max(by: { $0.count < $1.count }),
      let cut = largest.split(least: session.settings.growth.minRange)
    else { return nil }
    return ByteRange(cut..<largest.end)
  }

  /// Cuts the other connections' ranges at the position of this cursor, which receives the bytes
  /// from that position on.
  func claim(_ cursor: RangeCursor) {
    for other in [first].compactMap({ $0 }) + running.compactMap(\.cursor)
    where other !== cursor && other.position < cursor.end ?? .max {
      if other.end ?? .max > cursor.position { other.truncate(at: cursor.position) }
    }
  }
}
