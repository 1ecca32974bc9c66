import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxSyncing

/// A backend in memory.
private final class FakeBackend: Sendable {
  struct State {
    var answers: [HTTPResponse] = []
    var bodies: [String] = []
    var keys: [String] = []
  }

  let state = Mutex(State())

  /// Returns the next of the given responses, and 200 after the last.
  @Sendable func send(_ request: HTTPRequest) throws -> HTTPResponse {
    state.withLock { state in
      state.bodies.append(String(decoding: request.body?.bytes ?? [], as: UTF8.self))
      state.keys.append(request.idempotencyKey?.value ?? "")
      guard !state.answers.isEmpty else { return .with(200) }
      return state.answers.removeFirst()
    }
  }

  var bodies: [String] { state.withLock { $0.bodies } }
  var keys: [String] { state.withLock { $0.keys } }
}

extension HTTPResponse {
  fileprivate static func with(
    _ status: Int, _ text: String = "", retryAfter: Int64? = nil
  ) -> HTTPResponse {
    var response = HTTPResponse(
      status: status, bytes: Array(text.utf8), url: "http://b.invalid/")
    response.retryAfter = retryAfter
    return response
  }
}

struct ReportDeliveryTests {
  private let folder: ScratchFolder
  private let clock = FixedClock()
  private let backend = FakeBackend()
  private let store: LibraryStore

  init() throws {
    folder = try ScratchFolder()
    var options = StoreOptions()
    options.outbox = { OutboxRule([.report]) }
    store = try LibraryStore.open(
      LibraryHome(folder.path.appending("home")), options: options, clock: clock)
  }

  private func add(_ ids: String...) throws {
    for id in ids { try store.update(.soon) { $0.write(try .sample(id)) } }
  }

  private func deliver(limit: Int = 10_000, ignoresRetryAfter: Bool = false) throws
    -> ReportDelivery.Outcome
  {
    try ReportDelivery(
      store, to: "http://b.invalid/", clock: clock, limit: limit, send: backend.send
    ).deliver(ignoresRetryAfter: ignoresRetryAfter)
  }

  private var left: Int { get throws { try store.snapshot().outbox(of: .report).count } }

  private func answer(_ answers: HTTPResponse...) {
    backend.state.withLock { $0.answers = answers }
  }

  @Test func `events are sent in order, and deleted from the store`() throws {
    try add("a/1", "a/2")
    #expect(try deliver().delivered == 2)
    #expect(try left == 0)
    let lines = backend.bodies[0].split(separator: "\n")
    #expect(lines.map { $0.contains(#""event":"queued","id":"a/1""#) } == [true, false])
    #expect(lines.allSatisfy { !$0.contains("title") && !$0.contains("http") })
  }

  @Test func `a message holds at most a hundred events`() throws {
    try store.update(.soon) { transaction in
      for number in 0..<230 { transaction.write(try .sample("a/\(number)")) }
    }
    #expect(try deliver().delivered == 230)
    #expect(backend.bodies.map { $0.split(separator: "\n").count } == [100, 100, 30])
    #expect(Set(backend.keys).count == 3)
  }

  @Test func `a repeated message has the same key`() throws {
    try add("a/1")
    answer(.with(500))
    #expect(try deliver().failure?.code == .reportFailed)
    #expect(try deliver(ignoresRetryAfter: true).delivered == 1)
    #expect(backend.keys[0] == backend.keys[1])
    #expect(backend.bodies[0] == backend.bodies[1])
  }

  @Test func `after a failure no event is sent for a while, unless the user requests it`() throws {
    try add("a/1")
    answer(.with(503))
    #expect(try deliver().failure?.code == .reportFailed)
    #expect(try deliver().failure?.code == .reportWaits)
    #expect(backend.bodies.count == 1)
    #expect(try deliver(ignoresRetryAfter: true).delivered == 1)
    #expect(try store.snapshot().reportState.failures == 0)
  }

  @Test func `the pause doubles up to six hours`() {
    var state = ReportState()
    var pauses: [Int64] = []
    let now = Timestamp(seconds: 1_700_000_000)
    for _ in 0..<12 {
      state.fail(asked: nil, now: now)
      pauses.append(((state.until?.milliseconds ?? 0) - now.milliseconds) / 60_000)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360])
  }

  @Test func `a Retry-After of the server applies to the user too`() throws {
    try add("a/1")
    answer(.with(429, retryAfter: 90_000))
    #expect(try deliver(ignoresRetryAfter: true).failure?.code == .reportFailed)
    #expect(try deliver(ignoresRetryAfter: true).failure?.code == .reportWaits)
    #expect(
      try deliver(ignoresRetryAfter: true).failure?.retryAt
        == clock.now.adding(milliseconds: 90_000))
    #expect(backend.bodies.count == 1)
  }

  @Test func `one refused event does not delay the others`() throws {
    try add("a/1", "a/2", "a/3")
    let told = Mutex<[String]>([])
    let delivery = ReportDelivery(store, to: "http://b.invalid/", clock: clock) { request in
      let body = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
      return .with(body.contains("a/2") ? 422 : 200)
    } report: { event, result in
      told.withLock { $0.append("\(event.episode) \(result.name)") }
    }
    let outcome = try delivery.deliver()
    #expect(outcome.failure == nil && outcome.pending == 0)
    #expect(told.withLock { $0 } == ["a/1 done", "a/2 failed", "a/3 done"])
    #expect(try left == 0)
  }

  // Regression: seven requests for each event, in a row, until all 300 events were dropped.
  @Test func `a backend that refuses everything gets few requests and loses ten events`() throws {
    try store.update(.soon) { transaction in
      for number in 0..<300 { transaction.write(try .sample("a/\(number)")) }
    }
    backend.state.withLock { $0.answers = Array(repeating: .with(400), count: 10_000) }
    let first = try deliver()
    #expect(first.failure?.code == .reportFailed && first.pending == 290)
    // 100, 50, 25, 12, 6, 3, 1, then nine single events.
    #expect(backend.bodies.count == 16)
    #expect(try deliver().failure?.code == .reportWaits)
    #expect(try left == 290)
    // A refused event has not reset the failures.
    #expect(try store.snapshot().reportState.failures == 1)
  }

  // Regression: each run dropped ten further events of a backend that refused everything.
  @Test func `after ten refusals none is dropped, and each attempt sends another event`() throws {
    try store.update(.soon) { transaction in
      for number in 0..<13 { transaction.write(try .sample("a/\(number)")) }
    }
    backend.state.withLock { $0.answers = Array(repeating: .with(400), count: 10_000) }
    #expect(try deliver().pending == 3)
    let requests = backend.bodies.count
    for _ in 0..<4 {
      let outcome = try deliver(ignoresRetryAfter: true)
      #expect(outcome.failure?.code == .reportFailed && outcome.pending == 3)
    }
    let ids = backend.bodies[requests...].map { body in
      (10..<13).filter { body.contains("\"a/\($0)\"") }
    }
    #expect(ids == [[10], [11], [12], [10]])
    #expect(try store.snapshot().reportState.failures == 5)
    answer()
    #expect(try deliver(ignoresRetryAfter: true).delivered == 3)
    #expect(try left == 0 && store.snapshot().reportState.refused == 0)
  }

  @Test func `the refusals of single events are counted across runs`() throws {
    backend.state.withLock { $0.answers = Array(repeating: .with(422), count: 10_000) }
    for number in 0..<10 {
      try add("a/\(number)")
      #expect(try deliver(ignoresRetryAfter: true).pending == 0)
    }
    try add("a/10")
    let outcome = try deliver(ignoresRetryAfter: true)
    #expect(outcome.failure?.code == .reportFailed && outcome.pending == 1)
  }

  @Test func `messages grow again after a refused event`() throws {
    try store.update(.soon) { transaction in
      for number in 0..<100 { transaction.write(try .sample("a/\(number)")) }
    }
    let sizes = Mutex<[Int]>([])
    let delivery = ReportDelivery(store, to: "http://b.invalid/", clock: clock) { request in
      let body = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
      sizes.withLock { $0.append(body.split(separator: "\n").count) }
      return .with(body.contains(#""a/0""#) ? 422 : 200)
    }
    let outcome = try delivery.deliver()
    #expect(outcome.delivered == 99 && outcome.pending == 0 && outcome.failure == nil)
    #expect(sizes.withLock { $0 } == [100, 50, 25, 12, 6, 3, 1, 1, 2, 4, 8, 16, 32, 36])
  }

  @Test func `the state of a store of an earlier version is read, and deleted after a success`()
    throws
  {
    try add("a/1")
    var fields = JSONObject()
    fields.append("failures", .integer(3))
    fields.append("told", clock.now.text)
    try store.update(.soon) { [fields] in
      $0.write(StoredRecord(kind: .outbox, id: "report", fields: fields))
    }
    #expect(try store.snapshot().reportState.failures == 3)
    #expect(try deliver().delivered == 1)
    #expect(try store.snapshot().record(.outbox, "report") == nil)
  }

  @Test(arguments: [401, 403, 404, 410, 500, 503])
  func `a misbehaving backend loses no event`(status: Int) throws {
    try add("a/1", "a/2")
    answer(.with(status))
    let outcome = try deliver()
    #expect(outcome.delivered == 0 && outcome.pending == 2)
    #expect(outcome.failure != nil)
    #expect(try left == 2)
  }

  @Test func `while another process sends events, none is sent`() throws {
    try add("a/1")
    let other = try LibraryStore.open(store.home, clock: clock)
    let lock = try #require(try other.tryJob(.outbox))
    #expect(try deliver().isBusy)
    lock.release()
    #expect(try deliver().delivered == 1)
    #expect(backend.bodies.count == 1)
  }

  @Test func `instructions are recorded in the transaction that deletes the events`() throws {
    try add("a/1")
    answer(
      .with(
        200,
        """
        {"order":"remove","id":"a/1"}
        {"order":"extend","id":"a/1","until":"2030-01-01T00:00:00Z"}
        {"order":"extend","id":"a/1"}
        {"order":"format-disk","id":"a/1"}
        {"hello":"world"}
        {"order":"remove"
        no JSON
        remove a/1
        ["remove","a/1"]

        """))
    _ = try deliver()
    // They are recorded too: the process may end before it has told the user.
    let invalid = try LibraryStore.open(store.home, clock: clock).snapshot().invalidInstructions()
    #expect(invalid.map(\.name) == ["extend", "format-disk", nil, "remove", nil])
    #expect(invalid.map(\.episode) == ["a/1", "a/1", nil, nil, nil])
    let instructions = try store.snapshot().instructions()
    #expect(instructions.map(\.kind) == [.remove, .extend])
    #expect(instructions[1].until == Timestamp("2030-01-01T00:00:00Z"))
    #expect(try left == 0)
  }

  @Test func `beyond the limit the last event of each kind represents the others`() throws {
    var episode = try Episode.sample("a/1")
    try add("b/1")
    for _ in 0..<20 {
      episode.want = .fetch
      try store.update(.soon) { $0.write(episode) }
      episode.want = .hold
      try store.update(.soon) { $0.write(episode) }
    }
    #expect(try left == 41)
    answer(.with(500))
    _ = try deliver(limit: 20)
    let events = try store.snapshot().outbox(of: .report)
    #expect(events.count == 13)
    #expect(events.map(\.omitted).reduce(0, +) == 28)
    #expect(try deliver(ignoresRetryAfter: true).delivered == 13)
  }
}

extension Episode {
  fileprivate static func sample(_ id: String) throws -> Episode {
    Episode(
      id: try EpisodeID(id), title: "A title", showTitle: "A show",
      added: Timestamp(seconds: 1_700_000_000),
      parts: [Part(role: .video, variants: [])])
  }
}
