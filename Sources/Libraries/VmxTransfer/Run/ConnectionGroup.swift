import VmxModel
import VmxSystem

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
  /// The interval, in milliseconds, for checking the throughput.
  private static let measureInterval: Int64 = 100

  let part: PartialDownload
  private let chain: RequestChain
  private let session: TransferSession
  /// The `StableHash` of the source's URL.
  private let source: UInt64
  /// The range that the first connection receives; nil between two responses.
  private var first: RangeCursor?
  /// The additional connections.
  private(set) var running: [ExtraConnection] = []
  private var scaling: ConnectionScaling
  /// The era of the part that the connections belong to.
  private var era = 0
  /// Whether no connection is added any more.
  private var isBarred = false
  /// The era in which no connection is added because the server has another version.
  private var barredEra: Int?
  private var measured: Int64 = 0

  /// Creates a group without connections.
  init(_ chain: RequestChain, _ part: PartialDownload) {
    self.chain = chain
    self.part = part
    session = chain.session
    source = StableHash.of(chain.url.text)
    scaling = ConnectionScaling(session.settings.growth)
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
  func firstBegins(_ cursor: RangeCursor, _ head: ResponseHead) {
    if head["accept-ranges"]?.lowercased() == "none" { isBarred = true }
    closeOutdated()
    claim(cursor)
    first = cursor
    if running.isEmpty { restartMeasurement() }
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
  func nextForFirst() -> (start: Int64, end: Int64?)? {
    guard let total = part.total else { return part.gap }
    // Drops connections without a response: the first connection may request their ranges instead.
    let latest = Deadline.nowMilliseconds - session.settings.growth.interval
    for connection in running where connection.cursor == nil && connection.began <= latest {
      refused(connection)
    }
    guard let piece = unclaimed(total).first ?? half(total) else { return nil }
    return (piece.start, piece.end == total ? nil : piece.end)
  }
}

// The additional connections.
extension ConnectionGroup {
  /// Takes the events of additional connections and adds a connection where it increases the
  /// throughput.
  ///
  /// Returns whether there was an event.
  ///
  /// - Parameter partly: whether partly filled buffers are taken, too.
  func serve(partly: Bool) throws(TransferError) -> Bool {
    closeOutdated()
    if let last = running.last, session.engine.hosts.closesOne(host) {
      session.loop.abandon(last.request.transfer)
      running.removeLast()
    }
    var hasServed = false
    for connection in running where running.contains(where: { $0 === connection }) {
      guard let event = connection.request.transfer.take(partly: partly) else { continue }
      hasServed = true
      try take(event, connection)
    }
    grow()
    return hasServed
  }

  /// Closes connections that receive bytes of a version no longer held.
  private func closeOutdated() {
    guard era != part.era else { return }
    endAll()
    era = part.era
  }

  private func take(
    _ event: HTTPTransfer.Event, _ connection: ExtraConnection
  ) throws(TransferError) {
    switch event {
    case .head(let head): judge(head, connection)
    case .body(let bytes):
      session.received += Int64(bytes.count)
      guard let cursor = connection.cursor else { return }
      do throws(TransferError) {
        try cursor.take(bytes[...], part, url: connection.request.url.shown)
      } catch {
        guard case .rangeBroken = error else { throw error }
        return bar()
      }
      if connection.request.transfer.giveBack(bytes) { session.loop.wake() }
      if cursor.isCut, cursor.isDone { freed(connection) }
    case .end(let reason): ended(connection, reason)
    }
  }

  private func judge(_ head: ResponseHead, _ connection: ExtraConnection) {
    let response: Response?
    do throws(TransferError) {
      response = try connection.request.take(head)
    } catch {
      return refused(connection)
    }
    guard let response else { return }
    guard [200, 203, 206, 416].contains(head.status) else { return refused(connection, head) }
    let decision = ResumeDecision.of(
      response.head, to: connection.request.plan, known: part.version(at: source), held: part.prefix
    )
    switch decision {
    case .take(let start, let end):
      let cursor = RangeCursor(from: start, to: end)
      claim(cursor)
      connection.cursor = cursor
      if connection.isGrowth {
        scaling.added(now: Deadline.nowMilliseconds, received: session.received)
      }
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

  private func ended(_ connection: ExtraConnection, _ reason: RequestEnd) {
    guard let cursor = connection.cursor else { return refused(connection) }
    if cursor.isDone { return freed(connection) }
    if reason == .complete { return bar() }
    guard cursor.written >= session.settings.growth.least else { return refused(connection) }
    remove(connection)
    restartMeasurement()
  }

  /// Replaces a connection that has received its range by one for another range, if one is left.
  private func freed(_ connection: ExtraConnection) {
    remove(connection)
    if !add(isGrowth: false) { restartMeasurement() }
  }

  private func refused(_ connection: ExtraConnection, _ head: ResponseHead? = nil) {
    let wait = head?.retryAfter(
      now: session.now, cap: session.settings.retryAfterBelieved)
    guard let place = running.firstIndex(where: { $0 === connection }) else { return }
    running.remove(at: place)
    session.loop.abandon(connection.request.transfer)
    session.engine.hosts.refuses(host, until: wait.map { Deadline.nowMilliseconds + $0 } ?? 0)
    if let wait, let head {
      session.punish(connection.request.url.origin, for: wait, status: head.status)
    }
    restartMeasurement()
  }

  private func remove(_ connection: ExtraConnection) {
    guard let place = running.firstIndex(where: { $0 === connection }) else { return }
    running.remove(at: place)
    close(connection)
  }

  private func close(_ connection: ExtraConnection) {
    session.loop.abandon(connection.request.transfer)
    session.engine.hosts.leaveAdditional(host)
  }

  private func restartMeasurement() {
    scaling.begins(now: Deadline.nowMilliseconds, received: session.received)
  }
}

// The assignment of ranges to connections.
extension ConnectionGroup {
  /// Adds connections while one more increases the throughput.
  private func grow() {
    let now = Deadline.nowMilliseconds
    guard now - measured >= min(Self.measureInterval, session.settings.growth.interval) else {
      return
    }
    measured = now
    guard first != nil, let total = part.total else { return }
    let known = session.engine.hosts.experience(host)
    while scaling.wantsMore(reading(total, now), known), add(isGrowth: true) {}
    if let lesson = scaling.lesson { session.engine.hosts.learns(lesson, host) }
  }

  private func reading(_ total: Int64, _ now: Int64) -> ConnectionScaling.Reading {
    ConnectionScaling.Reading(
      now: now, received: session.received, missing: total - part.held,
      largest: max(
        unclaimed(total).map(\.count).max() ?? 0, claims(total).map(\.count).max() ?? 0),
      connections: running.count + 1, asked: running.count { $0.cursor == nil })
  }

  /// Requests one more range if the limits allow it and one is left; returns whether it did.
  private func add(isGrowth: Bool) -> Bool {
    guard !isBarred, barredEra != part.era, part.isResumable, let total = part.total,
      let validator = part.version(at: source).validators.strong,
      running.count + 1 < session.settings.connections
    else { return false }
    let gap = unclaimed(total).max { $0.count < $1.count }
    guard let piece = gap ?? half(total), session.penalty(of: chain.url) == nil,
      session.engine.hosts.enterAdditional(host, now: Deadline.nowMilliseconds)
    else { return false }
    guard session.overspent(chain.url) == nil else {
      session.engine.hosts.leaveAdditional(host)
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
  private func unclaimed(_ total: Int64) -> [ByteRange] {
    part.missing(in: ByteRange(0..<total), besides: claims(total) + running.map(\.claim))
  }

  /// The second half of the largest range that some connection still has to receive.
  private func half(_ total: Int64) -> ByteRange? {
    guard let largest = claims(total).max(by: { $0.count < $1.count }),
      let cut = largest.split(least: session.settings.growth.least)
    else { return nil }
    return ByteRange(cut..<largest.end)
  }

  /// Cuts the other connections' ranges at the position of this cursor, which receives the bytes
  /// from there on.
  private func claim(_ cursor: RangeCursor) {
    for other in [first].compactMap({ $0 }) + running.compactMap(\.cursor)
    where other !== cursor && other.position < cursor.end ?? .max {
      if other.end ?? .max > cursor.position { other.cut(at: cursor.position) }
    }
  }
}
