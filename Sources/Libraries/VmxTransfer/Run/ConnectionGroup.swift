import VmxModel

// Several connections for one part.
//
// The first connection sends the requests and retries them. Only its failures are failures of the
// part. Additional connections are tried while they increase the throughput, one at a time. Each
// requests a range of exactly the version held; its failure is never a failure of the part. They
// are closed as soon as the server refuses one, reports another version or sends other bytes than
// requested. Only the thread that runs the job writes: it takes the received bytes of all
// connections in turn.

/// All connections of one part to one source.
final class ConnectionGroup {
  /// The interval, in milliseconds, for checking the throughput and for taking partly filled
  /// buffers.
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

  /// Creates a group without connections.
  ///
  /// - Parameter source: the `StableHash` of the source's URL.
  init(_ context: RunContext, _ chain: RequestChain, source: UInt64) {
    self.context = context
    self.chain = chain
    self.source = source
    growth = ConnectionScaling(context.settings.growth)
  }

  var host: RequestURL.Origin { chain.url.origin }

  /// Bars additional connections for good, because the source does not serve ranges correctly.
  func bar() {
    isBarred = true
    endAll()
  }

  /// Closes all additional connections; the bytes they received stay.
  func endAll() {
    for connection in running { close(connection) }
    running = []
  }
}

// The first connection.
extension ConnectionGroup {
  /// Registers the first connection, whose response begins to deliver bytes of the version held.
  func firstBegins(_ cursor: RangeCursor, _ head: ResponseHead, _ part: borrowing PartialDownload) {
    if head["accept-ranges"]?.lowercased() == "none" { isBarred = true }
    heed(part)
    claim(cursor)
    first = cursor
    if running.isEmpty { growth.begins(now: MonotonicTime.now, received: context.received) }
  }

  /// Unregisters the first connection: it delivers no more bytes.
  func firstEnds() {
    first = nil
  }

  /// The range for the first connection's next request; nil if other connections receive the rest.
  ///
  /// It is the lowest missing range that no connection receives, else half of another connection's
  /// range.
  ///
  /// - Returns: the bytes up to `end`, or to the end of the file if `end` is nil.
  func nextForFirst(_ part: borrowing PartialDownload) -> (start: Int64, end: Int64?)? {
    guard let total = part.total else { return part.gap }
    // Drops connections without a response: the first connection may request their ranges instead.
    let latest = MonotonicTime.now - context.settings.growth.interval
    for connection in running where connection.cursor == nil && connection.began <= latest {
      refused(connection)
    }
    guard let piece = unclaimed(part, total).first ?? half(total) else { return nil }
    return (piece.start, piece.end == total ? nil : piece.end)
  }

  /// Serves the additional connections and returns the first connection's next event; nil after a
  /// while without one.
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

  /// Waits up to this many milliseconds while serving the additional connections.
  func rest(_ milliseconds: Int64, _ part: inout PartialDownload) throws(TransferError) {
    let seen = context.wakeCounter.count
    if try tend(&part, partly: isPartlyDue()) { return }
    if !context.wakeCounter.wait(since: seen, milliseconds: milliseconds) { try part.rest() }
  }

  /// Whether partly filled buffers are due. With several connections, wake-ups are too frequent to
  /// wait for a timeout.
  private func isPartlyDue() -> Bool {
    let now = MonotonicTime.now
    guard !running.isEmpty, now - tookPartly >= Self.lookInterval else { return false }
    tookPartly = now
    return true
  }
}

// The additional connections.
extension ConnectionGroup {
  /// Takes the events of additional connections and adds a connection where it increases the
  /// throughput.
  ///
  /// Returns whether there was an event.
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

  /// Closes connections that receive bytes of a version no longer held.
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
      // Stops adding connections after a range shorter than requested: many small requests would
      // burden the server.
      if end < connection.piece.end { isBarred = true }
    case .startOver(.changed), .breakOff(.changed):
      // The version held is gone from the server. A connection that still receives it continues to
      // its end.
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

  /// Replaces a connection that has received its range by one for another range, if one is left.
  private func freed(_ connection: ExtraConnection, _ part: borrowing PartialDownload) {
    remove(connection)
    guard !add(part, isGrowth: false) else { return }
    growth.begins(now: MonotonicTime.now, received: context.received)
  }

  private func refused(_ connection: ExtraConnection, _ head: ResponseHead? = nil) {
    let wait = head?.retryAfter(
      now: context.clock.now, cap: context.settings.retryAfterBelieved)
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
