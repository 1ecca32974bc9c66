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
final class ConnectionGroup {
  /// Milliseconds between two looks at whether one more pays, and at buffers that fill slowly.
  static let lookInterval: Int64 = 100

  let context: RunContext
  let chain: RequestChain
  let source: UInt64
  var first: RangeCursor?
  var running: [ExtraConnection] = []
  var growth: ConnectionScaling
  private var era = 0
  var isBarred = false
  var barredEra: Int?
  var looked: Int64 = 0
  private var tookPartly: Int64 = 0

  /// No connection yet.
  ///
  /// - Parameter source: `StableHash` of the source's URL.
  init(_ context: RunContext, _ chain: RequestChain, source: UInt64) {
    self.context = context
    self.chain = chain
    self.source = source
    growth = ConnectionScaling(context.settings.growth)
  }

  var host: RequestURL.Origin { chain.url.origin }

  /// No additional connection any more: the source does not treat ranges as it should.
  func bar() {
    isBarred = true
    endAll()
  }

  /// Closes all additional connections; what they brought stays.
  func endAll() {
    for connection in running { close(connection) }
    running = []
  }
}

// The first connection.
extension ConnectionGroup {
  /// The first connection's answer begins to bring bytes of the version held.
  func firstBegins(_ cursor: RangeCursor, _ head: ResponseHead, _ part: borrowing PartialDownload) {
    if head["accept-ranges"]?.lowercased() == "none" { isBarred = true }
    heed(part)
    claim(cursor)
    first = cursor
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
  func nextForFirst(_ part: borrowing PartialDownload) -> (start: Int64, end: Int64?)? {
    guard let total = part.total else { return part.gap }
    // Who does not answer is not waited for while there is nothing else to do.
    let latest = MonotonicTime.now - context.settings.growth.interval
    for connection in running where connection.cursor == nil && connection.began <= latest {
      refused(connection)
    }
    guard let piece = unclaimed(part, total).first ?? half(total) else { return nil }
    return (piece.start, piece.end == total ? nil : piece.end)
  }

  /// The next event of the first connection, all others being tended meanwhile; nil if none has
  /// come for a while.
  func next(
    _ transfer: HTTPTransfer, _ part: inout PartialDownload
  ) throws(TransferError) -> HTTPTransfer.Event? {
    let seen = context.wakeCounter.count
    let partly = isPartlyDue()
    let hasServed = try tend(&part, partly: partly)
    if let event = transfer.take(partly: partly) { return event }
    if hasServed { return nil }
    let hasRung = context.wakeCounter.wait(since: seen, milliseconds: Self.lookInterval)
    if !hasRung { try part.rest() }
    return transfer.take(partly: !hasRung || running.isEmpty)
  }

  /// Waits a while, the additional connections being tended.
  func rest(_ milliseconds: Int64, _ part: inout PartialDownload) throws(TransferError) {
    let seen = context.wakeCounter.count
    if try tend(&part, partly: isPartlyDue()) { return }
    if !context.wakeCounter.wait(since: seen, milliseconds: milliseconds) { try part.rest() }
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
extension ConnectionGroup {
  /// Takes what has come over additional connections, and adds one where it pays; whether
  /// anything had come.
  private func tend(_ part: inout PartialDownload, partly: Bool) throws(TransferError) -> Bool {
    heed(part)
    if let last = running.last, context.hosts.closesOne(host) {
      context.loop.abandon(last.hop.transfer)
      running.removeLast()
    }
    var hasServed = false
    for connection in running where isRunning(connection) {
      guard let event = connection.hop.transfer.take(partly: partly) else { continue }
      hasServed = true
      try take(event, connection, &part)
    }
    grow(part)
    return hasServed
  }

  /// Closes what belongs to bytes that are no longer held.
  private func heed(_ part: borrowing PartialDownload) {
    guard era != part.era else { return }
    endAll()
    era = part.era
  }

  private func isRunning(_ connection: ExtraConnection) -> Bool {
    running.contains { $0 === connection }
  }

  private func take(
    _ event: HTTPTransfer.Event, _ connection: ExtraConnection, _ part: inout PartialDownload
  ) throws(TransferError) {
    switch event {
    case .head(let head): judge(head, connection, part)
    case .body(let bytes):
      context.received += Int64(bytes.count)
      guard let cursor = connection.cursor else { return }
      do throws(TransferError) {
        try cursor.take(bytes[...], &part, url: connection.hop.shown)
      } catch {
        guard case .rangeBroken = error else { throw error }
        return bar()
      }
      if connection.hop.transfer.giveBack(bytes) { context.loop.wake() }
      if cursor.isCut, cursor.isDone { freed(connection, part) }
    case .end(let reason): ended(connection, reason, part)
    }
  }

  private func judge(
    _ head: ResponseHead, _ connection: ExtraConnection, _ part: borrowing PartialDownload
  ) {
    let response: Response?
    do throws(TransferError) {
      response = try connection.hop.take(head)
    } catch {
      return refused(connection)
    }
    guard let response else { return }
    guard [200, 203, 206, 416].contains(head.status) else { return refused(connection, head) }
    let decision = RangeDecision.of(
      response.head, to: connection.hop.plan, known: part.version(at: source), held: part.prefix)
    switch decision {
    case .take(let start, let end):
      let cursor = RangeCursor(from: start, to: end)
      claim(cursor)
      connection.cursor = cursor
      if connection.isGrowth { growth.added(now: MonotonicTime.now, received: context.received) }
      // Fewer bytes than asked for: piece by piece would burden the server.
      if end < connection.piece.end { isBarred = true }
    case .startOver(.changed), .breakOff(.changed):
      // The version held is no longer there: who has an answer of it brings as much as it can.
      barredEra = part.era
      endAll()
      first?.extend()
    default: bar()
    }
  }

  private func ended(
    _ connection: ExtraConnection, _ reason: RequestEnd, _ part: borrowing PartialDownload
  ) {
    guard let cursor = connection.cursor else { return refused(connection) }
    if cursor.isDone { return freed(connection, part) }
    if reason == .complete { return bar() }
    guard cursor.written >= context.settings.growth.least else { return refused(connection) }
    remove(connection)
    growth.begins(now: MonotonicTime.now, received: context.received)
  }

  /// A connection has brought what it had to: it gets another piece, if there is one.
  private func freed(_ connection: ExtraConnection, _ part: borrowing PartialDownload) {
    remove(connection)
    guard !add(part, isGrowth: false) else { return }
    growth.begins(now: MonotonicTime.now, received: context.received)
  }

  private func refused(_ connection: ExtraConnection, _ head: ResponseHead? = nil) {
    let wait = head.flatMap {
      RetryAfter.milliseconds(
        $0, now: context.clock.now, cap: context.settings.retryAfterBelieved)
    }
    guard let place = running.firstIndex(where: { $0 === connection }) else { return }
    running.remove(at: place)
    context.loop.abandon(connection.hop.transfer)
    context.hosts.refuses(host, until: wait.map { MonotonicTime.now + $0 } ?? 0)
    if let wait, let head {
      context.wantsQuiet(connection.hop.origin, for: wait, status: head.status)
    }
    growth.begins(now: MonotonicTime.now, received: context.received)
  }

  private func remove(_ connection: ExtraConnection) {
    guard let place = running.firstIndex(where: { $0 === connection }) else { return }
    running.remove(at: place)
    close(connection)
  }

  private func close(_ connection: ExtraConnection) {
    context.loop.abandon(connection.hop.transfer)
    context.hosts.leaveAdditional(host)
  }
}
