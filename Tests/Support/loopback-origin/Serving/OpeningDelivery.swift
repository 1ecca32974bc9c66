/// Sends the header of a response with the faults before and within it.
struct OpeningDelivery {
  private let wire: Wire
  private let opening: Opening

  init(_ delivery: Delivery) {
    wire = delivery.wire
    opening = delivery.behaviour.opening
  }

  /// Sends the header; calls `beforeLast` before the bytes that complete it.
  func send(_ head: [UInt8], beforeLast: () -> Void) throws(BrokenOff) {
    if opening.wait > 0, !wire.linger(milliseconds: opening.wait) { throw .abandoned }
    if opening.garbage > 0 {
      try put(garbage(opening.garbage))
      if opening.onlyGarbage { throw BrokenOff(outcome: .cut, end: .finish) }
    }
    for number in 0..<max(0, opening.informational) {
      try put(Array("HTTP/1.1 103 Early Hints\r\nLink: </hint-\(number)>\r\n\r\n".utf8))
    }
    var bytes = head.dropLast(2) as ArraySlice<UInt8>
    guard let filler = opening.filler else { try sendWithoutEnd(Array(bytes)) }
    bytes += fillers(filler)
    bytes += "\r\n".utf8
    if let cut = opening.cutAfter {
      try put(Array(bytes.prefix(Int(max(0, cut)))))
      throw BrokenOff(outcome: .cut, end: .finish)
    }
    guard let rate = opening.rate else {
      beforeLast()
      return try put(Array(bytes))
    }
    try trickle(Array(bytes), rate, beforeLast)
  }

  private func put(_ bytes: [UInt8]) throws(BrokenOff) {
    guard wire.send(bytes) else { throw .abandoned }
  }

  private func trickle(
    _ bytes: [UInt8], _ rate: Int64, _ beforeLast: () -> Void
  ) throws(BrokenOff) {
    let pacer = Pacer(bytesPerSecond: rate)
    var rest = bytes[...]
    while !rest.isEmpty {
      let (granted, wait) = pacer.take(rest.count)
      guard wire.linger(milliseconds: wait) else { throw .abandoned }
      if granted == rest.count { beforeLast() }
      try put(Array(rest.prefix(granted)))
      rest = rest.dropFirst(granted)
    }
  }

  private func sendWithoutEnd(_ head: [UInt8]) throws(BrokenOff) -> Never {
    try put(head)
    var number = 0
    while true {
      try put(Array("X-Endless-\(number): \(String(repeating: "e", count: 1000))\r\n".utf8))
      number += 1
    }
  }

  /// Returns header fields of this many bytes in total, each of at most about 1000 bytes.
  private func fillers(_ count: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    var number = 0
    while Int64(bytes.count) < count {
      let name = "X-Filler-\(number): "
      let room = Int(count) - bytes.count - name.utf8.count - 2
      bytes += "\(name)\(String(repeating: "f", count: min(1000, max(1, room))))\r\n".utf8
      number += 1
    }
    return bytes
  }

  private func garbage(_ count: Int64) -> [UInt8] {
    (0..<max(0, count)).map { UInt8(truncatingIfNeeded: 0x80 &+ $0 &* 37) }
  }
}
