import Testing

@testable import VmxTransfer

@Suite struct ConnectionLimiterTests {
  private let host = RequestURL.Origin(scheme: "http", host: "a.org", port: "80")
  private let other = RequestURL.Origin(scheme: "http", host: "b.org", port: "80")

  @Test func `additional connections end at the limit, first ones never`() {
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

  @Test func `a host that refused gets no more than it had`() {
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

  @Test func `a host that named a time gets none before`() {
    let book = ConnectionLimiter(limit: 8)
    book.enter(host)
    book.enter(host)
    #expect(book.enterAdditional(host, now: 0))
    book.refuses(host, until: 1000)
    book.leave(host)
    #expect(!book.enterAdditional(host, now: 999))
    #expect(book.enterAdditional(host, now: 1000))
  }

  @Test func `a part that had few connections takes nothing back`() {
    let book = ConnectionLimiter(limit: 8)
    book.learns(.init(connections: 4, rate: 10), host)
    book.learns(.init(connections: 2, rate: 10), host)
    #expect(book.experience(host).connections == 4)
    book.learns(.init(connections: 3, rate: 10, isComplete: true), host)
    #expect(book.experience(host).connections == 3)
    #expect(book.experience(other) == .init())
  }

  @Test func `a first connection that is refused takes the place of an additional one`() {
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
