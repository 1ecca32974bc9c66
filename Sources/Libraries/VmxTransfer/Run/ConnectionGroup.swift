import VmxLibrary
import VmxModel
import VmxSystem

// Several connections for one part.
//
// The first connection sends the requests and retries them. Only its failures are failures of the
// part. Additional connections are tried while they increase the throughput, one at a time. Each
// requests a range of exactly the version held; its failure is never a failure of the part. They
// are closed as soon as the server refuses one, reports another version or sends other bytes than
// requested, and when the file would wait for one (`ConnectionGroup+Balance.swift`). Only the
// thread that runs the job writes: it writes the received bytes of all connections in turn.

/// All connections of one part to one source.
final class ConnectionGroup {
  /// The interval, in milliseconds, for checking the throughput.
  static let measureInterval: Int64 = 100

  let part: PartialDownload
  let chain: RequestChain
  let session: TransferSession
  /// The `StableHash` of the source's URL.
  let source: UInt64
  /// The range that the first connection receives; nil between two responses.
  private(set) var first: RangeCursor?
  /// The range that the first connection requests although another one receives it.
  private var firstRace: ByteRange?
  /// The additional connections.
  var running: [ExtraConnection] = []
  var scaling: ConnectionScaling
  /// The era of the part that the connections belong to.
  private var era = 0
  /// Whether no connection is added any more.
  private(set) var isBarred = false
  /// The era in which no connection is added because the server has another version.
  private(set) var barredEra: Int?
  var measured: Int64 = 0
  /// The highest rate of one connection so far, in bytes a second.
  var fastest: Int64 = 0
  /// The additional connections that were closed because they had hardly received anything.
  private var slowCount = 0
  /// The responses of the first connection that were cut for the same reason.
  private var slowFirstCount = 0

  /// Creates a group without connections.
  init(_ chain: RequestChain, _ part: PartialDownload) {
    self.chain = chain
    self.part = part
    session = chain.session
    source = StableHash.of(chain.url.text)
    scaling = ConnectionScaling(session.settings.growth)
  }

  var host: RequestURL.Origin { chain.url.origin }

  /// The number of connections that receive a range or have requested one.
  var openCount: Int { running.count + (first == nil ? 0 : 1) }

  /// Whether two connections receive the same range.
  var isRacing: Bool { firstRace != nil || running.contains(where: \.isRacing) }

  /// Counts an additional connection that was too slow; adds none after the second.
  func countSlow() {
    slowCount += 1
    if slowCount > 1 { isBarred = true }
  }

  /// Counts a response of the first connection that was too slow; after the second it waits for
  /// the others.
  func countSlowFirst() {
    slowFirstCount += 1
  }

  /// Bars additional connections permanently, because the source does not serve ranges correctly.
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
  func registerFirst(_ cursor: RangeCursor, _ head: ResponseHead) {
    if head["accept-ranges"]?.lowercased() == "none" { isBarred = true }
    closeOutdated()
    if firstRace.map({ $0.start != cursor.position }) ?? true { claim(cursor) }
    first = cursor
    if running.isEmpty { restartMeasurement() }
  }

  /// Unregisters the first connection: it delivers no more bytes.
  func firstEnds() {
    first = nil
    firstRace = nil
  }

  /// The range for the first connection's next request; nil if other connections receive the rest.
  ///
  /// It is the lowest missing range that no connection receives, otherwise half of another
  /// connection's range, otherwise the range of a slow connection.
  ///
  /// - Returns: the bytes up to `end`, or to the end of the file if `end` is nil.
  func nextForFirst() -> (start: Int64, end: Int64?)? {
    guard let total = part.total else { return part.gap }
    // Drops connections without a response: the first connection may request their ranges instead.
    let latest = Deadline.nowMilliseconds - session.settings.growth.interval
    for connection in running where connection.cursor == nil && connection.began <= latest {
      refused(connection)
    }
    firstRace = nil
    if slowFirstCount > 1, running.contains(where: { $0.cursor != nil }) { return nil }
    guard let piece = unassignedRanges(total).first ?? half(total) ?? raceForFirst(total) else {
      return nil
    }
    return (piece.start, piece.end == total ? nil : piece.end)
  }
}

extension ConnectionGroup {
  private func raceForFirst(_ total: Int64) -> ByteRange? {
    firstRace = rangeToRace(total)
    return firstRace
  }
}

// The additional connections.
extension ConnectionGroup {
  /// Handles the events of additional connections, and adds a connection if it increases the
  /// throughput.
  ///
  /// Returns whether there was an event.
  ///
  /// - Parameter partly: whether partly filled buffers are processed as well.
  func serve(partly: Bool) throws(TransferError) -> Bool {
    closeOutdated()
    if let last = running.last, session.engine.hosts.releaseExcess(host) {
      session.loop.cancel(last.request.transfer)
      running.removeLast()
    }
    var hasServed = false
    for connection in running where running.contains(where: { $0 === connection }) {
      guard let event = connection.request.transfer.nextEvent(partly: partly) else { continue }
      hasServed = true
      try handle(event, connection)
    }
    endCovered()
    addConnections()
    return hasServed
  }

  /// Closes connections that receive bytes of a version no longer held.
  private func closeOutdated() {
    guard era != part.era else { return }
    endAll()
    era = part.era
  }

  private func handle(
    _ event: HTTPTransfer.Event, _ connection: ExtraConnection
  ) throws(TransferError) {
    switch event {
    case .head(let head): handleHead(head, connection)
    case .body(let bytes):
      session.received += Int64(bytes.count)
      guard let cursor = connection.cursor else { return }
      connection.check?.update(bytes)
      do throws(TransferError) {
        try cursor.write(bytes[...], part, url: connection.request.url.redacted)
      } catch {
        guard case .rangeBroken = error else { throw error }
        return bar()
      }
      if connection.request.transfer.recycle(bytes) { session.loop.wake() }
      if cursor.isTruncated, cursor.isDone { reuse(connection) }
    case .end(let reason): try ended(connection, reason)
    }
  }

  private func handleHead(_ head: ResponseHead, _ connection: ExtraConnection) {
    let response: Response?
    do throws(TransferError) {
      response = try connection.request.receive(head)
    } catch {
      return refused(connection)
    }
    guard let response else { return }
    guard [200, 203, 206, 416].contains(head.status),
      !(head.contentType.map(MediaType.isPage) ?? false)
    else { return refused(connection, head) }
    // The bytes of two connections are never compared, so their dates count besides the tag.
    guard part.version(at: source).validators.mayShareDate(with: head.sourceVersion.validators)
    else { return bar() }
    let decision = ResumeDecision.of(
      response.head, to: connection.request.plan, known: part.version(at: source), held: part.prefix
    )
    switch decision {
    case .append(let start, let end):
      let cursor = RangeCursor(from: start, to: end)
      if !connection.isRacing { claim(cursor) }
      connection.cursor = cursor
      connection.check = ContentCheck(response.head)
      if connection.isAdditional {
        scaling.added(now: Deadline.nowMilliseconds, received: session.received)
      }
      // Stops adding connections after a range shorter than requested: many small requests would
      // burden the server.
      if end < connection.piece.end { isBarred = true }
    case .startOver(.changed), .abandon(.changed):
      // The server no longer has the version held. A connection that still receives it continues to
      // its end.
      barredEra = part.era
      endAll()
      first?.extend()
    default: bar()
    }
  }

  private func ended(
    _ connection: ExtraConnection, _ reason: RequestEnd
  ) throws(TransferError) {
    guard let cursor = connection.cursor else { return refused(connection) }
    if let check = connection.check, cursor.isDone, !cursor.isTruncated {
      do throws(TransferError) {
        let url = connection.request.url.redacted
        try part.verify(check, from: connection.piece.start, of: cursor, url)
      } catch {
        guard case .rangeBroken = error else { throw error }
        return bar()
      }
    }
    if cursor.isDone { return reuse(connection) }
    if reason == .complete { return bar() }
    guard cursor.written >= session.settings.growth.minRange else { return refused(connection) }
    remove(connection)
    restartMeasurement()
  }

  /// Replaces a connection that has received its range by one for another range, if one is left.
  func reuse(_ connection: ExtraConnection) {
    remove(connection)
    if !add(isGrowth: false) { restartMeasurement() }
  }

  private func refused(_ connection: ExtraConnection, _ head: ResponseHead? = nil) {
    let wait = head?.retryAfter(
      now: session.now, cap: session.settings.retryAfterBelieved)
    guard let index = running.firstIndex(where: { $0 === connection }) else { return }
    running.remove(at: index)
    session.loop.cancel(connection.request.transfer)
    session.engine.hosts.recordRefusal(host, until: wait.map { Deadline.nowMilliseconds + $0 } ?? 0)
    if let wait, let head {
      session.recordDelay(head, of: connection.request.url, wait: wait)
    }
    restartMeasurement()
  }

  /// Closes an additional connection and forgets it; the bytes it received stay.
  func remove(_ connection: ExtraConnection) {
    guard let index = running.firstIndex(where: { $0 === connection }) else { return }
    running.remove(at: index)
    close(connection)
  }

  private func close(_ connection: ExtraConnection) {
    session.loop.cancel(connection.request.transfer)
    session.engine.hosts.releaseAdditional(host)
  }

  func restartMeasurement() {
    scaling.restart(now: Deadline.nowMilliseconds, received: session.received)
  }
}
