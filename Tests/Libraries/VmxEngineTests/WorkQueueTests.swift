import Synchronization
import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxEngine

/// The order in which the workers of a pool dequeue episodes, and which ones go back to the queue.
struct WorkQueueTests {
  private func item(_ name: String) throws -> WorkItem {
    WorkItem(try EpisodeID("t/\(name)"), isRequested: false)
  }

  private func name(_ entry: WorkQueue.Entry?) -> String? { entry?.item.id.episode }

  @Test func `a returned entry is skipped and keeps its position`() throws {
    let queue = WorkQueue(capacity: 9) { _ in 0 }
    for name in ["a", "b", "c"] { #expect(queue.submit(try item(name))) }
    queue.close()
    let first = try #require(queue.dequeue())
    #expect(queue.requeue(first, for: 60))
    #expect(name(queue.dequeue()) == "b")
    let end = Deadline(milliseconds: 60)
    while !end.isPast {}
    #expect(name(queue.dequeue()) == "a")
    #expect(name(queue.dequeue()) == "c")
    #expect(queue.dequeue() == nil)
  }

  @Test func `an entry waits until its host may be contacted`() throws {
    let delay = Atomic<Int64>(60_000)
    let queue = WorkQueue(capacity: 9) { host in
      host == "busy" ? delay.load(ordering: .relaxed) : 0
    }
    for name in ["a", "b"] { #expect(queue.submit(try item(name))) }
    queue.close()
    var first = try #require(queue.dequeue())
    first.host = "busy"
    #expect(queue.requeue(first, for: 1))
    let end = Deadline(milliseconds: 2)
    while !end.isPast {}
    #expect(name(queue.dequeue()) == "b")
    #expect(name(first) == "a")
  }

  // Regression: each entry that waited for its host delayed the next item by 0.1 s, although enough
  // workers were idle.
  @Test(.timeLimit(.minutes(1)))
  func `an idle worker gets an item while fewer entries wait than workers are idle`() throws {
    let queue = WorkQueue(capacity: 9, requeueDelay: 3_600_000) { _ in 0 }
    #expect(queue.submit(try item("a")))
    #expect(queue.requeue(try #require(queue.dequeue()), for: 3_600_000))
    let workers = try (0..<2).map { _ in try WorkerThread.start("idle") { _ = queue.dequeue() } }
    #expect(queue.waitForWorker())
    queue.cancel()
    for worker in workers { worker.join() }
  }

  @Test func `an entry moved forward in the library precedes earlier submissions`() throws {
    let queue = WorkQueue(capacity: 9) { _ in 0 }
    for (name, place) in [("a", 2), ("b", 3), ("c", 1)] {
      var item = try item(name)
      item.order = QueueOrder(priority: 0, isFavourite: false, place: Int64(place), line: 0)
      #expect(queue.submit(item))
    }
    #expect([queue.dequeue(), queue.dequeue(), queue.dequeue()].map(name) == ["c", "a", "b"])
  }

  @Test func `an entry moved in the library while it waits uses its new position`() throws {
    let moved = Mutex<[Episode]>([])
    let queue = WorkQueue(
      capacity: 9,
      changes: { isWanted in
        moved.withLock { moved in
          defer { moved = [] }
          return moved.filter { isWanted($0.id) }
        }
      }
    ) { _ in 0 }
    for (name, place) in [("a", 1), ("b", 2), ("c", 3)] {
      var item = try item(name)
      item.order = QueueOrder(priority: 0, isFavourite: false, place: Int64(place), line: 0)
      #expect(queue.submit(item))
    }
    for _ in 1...3 { #expect(queue.requeue(try #require(queue.dequeue()), for: 20)) }
    var episode = Episode(
      id: try EpisodeID("t/c"), title: "", showTitle: "", added: Timestamp(seconds: 0), parts: [])
    episode.place = 0
    moved.withLock { $0 = [episode] }
    let end = Deadline(milliseconds: 20)
    while !end.isPast {}
    #expect([queue.dequeue(), queue.dequeue(), queue.dequeue()].map(name) == ["c", "a", "b"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `an entry whose host is full is taken as soon as a transfer ends`() throws {
    let isFull = Mutex(true)
    let queue = WorkQueue(capacity: 9) { _ in isFull.withLock { $0 } ? .max : 0 }
    #expect(queue.submit(try item("a")))
    var entry = try #require(queue.dequeue())
    entry.host = "example.org"
    #expect(queue.requeue(entry, for: 0))
    let taken = Monitor<String?>(nil)
    let worker = try WorkerThread.start("idle") {
      let entry = queue.dequeue()
      taken.withLock { $0 = entry?.item.id.episode }
    }
    #expect(queue.waitForWorker())
    isFull.withLock { $0 = false }
    queue.wake()
    worker.join()
    #expect(taken.withLock { $0 } == "a")
  }

  // Regression: a stopped run waited up to a minute for the host of an episode that went back after
  // the stop.
  @Test func `a cancelled queue accepts no returned entries`() throws {
    let queue = WorkQueue(capacity: 9) { _ in 0 }
    #expect(queue.submit(try item("a")))
    let entry = try #require(queue.dequeue())
    queue.cancel()
    #expect(!queue.requeue(entry, for: 60_000))
    #expect(queue.dequeue() == nil)
  }

  @Test func `a closed queue still waits for returned entries`() throws {
    let queue = WorkQueue(capacity: 9) { _ in 0 }
    #expect(queue.submit(try item("a")))
    let entry = try #require(queue.dequeue())
    #expect(queue.requeue(entry, for: 20))
    queue.close()
    #expect(!queue.submit(try item("b")))
    #expect(name(queue.dequeue()) == "a")
    #expect(queue.dequeue() == nil)
  }

  @Test func `a later episode waits until the earlier one has started`() throws {
    struct Stopped: Error {}
    let queue = WorkQueue(capacity: 9) { _ in 0 }
    for name in ["a", "b"] { #expect(queue.submit(try item(name))) }
    let (a, b) = (try #require(queue.dequeue()).item.id, try #require(queue.dequeue()).item.id)
    queue.waitForStart(of: a, checkingEvery: 1) {}
    #expect(throws: Stopped.self) {
      try queue.waitForStart(of: b, checkingEvery: 1) { throw Stopped() }
    }
    queue.endTurn(of: a)
    queue.waitForStart(of: b, checkingEvery: 1) {}
    // An item that has started, such as the second part of an episode, waits for no other.
    queue.waitForStart(of: a, checkingEvery: 1) {}
  }

  // Regression: an episode on its way from the queue to a worker was found in neither, and a later
  // one began before it.
  @Test func `an earlier item counts while it is in work, and once its host is available`() throws {
    let delay = Mutex<Int64>(20)
    let queue = WorkQueue(capacity: 9) { _ in delay.withLock { $0 } }
    for name in ["a", "b"] { #expect(queue.submit(try item(name))) }
    var first = try #require(queue.dequeue())
    let second = try #require(queue.dequeue()).item.id
    #expect(queue.earlier(than: second) == .started)
    #expect(queue.earlier(than: first.item.id) == nil)
    first.host = "example.org"
    #expect(queue.requeue(first, for: 0))
    queue.endTurn(of: first.item.id)
    #expect(queue.earlier(than: second) == nil)
    delay.withLock { $0 = 0 }
    #expect(queue.earlier(than: second) == .waiting)
    _ = queue.dequeue()
    #expect(queue.earlier(than: second) == .started)
  }

  /// Episodes whose server refuses them once for a time.
  private struct Refusing: PartSource, FakeFinishing {
    let until: @Sendable () -> Timestamp
    let seen = Seen()

    final class Seen: Sendable {
      let ids = Mutex<[String]>([])
    }

    func completedBytes(of part: FetchContext) throws -> CompletedBytes { .some(0) }
    func admit(_ part: FetchContext) throws {}

    func transfer(_ part: FetchContext) throws -> FoundBytes {
      let name = part.episode.id.episode
      let isFirst = seen.ids.withLock { ids in
        ids.append(name)
        return ids.count { $0 == name } == 1
      }
      guard isFirst, name == "a" else { return FakeBytes.found }
      throw Failure(.rateLimited, "as told", retryAt: until())
    }
  }

  private func results(
    maxWait: Int64, _ library: ScratchLibrary, _ source: Refusing
  ) throws -> [String] {
    let pool = WorkerPool(
      of: library.worker(source), queue: WorkQueue(of: library.store, transfers: 1) { _ in 0 },
      waits: { WorkWaits(maxWait: maxWait, refusals: 5) })
    var ends: [String] = []
    let ids = try ["a", "b", "c"].map { try EpisodeID("t/\($0)") }
    try pool.run(feed: { submitter in
      for id in ids { _ = submitter.submit(WorkItem(id, isRequested: true)) }
    }) { item, result in
      ends.append("\(item.id.episode) \(result.result.name)")
    }
    return ends
  }

  private func library() throws -> ScratchLibrary {
    let library = try ScratchLibrary()
    for name in ["a", "b", "c"] {
      var description = try EpisodeDescription.at("https://example.org/\(name)")
      description.id = try EpisodeID("t/\(name)")
      _ = try library.take(description)
    }
    return library
  }

  @Test func `an episode with a Retry-After is started again in the same run`() throws {
    let library = try library()
    let source = Refusing(until: { [clock = library.clock] in clock.now })
    let ends = try results(maxWait: 60_000, library, source)
    #expect(ends.sorted() == ["a done", "b done", "c done"])
    #expect(source.seen.ids.withLock { $0.count { $0 == "a" } } == 2)
  }

  @Test func `a wait longer than the run accepts ends the work`() throws {
    let library = try library()
    let source = Refusing(until: { [clock = library.clock] in clock.now.adding(milliseconds: 9000) }
    )
    let ends = try results(maxWait: 1000, library, source)
    #expect(ends.sorted() == ["a waiting", "b done", "c done"])
  }
}
