import VmxModel

// Several connections for one part.
//
// The first connection is the one that asks, is asked again, and whose failures are those of the
// part. Additional ones are tried when they pay, one at a time, for a range of the very version
// that is held; what becomes of them is never a failure of the part. They are closed as soon as
// the server refuses one, tells of another version, or does anything else than send what was
// asked for. The thread that runs the job is the only one that writes: it takes what has come
// over all connections by turns.

/// All connections of one part to one source.
final class Lanes {
  /// Milliseconds between two looks at whether one more pays, and at buffers that fill slowly.
  private static let lookInterval: Int64 = 100

  private let context: RunContext
  private let asker: Asker
  private let source: UInt64
  private var first: Stretch?
  private var running: [Lane] = []
  private var growth: LaneGrowth
  private var era = 0
  private var isBarred = false
  private var barredEra: Int?
  private var looked: Int64 = 0
  private var tookPartly: Int64 = 0

  /// No connection yet.
  ///
  /// - Parameter source: `StableHash` of the source's URL.
  init(_ context: RunContext, _ asker: Asker, source: UInt64) {
    self.context = context
    self.asker = asker
    self.source = source
    growth = LaneGrowth(context.settings.growth)
  }

  private var host: RequestURL.Origin { asker.url.origin }

  /// No additional connection any more: the source does not treat ranges as it should.
  func bar() {
    isBarred = true
    endAll()
  }

  /// Closes all additional connections; what they brought stays.
  func endAll() {
    for lane in running { close(lane) }
    running = []
  }
}

// The first connection.
extension Lanes {
  /// The first connection's answer begins to bring bytes of the version held.
  func firstBegins(_ stretch: Stretch, _ head: ResponseHead, _ part: borrowing HeldPart) {
    if head["accept-ranges"]?.lowercased() == "none" { isBarred = true }
    heed(part)
    claim(stretch)
    first = stretch
    if running.isEmpty { growth.begins(now: MonotonicTime.now, received: context.received) }
  }

  /// It brings no more.
  func firstEnds() {
    first = nil
  }

  /// What the first connection is to ask for: what nobody brings, from the lowest offset on, else
  /// half of what another one still has to bring; nil if the others see to the rest.
  ///
  /// - Returns: bytes up to `end`, or to the end of the file.
  func nextForFirst(_ part: borrowing HeldPart) -> (start: Int64, end: Int64?)? {
    guard let total = part.total else { return part.gap }
    // Who does not answer is not waited for while there is nothing else to do.
    let latest = MonotonicTime.now - context.settings.growth.interval
    for lane in running where lane.stretch == nil && lane.began <= latest { refused(lane) }
    guard let piece = unclaimed(part, total).first ?? half(total) else { return nil }
    return (piece.start, piece.end == total ? nil : piece.end)
  }

  /// The next event of the first connection, all others being tended meanwhile; nil if none has
  /// come for a while.
  func next(
    _ exchange: Exchange, _ part: inout HeldPart
  ) throws(TransferError) -> Exchange.Event? {
    let seen = context.bell.count
    let partly = isPartlyDue()
    let hasServed = try tend(&part, partly: partly)
    if let event = exchange.take(partly: partly) { return event }
    if hasServed { return nil }
    if try part.catchUpSome() { return nil }
    let hasRung = context.bell.wait(since: seen, milliseconds: Self.lookInterval)
    return exchange.take(partly: !hasRung || running.isEmpty)
  }

  /// Waits a while, the additional connections being tended.
  func rest(_ milliseconds: Int64, _ part: inout HeldPart) throws(TransferError) {
    let seen = context.bell.count
    if try tend(&part, partly: isPartlyDue()) { return }
    if try part.catchUpSome() { return }
    _ = context.bell.wait(since: seen, milliseconds: milliseconds)
  }

  /// Whether buffers that are not full are to be taken: with several connections the bell seldom
  /// leaves the time for it.
  private func isPartlyDue() -> Bool {
    let now = MonotonicTime.now
    guard !running.isEmpty, now - tookPartly >= Self.lookInterval else { return false }
    tookPartly = now
    return true
  }
}

// The additional ones.
extension Lanes {
  /// Takes what has come over additional connections, and adds one where it pays; whether
  /// anything had come.
  private func tend(_ part: inout HeldPart, partly: Bool) throws(TransferError) -> Bool {
    heed(part)
    if let last = running.last, context.hosts.closesOne(host) {
      context.loop.abandon(last.asking.exchange)
      running.removeLast()
    }
    var hasServed = false
    for lane in running where isRunning(lane) {
      guard let event = lane.asking.exchange.take(partly: partly) else { continue }
      hasServed = true
      try take(event, lane, &part)
    }
    grow(part)
    return hasServed
  }

  /// Closes what belongs to bytes that are no longer held.
  private func heed(_ part: borrowing HeldPart) {
    guard era != part.era else { return }
    endAll()
    era = part.era
  }

  private func isRunning(_ lane: Lane) -> Bool { running.contains { $0 === lane } }

  private func take(
    _ event: Exchange.Event, _ lane: Lane, _ part: inout HeldPart
  ) throws(TransferError) {
    switch event {
    case .head(let head): judge(head, lane, part)
    case .body(let bytes):
      context.received += Int64(bytes.count)
      guard let stretch = lane.stretch else { return }
      do throws(TransferError) {
        try stretch.take(bytes[...], &part, url: lane.asking.shown)
      } catch {
        guard case .rangeBroken = error else { throw error }
        return bar()
      }
      if lane.asking.exchange.giveBack(bytes) { context.loop.wake() }
      if stretch.isCut, stretch.isDone { freed(lane, part) }
    case .end(let reason): ended(lane, reason, part)
    }
  }

  private func judge(_ head: ResponseHead, _ lane: Lane, _ part: borrowing HeldPart) {
    let answer: Answer?
    do throws(TransferError) {
      answer = try lane.asking.take(head)
    } catch {
      return refused(lane)
    }
    guard let answer else { return }
    guard [200, 203, 206, 416].contains(head.status) else { return refused(lane, head) }
    let decision = RangeDecision.of(
      answer.head, to: lane.asking.plan, known: part.version(at: source), held: part.prefix)
    switch decision {
    case .take(let start, let end):
      let stretch = Stretch(from: start, to: end)
      claim(stretch)
      lane.stretch = stretch
      if lane.isGrowth { growth.added(now: MonotonicTime.now, received: context.received) }
      // Fewer bytes than asked for: piece by piece would burden the server.
      if end < lane.piece.end { isBarred = true }
    case .startOver(.changed), .breakOff(.changed):
      // The version held is no longer there: who has an answer of it brings as much as it can.
      barredEra = part.era
      endAll()
      first?.extend()
    default: bar()
    }
  }

  private func ended(_ lane: Lane, _ reason: RequestEnd, _ part: borrowing HeldPart) {
    guard let stretch = lane.stretch else { return refused(lane) }
    if stretch.isDone { return freed(lane, part) }
    if reason == .complete { return bar() }
    guard stretch.written >= context.settings.growth.least else { return refused(lane) }
    remove(lane)
    growth.begins(now: MonotonicTime.now, received: context.received)
  }

  /// A connection has brought what it had to: it gets another piece, if there is one.
  private func freed(_ lane: Lane, _ part: borrowing HeldPart) {
    remove(lane)
    guard !add(part, isGrowth: false) else { return }
    growth.begins(now: MonotonicTime.now, received: context.received)
  }

  private func refused(_ lane: Lane, _ head: ResponseHead? = nil) {
    let wait = head.flatMap {
      RetryAfter.milliseconds(
        $0, now: context.clock.now, cap: context.settings.retryAfterBelieved)
    }
    guard let place = running.firstIndex(where: { $0 === lane }) else { return }
    running.remove(at: place)
    context.loop.abandon(lane.asking.exchange)
    context.hosts.refuses(host, until: wait.map { MonotonicTime.now + $0 } ?? 0)
    growth.begins(now: MonotonicTime.now, received: context.received)
  }

  private func remove(_ lane: Lane) {
    guard let place = running.firstIndex(where: { $0 === lane }) else { return }
    running.remove(at: place)
    close(lane)
  }

  private func close(_ lane: Lane) {
    context.loop.abandon(lane.asking.exchange)
    context.hosts.leaveAdditional(host)
  }
}

// Which connection brings what.
extension Lanes {
  private func grow(_ part: borrowing HeldPart) {
    let now = MonotonicTime.now
    guard now - looked >= min(Self.lookInterval, context.settings.growth.interval) else { return }
    looked = now
    guard first != nil, let total = part.total else { return }
    let reading = LaneGrowth.Reading(
      now: now, received: context.received, missing: total - part.held,
      largest: max(
        unclaimed(part, total).map(\.count).max() ?? 0, claims(total).map(\.count).max() ?? 0))
    if growth.wantsMore(reading) { add(part, isGrowth: true) }
  }

  /// Asks for one more piece, if that is allowed and there is one; whether it did.
  @discardableResult
  private func add(_ part: borrowing HeldPart, isGrowth: Bool) -> Bool {
    guard !isBarred, barredEra != part.era, part.isResumable, let total = part.total,
      let validator = part.version(at: source).validators.strong,
      running.count + 1 < context.settings.connections
    else { return false }
    let gap = unclaimed(part, total).max { $0.count < $1.count }
    guard let piece = gap ?? half(total),
      context.hosts.enterAdditional(host, now: MonotonicTime.now)
    else { return false }
    running.append(Lane(piece, of: validator, asker, isGrowth: isGrowth))
    return true
  }

  /// What each connection still has to bring, as far as no other one was asked for it.
  private func claims(_ total: Int64) -> [ByteRange] {
    let asked = running.filter { $0.stretch == nil }.map(\.piece.start)
    let open = [first].compactMap { $0 } + running.compactMap(\.stretch)
    return open.map { stretch in
      let end = stretch.end ?? total
      let limit = asked.filter { $0 > stretch.position }.min() ?? end
      return ByteRange(stretch.position..<max(stretch.position, min(end, limit)))
    }
  }

  private func unclaimed(_ part: borrowing HeldPart, _ total: Int64) -> [ByteRange] {
    part.missing(in: ByteRange(0..<total), besides: claims(total) + running.map(\.claim))
  }

  /// The second half of the largest piece that some connection still has to bring.
  private func half(_ total: Int64) -> ByteRange? {
    guard let largest = claims(total).max(by: { $0.count < $1.count }),
      let cut = RangeSplit.cut(largest, least: context.settings.growth.least)
    else { return nil }
    return ByteRange(cut..<largest.end)
  }

  /// Whoever was to bring these bytes leaves them to the stretch that begins with them.
  private func claim(_ stretch: Stretch) {
    for other in [first].compactMap({ $0 }) + running.compactMap(\.stretch)
    where other !== stretch && other.position < stretch.end ?? .max {
      if other.end ?? .max > stretch.position { other.cut(at: stretch.position) }
    }
  }
}
