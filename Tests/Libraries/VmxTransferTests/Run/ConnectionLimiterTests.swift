import Testing

@testable import VmxTransfer

@Suite struct ConnectionLimiterTests {
  private let host = RequestURL.Origin(scheme: "http", host: "a.org", port: "80")
  private let other = RequestURL.Origin(scheme: "http", host: "b.org", port: "80")

  @Test func `additional connections are limited, first ones are not`() {
    let book = ConnectionLimiter(limit: 2)
    book.enter(host)
    #expect(book.enterAdditional(host, now: 0))
    #expect(!book.enterAdditional(host, now: 0))
    book.enter(host)
    book.leaveAdditional(host)
    #expect(!book.enterAdditional(host, now: 0))
    book.leave(host)
    #expect(book.enterAdditional(host, now: 0))
    #expect(book.enterAdditional(other, now: 0))
  }

  @Test func `a host that refused one gets no more connections than it had`() {
    let book = ConnectionLimiter(limit: 8)
    book.enter(host)
    #expect(book.enterAdditional(host, now: 0))
    #expect(book.enterAdditional(host, now: 0))
    book.refuses(host)
    #expect(!book.enterAdditional(host, now: 0))
    book.leaveAdditional(host)
    #expect(book.enterAdditional(host, now: 0))
    #expect(!book.enterAdditional(host, now: 0))
  }

  @Test func `a host with a Retry-After gets none before its time`() {
    let book = ConnectionLimiter(limit: 8)
    book.enter(host)
    book.enter(host)
    #expect(book.enterAdditional(host, now: 0))
    book.refuses(host, until: 1000)
    book.leave(host)
    #expect(!book.enterAdditional(host, now: 999))
    #expect(book.enterAdditional(host, now: 1000))
  }

  @Test func `a part with fewer connections does not lower the known number`() {
    let book = ConnectionLimiter(limit: 8)
    book.learns(.init(connections: 4, rate: 10), host)
    book.learns(.init(connections: 2, rate: 10), host)
    #expect(book.experience(host).connections == 4)
    book.learns(.init(connections: 3, rate: 10, isComplete: true), host)
    #expect(book.experience(host).connections == 3)
    #expect(book.experience(other) == .init())
  }

  @Test func `a refused first connection takes the slot of an additional one`() {
    let book = ConnectionLimiter(limit: 8)
    book.enter(host)
    #expect(!book.makesRoom(host))
    #expect(book.enterAdditional(host, now: 0))
    #expect(!book.closesOne(host))
    book.enter(host)
    #expect(book.makesRoom(host))
    // Called once more before the other part has closed its connection: the limit is already
    // lowered.
    #expect(!book.makesRoom(host))
    #expect(book.closesOne(host))
    #expect(!book.closesOne(host))
    #expect(!book.enterAdditional(host, now: 0))
  }
}
