/// One connection: serves requests until one side ends it.
struct Connection {
  private let wire: Wire
  private let service: Service
  private let port: UInt16

  init(_ wire: Wire, service: Service, port: UInt16) {
    self.wire = wire
    self.service = service
    self.port = port
  }

  func serve() {
    let number = service.state.nextConnection()
    var received: [UInt8] = []
    while true {
      guard var request = nextRequest(from: &received) else { return wire.finish() }
      var wire = wire
      if request.method == "PRI" {
        var streams = StreamConnection(wire, received: received)
        guard let first = streams.request() else { return wire.finish() }
        (request, wire) = first
      }
      let visit = Visit(
        connection: number, port: port, number: service.state.nextRequest(), started: Moment.now)
      switch service.answer(request, on: wire, visit) {
      case .open where !wire.isStream: continue
      case .open, .finish: return wire.finish()
      case .finishUnannounced: return wire.finish(notifies: false)
      case .reset: return wire.reset()
      }
    }
  }

  /// Returns the next head and its body, at most 4 MiB; nil when the peer has closed the connection
  /// or sent no valid head.
  private func nextRequest(from received: inout [UInt8]) -> RequestHead? {
    while true {
      if let end = RequestHead.end(in: received) {
        guard var head = RequestHead(received[..<end]) else { return nil }
        let length = head["content-length"].flatMap { Int($0) } ?? 0
        if received.count >= end + length {
          head.body = Array(received[end..<end + length])
          received.removeFirst(end + length)
          return head
        }
      }
      guard received.count < 4 << 20, wire.receive(into: &received) else { return nil }
    }
  }
}

/// The connection, listener, number and time of a request.
struct Visit {
  let connection: Int
  let port: UInt16
  /// The number in the order of arrival at all connections, starting at 1.
  let number: Int
  let started: Int64
}

/// The state of a connection after a response.
enum ConnectionEnd {
  case open
  case finish
  /// FIN without the close_notify of TLS.
  case finishUnannounced
  case reset
}
