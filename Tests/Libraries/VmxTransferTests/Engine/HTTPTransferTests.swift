import Glibc
import Testing
import VmxModel
import VmxSystem
@testable import VmxTransfer

@Suite struct HTTPTransferTests {
  private func made(limit: Int = 1000) throws -> HTTPTransfer {
    HTTPTransfer(.get(try #require(RequestURL("http://a.org/"))), headerLimit: limit)
  }

  private func begin(_ transfer: HTTPTransfer, length: Int? = nil) {
    let fields = length.map { [ResponseHead.Field(name: "content-length", value: "\($0)")] } ?? []
    transfer.receive(ResponseHead(version: "1.1", status: 200, fields: fields))
  }

  private func feed(_ transfer: HTTPTransfer, body count: Int) -> HTTPTransfer.Reception {
    [UInt8](repeating: 1, count: count).withUnsafeBytes { transfer.receive(body: $0) }
  }

  private func bytes(_ transfer: HTTPTransfer) -> [UInt8]? {
    if case .body(let bytes) = transfer.nextEvent(partly: true) { return bytes }
    return nil
  }

  @Test func `head, body and end arrive in this order`() throws {
    let transfer = try made()
    begin(transfer)
    _ = feed(transfer, body: 10)
    transfer.finish(.complete)
    guard case .head = transfer.nextEvent(partly: true), bytes(transfer)?.count == 10,
      case .end(.complete) = transfer.nextEvent(partly: true)
    else {
      Issue.record("another order")
      return
    }
  }

  /// Regression: a failed `socket` call was reported as an unreachable host.
  @Test func `a lack of descriptors is the reported reason, unless a later socket connects`()
    throws
  {
    let failed = RequestEnd.failed(CurlFailure(code: 7, errno: 0, message: ""))
    let short = try made()
    short.recordSocketError(EMFILE)
    short.finish(failed)
    guard case .end(.short(EMFILE)) = short.nextEvent(partly: true) else {
      Issue.record("another reason")
      return
    }
    let connected = try made()
    connected.recordSocketError(EMFILE)
    #expect(connected.connected(to: .open))
    connected.finish(failed)
    guard case .end(failed) = connected.nextEvent(partly: true) else {
      Issue.record("another reason")
      return
    }
  }

  @Test func `a transfer pauses when its window is full, until a buffer is returned`() throws {
    let transfer = try made()
    begin(transfer)
    var taken = 0
    while feed(transfer, body: 16_384) == .accepted { taken += 16_384 }
    #expect(taken == HTTPTransfer.window)
    _ = transfer.nextEvent(partly: true)
    let buffer = try #require(bytes(transfer))
    #expect(transfer.condition.canContinue == false)
    #expect(transfer.recycle(buffer))
    #expect(transfer.condition.canContinue)
  }

  @Test func `events of one turn of the loop wake the worker once`() throws {
    let changes = ChangeSignal()
    let url = try #require(RequestURL("http://a.org/"))
    let transfer = HTTPTransfer(.get(url), headerLimit: 1000, changes: changes)
    begin(transfer)
    for _ in 0..<8 { _ = feed(transfer, body: 16_384) }
    #expect(changes.count == 0)
    transfer.notifyWorker()
    transfer.notifyWorker()
    #expect(changes.count == 1)
  }

  @Test func `a body within the window is read as a whole`() throws {
    let transfer = try made()
    begin(transfer)
    #expect(feed(transfer, body: HTTPTransfer.window) == .accepted)
    #expect(feed(transfer, body: 1) == .pause)
  }

  @Test func `a body within the window arrives in one buffer, and wakes the worker`() throws {
    let changes = ChangeSignal()
    let url = try #require(RequestURL("http://a.org/"))
    let transfer = HTTPTransfer(.get(url), headerLimit: 1000, changes: changes)
    begin(transfer, length: 200_000)
    transfer.notifyWorker()
    _ = transfer.nextEvent(partly: false)
    for _ in 0..<20 { _ = feed(transfer, body: 10_000) }
    transfer.notifyWorker()
    #expect(changes.count == 1)
    transfer.finish(.complete)
    #expect(changes.count == 2)
    #expect(bytes(transfer)?.count == 200_000)
  }

  @Test func `a paused transfer wakes its worker`() throws {
    let changes = ChangeSignal()
    let url = try #require(RequestURL("http://a.org/"))
    let transfer = HTTPTransfer(.get(url), headerLimit: 1000, changes: changes)
    // The decoded body is longer than its Content-Length.
    begin(transfer, length: 100_000)
    transfer.notifyWorker()
    while feed(transfer, body: 16_384) == .accepted {}
    transfer.notifyWorker()
    #expect(changes.count == 2)
  }

  @Test func `a returned buffer is reused`() {
    let stock = BufferPool()
    func address(_ buffer: inout [UInt8]) -> UInt {
      buffer.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    }
    func used() -> [UInt8] {
      var buffer = stock.acquire(HTTPTransfer.bufferSize)
      buffer.append(7)
      return buffer
    }
    stock.release(used())
    var again = used()
    #expect(again == [7] && again.capacity >= HTTPTransfer.bufferSize)
    var other = used()
    #expect(address(&again) != address(&other))
  }

  @Test func `a body without a head is refused`() throws {
    #expect(feed(try made(), body: 1) == .abort)
  }

  @Test func `headers beyond the limit end the transfer, with a message`() throws {
    let transfer = try made(limit: 20)
    #expect(transfer.receive(headerBytes: 17))
    #expect(!transfer.receive(headerBytes: 23))
    transfer.finish(.cancelled)
    guard case .end(.malformedHead) = transfer.nextEvent(partly: true) else {
      Issue.record("no end")
      return
    }
  }

  @Test func `a discarded body is small`() throws {
    let transfer = try made()
    begin(transfer)
    transfer.discard()
    #expect(feed(transfer, body: HTTPTransfer.window) == .accepted)
    #expect(feed(transfer, body: 1) == .abort)
  }

  @Test func `an abandoned transfer receives no more events`() throws {
    let transfer = try made()
    begin(transfer)
    transfer.cancel()
    #expect(feed(transfer, body: 1) == .abort)
  }
}
