import Glibc
import Testing

@testable import VmxTransfer

@Suite struct ExchangeTests {
  private func made(limit: Int = 1000) throws -> Exchange {
    Exchange(Request(url: try #require(RequestURL("http://a.org/"))), headerLimit: limit)
  }

  private func begin(_ exchange: Exchange) {
    for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] { _ = feed(exchange, header: line) }
  }

  private func feed(_ exchange: Exchange, header: String) -> Bool {
    Array(header.utf8).withUnsafeBytes { exchange.receive(header: $0) }
  }

  private func feed(_ exchange: Exchange, body count: Int) -> Exchange.Reception {
    [UInt8](repeating: 1, count: count).withUnsafeBytes { exchange.receive(body: $0) }
  }

  private func bytes(_ exchange: Exchange) -> [UInt8]? {
    if case .body(let bytes) = exchange.take(partly: true) { return bytes }
    return nil
  }

  @Test func `head, body and end come in this order`() throws {
    let exchange = try made()
    begin(exchange)
    _ = feed(exchange, body: 10)
    exchange.finish(.complete)
    guard case .head = exchange.take(partly: true), bytes(exchange)?.count == 10,
      case .end(.complete) = exchange.take(partly: true)
    else {
      Issue.record("another order")
      return
    }
  }

  /// A failed `socket` was once told as a host that cannot be reached.
  @Test func `a lack of descriptors is the reason of the end, unless a later socket connects`()
    throws
  {
    let failed = RequestEnd.failed(CurlFailure(code: 7, errno: 0, words: ""))
    let short = try made()
    short.lacks(EMFILE)
    short.finish(failed)
    guard case .end(.short(EMFILE)) = short.take(partly: true) else {
      Issue.record("another reason")
      return
    }
    let connected = try made()
    connected.lacks(EMFILE)
    #expect(connected.connected(to: .open))
    connected.finish(failed)
    guard case .end(failed) = connected.take(partly: true) else {
      Issue.record("another reason")
      return
    }
  }

  @Test func `it pauses when a window is full, and goes on when a buffer was given back`() throws {
    let exchange = try made()
    begin(exchange)
    var taken = 0
    while feed(exchange, body: 16_384) == .taken { taken += 16_384 }
    #expect(taken == Exchange.window)
    _ = exchange.take(partly: true)
    let buffer = try #require(bytes(exchange))
    #expect(exchange.condition.canGoOn == false)
    #expect(exchange.giveBack(buffer))
    #expect(exchange.condition.canGoOn)
  }

  @Test func `what comes in one turn of the loop rings once`() throws {
    let bell = Bell()
    let url = try #require(RequestURL("http://a.org/"))
    let exchange = Exchange(Request(url: url), headerLimit: 1000, bell: bell)
    begin(exchange)
    for _ in 0..<8 { _ = feed(exchange, body: 16_384) }
    #expect(bell.count == 0)
    exchange.tellNews()
    exchange.tellNews()
    #expect(bell.count == 1)
  }

  @Test func `what fits into a window is taken as a whole`() throws {
    let exchange = try made()
    begin(exchange)
    #expect(feed(exchange, body: Exchange.window) == .taken)
    #expect(feed(exchange, body: 1) == .pause)
  }

  @Test func `a body that fits into a window comes in one buffer, and rings at its end`() throws {
    let bell = Bell()
    let url = try #require(RequestURL("http://a.org/"))
    let exchange = Exchange(Request(url: url), headerLimit: 1000, bell: bell)
    for line in ["HTTP/1.1 200 OK\r\n", "Content-Length: 200000\r\n", "\r\n"] {
      _ = feed(exchange, header: line)
    }
    exchange.tellNews()
    _ = exchange.take(partly: false)
    for _ in 0..<20 { _ = feed(exchange, body: 10_000) }
    exchange.tellNews()
    #expect(bell.count == 1)
    exchange.finish(.complete)
    #expect(bell.count == 2)
    #expect(bytes(exchange)?.count == 200_000)
  }

  @Test func `whoever is paused tells its worker`() throws {
    let bell = Bell()
    let url = try #require(RequestURL("http://a.org/"))
    let exchange = Exchange(Request(url: url), headerLimit: 1000, bell: bell)
    // What is decoded is longer than what was told.
    for line in ["HTTP/1.1 200 OK\r\n", "Content-Length: 100000\r\n", "\r\n"] {
      _ = feed(exchange, header: line)
    }
    exchange.tellNews()
    while feed(exchange, body: 16_384) == .taken {}
    exchange.tellNews()
    #expect(bell.count == 2)
  }

  @Test func `a buffer that was given back is used again`() {
    let stock = BufferStock()
    func address(_ buffer: inout [UInt8]) -> UInt {
      buffer.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    }
    func used() -> [UInt8] {
      var buffer = stock.take(Exchange.bufferSize)
      buffer.append(7)
      return buffer
    }
    stock.put(used())
    var again = used()
    #expect(again == [7] && again.capacity >= Exchange.bufferSize)
    var other = used()
    #expect(address(&again) != address(&other))
  }

  @Test func `a body without a head is refused`() throws {
    #expect(feed(try made(), body: 1) == .abort)
  }

  @Test func `headers beyond the limit end it, in words`() throws {
    let exchange = try made(limit: 20)
    #expect(feed(exchange, header: "HTTP/1.1 200 OK\r\n"))
    #expect(feed(exchange, header: "A: 012345678901234567\r\n") == false)
    exchange.finish(.cancelled)
    guard case .end(.badHead) = exchange.take(partly: true) else {
      Issue.record("no end")
      return
    }
  }

  @Test func `a body that is let pass is small`() throws {
    let exchange = try made()
    begin(exchange)
    exchange.discard()
    #expect(feed(exchange, body: Exchange.window) == .taken)
    #expect(feed(exchange, body: 1) == .abort)
  }

  @Test func `who gave it up is told nothing more`() throws {
    let exchange = try made()
    begin(exchange)
    exchange.cancel()
    #expect(feed(exchange, body: 1) == .abort)
  }
}
