import Synchronization
import Testing
import VmxEngine
import VmxLibraryTestSupport
import VmxModel
import VmxQueueing
import VmxStore
import VmxTestSupport

struct ReadyQueueFeedTests {
  private let library: ScratchLibrary

  init() throws {
    library = try ScratchLibrary()
  }

  private func add(_ names: String...) throws {
    for name in names {
      _ = try library.take(.at("https://example.org/\(name).mp4", show: "show"))
    }
  }

  private func id(_ name: String) throws -> EpisodeID { try EpisodeID("show/\(name)") }

  private func stored(_ name: String) throws -> Episode {
    try #require(try library.again().snapshot().episode(id(name)))
  }

  /// Changes an episode as another process would.
  private func change(_ name: String, _ body: (inout Episode) -> Void) throws {
    try library.again().update(.soon) { transaction in
      guard var episode = try transaction.episode(id(name)) else { return }
      body(&episode)
      transaction.write(episode)
    }
  }

  /// Runs a queue and returns the names that it dequeues, in order; the closure performs the work.
  private func taken(
    waiting: Bool = false, limit: Int = 20,
    _ work: @escaping @Sendable (String) throws -> OperationResult
  ) throws -> [String] {
    var query = EpisodeQuery()
    query.wants = [.fetch]
    let (clock, store) = (library.clock, library.store)
    let queue = ReadyQueueFeed(library.store, query, waitsForOthers: waiting) { episode in
      WorkOptions().amount(of: episode, by: DueRule(now: clock.now), asked: false)
    }
    let names = Mutex<[String]>([])
    let submitter = WorkSubmitter(waitForWorker: { true }) { item in
      let count = names.withLock { names in
        names.append(item.id.episode)
        return names.count
      }
      do {
        let word = try work(item.id.episode)
        let episode = try store.snapshot().episode(item.id)
        queue.ended(item.id, EpisodeResult(item.id, word, episode: episode))
        return count < limit
      } catch {
        Issue.record(error)
        return false
      }
    }
    try queue.submitAll(submitter)
    return names.withLock { $0 }
  }

  /// Performs the work of a successful run.
  private func finish(_ name: String) throws -> OperationResult {
    try change(name) { $0.parts[0].state = .ready }
    return .done
  }

  @Test func `priority decides first, then favourites, then the time of the request`() throws {
    try add("a", "b", "c")
    _ = try library.take(.at("https://example.org/d.mp4", show: "other"))
    try change("c") { $0.priority = 1 }
    let favourite = StoredRecord(kind: .favourite, id: "other", fields: JSONObject())
    try library.store.update(.soon) { $0.write(favourite) }
    let order = try taken { name in
      if name == "d" {
        try library.again().update(.soon) { transaction in
          guard var episode = try transaction.episode(EpisodeID("other/d")) else { return }
          episode.parts[0].state = .ready
          transaction.write(episode)
        }
        return .done
      }
      return try finish(name)
    }
    #expect(order == ["c", "d", "a", "b"])
  }

  @Test func `a change made meanwhile applies to the next item`() throws {
    try add("a", "b", "c", "d")
    let order = try taken { name in
      if name == "a" {
        try change("d") { $0.priority = 5 }
        try change("b") { $0.want = .hold }
        try add("e")
      }
      return try finish(name)
    }
    #expect(order == ["a", "d", "c", "e"])
  }

  @Test func `a dependent item follows its predecessor, whatever its priority`() throws {
    try add("a", "b", "c")
    let first = try id("c")
    try change("a") {
      $0.after = [first]
      $0.priority = 9
    }
    #expect(try taken(finish) == ["b", "c", "a"])
  }

  @Test func `an item that waits for another is queued again once that is ready`() throws {
    try add("a", "b")
    let first = try id("b")
    let order = try taken { name in
      let isFirstTime = try stored("a").after.isEmpty
      guard name == "a", isFirstTime else { return try finish(name) }
      try change("a") {
        $0.after = [first]
        $0.parts[0].state = .waiting
        $0.parts[0].resumeState = .queued
        $0.parts[0].reason = .after
      }
      return .waiting(Failure(.outsideWindow, "later"))
    }
    #expect(order == ["a", "b", "a"])
  }

  @Test func `a failed item is left to the next run, a requeued one is not`() throws {
    try add("a", "b")
    let order = try taken { name in
      guard name == "a" else {
        // The user requests the finished episode again.
        try change("a") { $0.parts[0].state = .queued }
        return try finish(name)
      }
      let isOver = try stored("b").state == .ready
      guard !isOver else { return try finish(name) }
      try change("a") {
        $0.parts[0].state = .failed
        $0.parts[0].resumeState = .partial
        $0.parts[0].code = .netStalled
      }
      return .failed(Failure(.httpGone, "over"))
    }
    #expect(order == ["a", "b", "a"])
  }

  @Test func `items in work elsewhere come last`() throws {
    try add("a", "b")
    let other = try library.again()
    let claim = try #require(try other.claims.claim(id("a")))
    #expect(try taken { $0 == "a" ? .unchanged() : try finish($0) } == ["b", "a"])
    claim.release()
  }

  @Test func `a run that waits for others continues what they release`() throws {
    try add("a", "b")
    let other = try library.again()
    let claim = try #require(try other.claims.claim(id("a")))
    let order = try taken(waiting: true) { name in
      if name == "b" { claim.release() }
      return try finish(name)
    }
    #expect(order == ["b", "a"])
  }
}
