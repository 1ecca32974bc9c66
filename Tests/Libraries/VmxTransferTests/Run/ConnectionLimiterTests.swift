import Testing

@testable import VmxTransfer

@Suite struct ConnectionLimiterTests {
  private let host = RequestURL.Origin(scheme: "http", host: "a.org", port: "80")
  private let other = RequestURL.Origin(scheme: "http", host: "b.org", port: "80")

  @Test func `additional connections are limited, first ones are not`() {
    let book = ConnectionLimiter(limit: 2)
    book.acquire(host)
    #expect(book.acquireAdditional(host, now: 0))
    #expect(!book.acquireAdditional(host, now: 0))
    book.acquire(host)
    book.releaseAdditional(host)
    #expect(!book.acquireAdditional(host, now: 0))
    book.release(host)
    #expect(book.acquireAdditional(host, now: 0))
    #expect(book.acquireAdditional(other, now: 0))
  }

  @Test func `a host that refused one gets no more connections than it had`() {
    let book = ConnectionLimiter(limit: 8)
    book.acquire(host)
    #expect(book.acquireAdditional(host, now: 0))
    #expect(book.acquireAdditional(host, now: 0))
    book.recordRefusal(host)
    #expect(!book.acquireAdditional(host, now: 0))
    book.releaseAdditional(host)
    #expect(book.acquireAdditional(host, now: 0))
    #expect(!book.acquireAdditional(host, now: 0))
  }

  @Test func `a host with a Retry-After gets none before its time`() {
    let book = ConnectionLimiter(limit: 8)
    book.acquire(host)
    book.acquire(host)
    #expect(book.acquireAdditional(host, now: 0))
    book.recordRefusal(host, until: 1000)
    book.release(host)
    #expect(!book.acquireAdditional(host, now: 999))
    #expect(book.acquireAdditional(host, now: 1000))
  }

  @Test func `a part with fewer connections does not lower the known number`() {
    let book = ConnectionLimiter(limit: 8)
    book.recordExperience(.init(connections: 4, rate: 10), host)
    book.recordExperience(.init(connections: 2, rate: 10), host)
    #expect(book.experience(host).connections == 4)
    book.recordExperience(.init(connections: 3, rate: 10, isComplete: true), host)
    #expect(book.experience(host).connections == 3)
    #expect(book.experience(other) == .init())
  }

  @Test func `a refused first connection takes the slot of an additional one`() {
    let book = ConnectionLimiter(limit: 8)
    book.acquire(host)
    #expect(!book.lowerLimit(host))
    #expect(book.acquireAdditional(host, now: 0))
    #expect(!book.releaseExcess(host))
    book.acquire(host)
    #expect(book.lowerLimit(host))
    // Called once more before the other part has closed its connection: the limit is already
    // lowered.
    #expect(!book.lowerLimit(host))
    #expect(book.releaseExcess(host))
    #expect(!book.releaseExcess(host))
    #expect(!book.acquireAdditional(host, now: 0))
  }
}
