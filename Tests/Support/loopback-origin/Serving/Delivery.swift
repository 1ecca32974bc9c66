/// Sends one response, breaks it off where the rules say so, and logs it.
///
/// The log line is written before the last bytes are sent. So a client that has received the
/// complete response can rely on the line.
struct Delivery {
  let wire: Wire
  private let request: RequestHead
  let behaviour: Behaviour
  private let log: RequestLog
  private let visit: Visit

  init(
    _ wire: Wire, _ request: RequestHead, _ behaviour: Behaviour, log: RequestLog, visit: Visit
  ) {
    self.wire = wire
    self.request = request
    self.behaviour = behaviour
    self.log = log
    self.visit = visit
  }

  /// Ends the connection without a response.
  func drop(_ drop: Opening.Drop) -> ConnectionEnd {
    var ledger = Ledger(self, nil, early: false)
    ledger.close(.cut)
    switch drop {
    case .finish: return .finish
    case .reset: return .reset
    case .hang:
      while wire.linger(milliseconds: 60_000) {}
      return .finish
    }
  }

  /// Sends a response; returns the state of the connection after it.
  func send(_ reply: Reply, early: Bool, state: ServiceState) -> ConnectionEnd {
    var ledger = Ledger(self, reply, early: early)
    let hasBody = request.method != "HEAD" && reply.mayHaveBody && !reply.range.isEmpty
    let end: ConnectionEnd?
    do {
      try OpeningDelivery(self).send(head(of: reply)) {
        if !hasBody, behaviour.framing.kind != .chunked { ledger.close(.whole) }
      }
      if request.method != "HEAD", reply.mayHaveBody {
        var body = BodyDelivery(self, reply, state: state)
        try body.send(&ledger)
      }
      end = nil
    } catch {
      ledger.close(error.outcome)
      end = error.end
    }
    ledger.close(.whole)
    if end != .reset { wire.endAnswer(isWhole: end == nil) }
    if behaviour.framing.isUnannounced, end != .reset { return .finishUnannounced }
    return end ?? (endsConnection ? .finish : .open)
  }

  /// Appends the line to the log.
  func record(_ reply: Reply?, _ outcome: Outcome) {
    var outcome = outcome
    outcome.faults = behaviour.applied
    log.record(request, visit, reply, outcome)
  }

  private var endsConnection: Bool {
    let framing = behaviour.framing
    return framing.closes || framing.kind == .untilClose || framing.kind == .http10
      || framing.isUnannounced || framing.length != nil || framing.lengthError != 0
      || framing.lacksLastChunk
      || request["connection"]?.lowercased() == "close"
  }

  private func head(of reply: Reply) -> [UInt8] {
    let framing = behaviour.framing
    let version = framing.kind == .http10 ? "HTTP/1.0" : "HTTP/1.1"
    var fields = reply.fields
    let length = Int64(reply.range.count) + framing.lengthError
    switch framing.kind {
    case .length where reply.mayHaveBody:
      fields.append(("Content-Length", framing.length ?? "\(max(0, length))"))
      if framing.secondLength { fields.append(("Content-Length", "\(length + 1)")) }
    case .chunked where reply.mayHaveBody: fields.append(("Transfer-Encoding", "chunked"))
    default: break
    }
    if endsConnection, framing.kind != .http10 { fields.append(("Connection", "close")) }
    var head = "\(version) \(reply.status) \(Reply.reason(reply.status))\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8)
  }
}

/// A response that ended before its last byte.
struct BrokenOff: Error {
  let outcome: Outcome.Ended
  let end: ConnectionEnd

  /// The client has closed the connection.
  static let abandoned = BrokenOff(outcome: .abandoned, end: .finish)
}

/// Counts the bytes of one response and logs it once.
struct Ledger {
  private let delivery: Delivery
  private let reply: Reply?
  private var outcome = Outcome()
  private var isClosed = false

  init(_ delivery: Delivery, _ reply: Reply?, early: Bool) {
    self.delivery = delivery
    self.reply = reply
    outcome.early = early
  }

  /// The number of body bytes counted so far.
  var sent: Int64 { outcome.sent }

  /// Counts body bytes that are about to be sent.
  mutating func count(_ bytes: Int) {
    outcome.sent += Int64(bytes)
  }

  /// Writes the log line on the first call.
  mutating func close(_ ended: Outcome.Ended) {
    guard !isClosed else { return }
    isClosed = true
    outcome.ended = ended
    delivery.record(reply, outcome)
  }
}
