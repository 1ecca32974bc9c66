import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxStore

struct LockTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func id(_ text: String) throws -> EpisodeID { try EpisodeID(text) }

  @Test func `the place of a claim is the hash of its id`() throws {
    let hash = StableHash.of("girls/s01e01")
    #expect(try id("girls/s01e01").claimOffset == 4096 + Int64(hash & (1 << 62 - 1)))
  }

  @Test func `one exclusive claim at a time, between processes and within one`() throws {
    let one = try fixture.open()
    let other = try fixture.open()
    let claim = try #require(try one.claims.claim(try id("a/1")))
    #expect(try one.claims.claim(try id("a/1")) == nil)
    #expect(try one.claims.claim(try id("a/1"), .shared) == nil)
    #expect(try other.claims.claim(try id("a/1")) == nil)
    #expect(try other.claims.isHeldElsewhere(try id("a/1")))
    #expect(try !one.claims.isHeldElsewhere(try id("a/1")))
    #expect(try other.claims.claim(try id("a/2")) != nil)
    claim.release()
    claim.release()
    #expect(try other.claims.claim(try id("a/1")) != nil)
  }

  @Test func `onlookers see who works, create nothing, and take readers for no workers`() throws {
    let one = try fixture.open()
    let other = try fixture.open()
    let ids = try ["a/1", "a/2", "a/3"].map { try id($0) }
    #expect(try one.claims.inWork(among: ids).isEmpty)
    #expect(!fixture.folder.exists("home"))
    let worker = try #require(try one.claims.claim(ids[0]))
    let reader = try #require(try one.claims.claim(ids[1], .shared))
    #expect(try other.claims.inWork(among: ids) == [ids[0]])
    #expect(try one.claims.inWork(among: ids) == [ids[0]])
    worker.release()
    #expect(try other.claims.inWork(among: ids).isEmpty)
    reader.release()
  }

  @Test func `shared claims go together, and the last one to go lets go`() throws {
    let one = try fixture.open()
    let other = try fixture.open()
    let first = try #require(try one.claims.claim(try id("a/1"), .shared))
    let second = try #require(try one.claims.claim(try id("a/1"), .shared))
    let third = try #require(try other.claims.claim(try id("a/1"), .shared))
    third.release()
    first.release()
    #expect(try other.claims.claim(try id("a/1")) == nil)
    second.release()
    #expect(try other.claims.claim(try id("a/1")) != nil)
  }

  @Test func `a claim ends with its last reference`() throws {
    let one = try fixture.open()
    let other = try fixture.open()
    do { _ = try one.claims.claim(try id("a/1")) }
    #expect(try other.claims.claim(try id("a/1")) != nil)
  }

  @Test func `a job is done by one at a time`() throws {
    let one = try fixture.open()
    let other = try fixture.open()
    let job = try #require(try one.tryJob(.cleaning))
    #expect(try one.tryJob(.cleaning) == nil)
    #expect(try other.tryJob(.cleaning) == nil)
    #expect(try other.tryJob(.login) != nil)
    job.release()
    #expect(try other.tryJob(.cleaning) != nil)
  }

  @Test func `slots for transfers are as many as told`() throws {
    let one = try fixture.open()
    let other = try fixture.open()
    let slots = try (one.slots.acquire(ofMachine: 2), other.slots.acquire(ofMachine: 2))
    #expect(slots.0 != nil && slots.1 != nil)
    #expect(try one.slots.acquire(ofMachine: 2) == nil)
    #expect(try other.slots.acquire(ofMachine: 3) != nil)
  }

  @Test func `a write lock that is held is waited for and then told, with its holder`() throws {
    try fixture.open().update(.soon) { $0.write(try .sample("a/1")) }
    let lock = try LockFile.open(fixture.home.lock)
    #expect(try lock.tryLock(0, .exclusive))
    var options = StoreOptions()
    options.lockTimeout = 30
    let store = try fixture.open(options)
    do {
      try store.update(.soon) { $0.write(try .sample("a/2")) }
      Issue.record("the lock was not respected")
    } catch let error as StoreError {
      #expect(error.code == .lockBusy)
      #expect(error.code.entry.status == .tryLater)
      #expect(error.summary.contains("held by pid "))
    }
    lock.unlock(0)
    try store.update(.soon) { $0.write(try .sample("a/2")) }
    #expect(try store.snapshot().ids() == ["a/1", "a/2"])
  }

  @Test func `readers need no lock`() throws {
    try fixture.open().update(.soon) { $0.write(try .sample("a/1")) }
    let lock = try LockFile.open(fixture.home.lock)
    #expect(try lock.tryLock(0, .exclusive))
    #expect(try fixture.open().snapshot().ids() == ["a/1"])
  }

  @Test func `claims under the write lock are a bug of ours`() async {
    await #expect(processExitsWith: .failure) {
      let fixture = try StoreFixture()
      let store = try fixture.open()
      try store.update(.soon) { _ in _ = try store.claims.claim(try EpisodeID("a/1")) }
    }
  }

  @Test func `jobs under the write lock are a bug of ours`() async {
    await #expect(processExitsWith: .failure) {
      let fixture = try StoreFixture()
      let store = try fixture.open()
      try store.update(.soon) { _ in _ = try store.tryJob(.cleaning) }
    }
  }

  @Test func `an update within an update is a bug of ours`() async {
    await #expect(processExitsWith: .failure) {
      let fixture = try StoreFixture()
      let store = try fixture.open()
      try store.update(.soon) { _ in try store.update(.soon) { _ in } }
    }
  }

  // Regression: a stop was ignored while a tool waited for an episode, up to the timeout of locks.
  @Test func `a wait for a claim ends after a request to stop, or after its maximum`() throws {
    let store = try fixture.open()
    let id = try EpisodeID("show/e1")
    try store.update(.soon) { $0.write(try .sample("show/e1")) }
    let claim = try #require(try store.claims.claim(id))
    var options = StoreOptions()
    options.shouldStop = { true }
    let stopping = try fixture.open(options)
    #expect(throws: WorkEnded.interrupted) {
      try stopping.claimEpisode(id, claimTimeout: 3_600_000)
    }
    let busy = #expect(throws: Failure.self) {
      try fixture.open().claimEpisode(id, claimTimeout: 30)
    }
    #expect(busy?.code == .lockBusy)
    claim.release()
    try stopping.claimEpisode(id).claim.release()
  }

  // Regression: a repair waited for another compaction up to the timeout after a request to stop.
  @Test func `a wait for a job ends after a request to stop, or after the timeout`() throws {
    let job = try #require(try fixture.open().tryJob(.compaction))
    defer { job.release() }
    var options = StoreOptions()
    options.lockTimeout = 60_000
    options.shouldStop = { true }
    let stopping = try fixture.open(options)
    #expect(throws: WorkEnded.interrupted) { try stopping.writer.compactNow() }
    #expect(throws: WorkEnded.interrupted) { try stopping.waitForJob(.compaction) }
    options.lockTimeout = 30
    options.shouldStop = { false }
    let busy = #expect(throws: StoreError.self) {
      try fixture.open(options).waitForJob(.compaction)
    }
    #expect(busy?.code == .lockBusy)
    #expect(busy?.summary.contains("the lock of compactions") == true)
    job.release()
    try fixture.open(options).waitForJob(.compaction).release()
  }
}
