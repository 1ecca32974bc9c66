/// Sends the body of a response piece by piece, at the rate and up to the point that the rules set.
struct BodyDelivery {
  private let wire: Wire
  private let framing: Framing
  private let content: Content
  private let range: Range<Int64>
  private let slow: Pacer?
  private let fullSpeedUpTo: Int64
  private let shared: Pacer?
  private var stop: (after: Int64, how: Ending.Stop)?

  init(_ delivery: Delivery, _ reply: Reply, state: ServiceState) {
    let ending = delivery.behaviour.ending
    wire = delivery.wire
    framing = delivery.behaviour.framing
    content = reply.content
    range = reply.range
    slow = ending.rate.map { Pacer(bytesPerSecond: $0.bytes) }
    fullSpeedUpTo = ending.rate?.from ?? .max
    shared = ending.shared.map { state.pacer($0.key, bytesPerSecond: $0.bytes) }
    stop = ending.stop
  }

  /// Sends all bytes, or throws at the point where the rules break the response off.
  mutating func send(_ ledger: inout Ledger) throws(BrokenOff) {
    let isChunked = framing.kind == .chunked && !wire.isStream
    while true {
      try stopIfDue(&ledger)
      let left = Int64(range.count) - ledger.sent
      guard left > 0 else { break }
      let size = try permitted(min(left, 64 << 10), sent: ledger.sent)
      let start = range.lowerBound + ledger.sent
      let piece = content.bytes(start..<(start + Int64(size)))
      ledger.count(size)
      if ledger.sent == range.count, !isChunked { ledger.close(.whole) }
      guard wire.send(isChunked ? chunk(piece) : piece) else { throw .abandoned }
    }
    guard isChunked else { return }
    ledger.close(framing.lacksLastChunk ? .cut : .whole)
    if !framing.lacksLastChunk, !wire.send(Array("0\r\n\r\n".utf8)) { throw .abandoned }
  }

  /// Returns the number of bytes to send now: at most those wanted, and none beyond the next point
  /// at which a fault begins.
  private func permitted(_ wanted: Int64, sent: Int64) throws(BrokenOff) -> Int {
    var size = wanted
    for point in [stop?.after, framing.brokenChunkAt, fullSpeedUpTo] {
      if let point, point > sent { size = min(size, point - sent) }
    }
    guard let pacer = sent >= fullSpeedUpTo ? slow : shared else { return Int(size) }
    while true {
      let (granted, wait) = pacer.take(Int(size))
      if granted > 0 { return granted }
      guard wire.linger(milliseconds: wait) else { throw .abandoned }
    }
  }

  private mutating func stopIfDue(_ ledger: inout Ledger) throws(BrokenOff) {
    if let broken = framing.brokenChunkAt, ledger.sent >= broken, framing.kind == .chunked {
      ledger.close(.cut)
      _ = wire.send(Array("xyz\r\nnonsense\r\n".utf8))
      throw BrokenOff(outcome: .cut, end: .finish)
    }
    guard let (after, how) = stop, ledger.sent >= after else { return }
    switch how {
    case .cut: throw BrokenOff(outcome: .cut, end: .finish)
    case .reset: throw BrokenOff(outcome: .reset, end: .reset)
    case .stall(let milliseconds?):
      stop = nil
      guard wire.linger(milliseconds: milliseconds) else { throw .abandoned }
    case .stall(nil):
      ledger.close(.stalled)
      while wire.linger(milliseconds: 60_000) {}
      throw .abandoned
    }
  }

  private func chunk(_ bytes: [UInt8]) -> [UInt8] {
    var line = Array(String(bytes.count, radix: 16).utf8)
    if framing.extensionLength > 0 {
      line += [UInt8(ascii: ";")] + [UInt8](repeating: 0x61, count: framing.extensionLength - 1)
    }
    return line + "\r\n".utf8 + bytes + "\r\n".utf8
  }
}
