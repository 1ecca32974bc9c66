import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxSettings
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxSyncing

/// A server in memory that returns configured responses and records the requests.
private final class FakeServer: Sendable {
  typealias Answer = @Sendable (_ method: String, _ path: String, _ body: String) -> (Int, String)?

  let asked = Mutex<[(path: String, body: String)]>([])
  private let answer: Answer

  init(_ answer: @escaping Answer = { _, _, _ in nil }) { self.answer = answer }

  @Sendable func send(_ request: HTTPRequest) throws -> HTTPResponse {
    let path = String(request.url.dropFirst("http://s.invalid".count))
    let body = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
    asked.withLock { $0.append((path, body)) }
    let (status, text) =
      answer(request.method.rawValue, path, body) ?? (200, Self.usual(path))
    return HTTPResponse(status: status, bytes: Array(text.utf8), url: request.url)
  }

  private static func usual(_ path: String) -> String {
    if path.contains("/api/2/subscriptions/") { return #"{"add":[],"remove":[],"timestamp":1}"# }
    return path.contains("/api/2/episodes/") ? #"{"actions":[],"timestamp":1}"# : "[]"
  }

  /// The bodies of the uploads whose path contains a text.
  func bodies(_ path: String) -> [String] {
    asked.withLock { asked in
      asked.filter { $0.path.contains(path) && !$0.body.isEmpty }.map(\.body)
    }
  }

  /// The values of `since` in the requests for actions.
  var sinces: [Int64] {
    asked.withLock { asked in
      asked.filter { $0.path.contains("/episodes/") && $0.body.isEmpty }
        .compactMap { $0.path.split(separator: "since=").last.flatMap { Int64($0) } }
    }
  }

  /// The numbers of actions in the uploads.
  var uploads: [Int] {
    asked.withLock { asked in
      asked.filter { $0.path.contains("/episodes/") && !$0.body.isEmpty }
        .map { $0.body.split(separator: "\"action\":").count - 1 }
    }
  }
}

/// The service of an account with a server that follows the unusual rules of real ones.
struct SyncServiceTests {
  private static let feed = "http://feed.invalid/feed.xml"
  private let folder: ScratchFolder
  private let clock = FixedClock()
  private let store: LibraryStore

  init() throws {
    folder = try ScratchFolder()
    var options = StoreOptions()
    options.outbox = { OutboxRule([.sync]) }
    store = try LibraryStore.open(
      LibraryHome(folder.path.appending("home")), options: options, clock: clock)
  }

  private var account: SyncAccount {
    SyncAccount(
      url: "http://s.invalid", dialect: .gpodder, user: "anna", secret: "r",
      device: "vmx-01234567", since: clock.now)
  }

  /// Adds ready episodes of a feed, each of which queues one event to send.
  private func add(_ count: Int, secret: String? = nil) throws {
    try store.update(.soon) { transaction in
      var feed = JSONObject()
      feed.append("url", Self.feed)
      feed.append("secret", secret)
      transaction.write(StoredRecord(kind: .feed, id: "f1", fields: feed))
      for number in 0..<count {
        let source = Source(url: "http://media.invalid/\(number).mp4")
        var video = Part(role: .video, variants: [Variant(sources: [source])])
        video.enter(.ready)
        var episode = Episode(
          id: try EpisodeID("a/n\(number)"), title: "N", showTitle: "A", added: clock.now,
          parts: [video])
        episode.feed = "f1"
        episode.identity = [.source(source.url)]
        transaction.write(episode)
      }
    }
  }

  private func service(_ server: FakeServer, _ options: SyncOptions) throws -> SyncService {
    let client = SyncServer(
      account.url, dialect: .gpodder, login: SyncServer.Login(user: "anna", password: "p"),
      device: account.device,
      clock: clock, send: server.send)
    return try SyncService(
      store: store, account: account, server: client, clock: clock, options: options)
  }

  private func sync(
    _ server: FakeServer, _ options: SyncOptions? = nil
  ) throws -> (effects: [SyncEffect], notes: SyncNotes) {
    let service = try service(server, options ?? SyncOptions(Settings()))
    var effects: [SyncEffect] = []
    let notes = try service.run(mayEnd: { _, _ in true }, report: { effects.append($0) })
    return (effects, notes)
  }

  @Test func `an upload has at most a hundred actions`() throws {
    try add(230)
    let server = FakeServer()
    let effects = try sync(server).effects
    #expect(server.uploads == [100, 100, 30])
    #expect(effects.filter { $0.change == .downloaded && $0.result == .done }.count == 230)
    #expect(try store.snapshot().outbox(of: .sync).isEmpty)
  }

  @Test func `one action that a server refuses does not keep back the others`() throws {
    try add(9)
    let server = FakeServer { _, _, body in
      body.contains("media.invalid/5.mp4") ? (400, #"{"code":400,"message":"no"}"#) : nil
    }
    let effects = try sync(server).effects
    #expect(effects.filter { $0.result.failure != nil }.map(\.id) == ["a/n5"])
    #expect(effects.filter { $0.change == .downloaded && $0.result == .done }.count == 8)
    #expect(try store.snapshot().outbox(of: .sync).isEmpty)
  }

  @Test func `full pages are followed until one is not full`() throws {
    let row = #"{"podcast":"http://x.invalid/f","episode":"http://x.invalid/e","action":"delete"}"#
    let page = Array(repeating: row, count: 1000).joined(separator: ",")
    let server = FakeServer { method, path, _ in
      guard method == "GET", path.contains("/episodes/") else { return nil }
      if path.hasSuffix("since=0") { return (200, #"{"actions":[\#(page)],"timestamp":5000}"#) }
      // The response repeats the same second, so its timestamp never advances.
      if path.hasSuffix("since=5000") { return (200, #"{"actions":[\#(page)],"timestamp":5000}"#) }
      return (200, #"{"actions":[\#(row)],"timestamp":7000}"#)
    }
    let notes = try sync(server).notes
    #expect(server.sinces == [0, 5000, 5001])
    #expect(notes.hasSkippedSeconds)
    let state = try store.snapshot().record(.sync, SyncState.id)
    #expect(state?.fields["actions_since"]?.integer == 7000)
  }

  @Test func `late reports are asked for once a day, two weeks back`() throws {
    let now = clock.now.seconds
    let server = FakeServer { method, path, _ in
      method == "GET" && path.contains("/episodes/")
        ? (200, #"{"actions":[],"timestamp":\#(now)}"#) : nil
    }
    _ = try sync(server)
    _ = try sync(server)
    try store.update(.soon) { transaction in
      var state = SyncState(of: account, transaction.record(.sync, SyncState.id))
      state.lastLookback = clock.now.adding(milliseconds: -25 * 3_600_000)
      transaction.write(state.stored)
    }
    _ = try sync(server)
    #expect(server.sinces == [0, now, now - 14 * 24 * 3600])
  }

  @Test(arguments: [401, 404, 429, 500, 503])
  func `a server that fails loses nothing`(status: Int) throws {
    try add(3)
    let server = FakeServer { method, path, _ in
      method == "POST" && path.contains("/episodes/") ? (status, "") : nil
    }
    #expect(throws: Failure.self) { try sync(server) }
    #expect(try store.snapshot().outbox(of: .sync).filter { $0.step == .ready }.count == 3)
  }

  private func withSecrets() throws -> SyncOptions {
    var options = try SyncOptions(Settings())
    options.sendsSecrets = true
    return options
  }

  /// Returns the bytes of the store, as text.
  private func contents() throws -> String {
    try store.update(.durable) { _ in }
    let file = try OpenFile(store.home.store, .readOnly)
    return String(decoding: try file.read(Int(try file.facts().size), at: 0), as: UTF8.self)
  }

  @Test func `a private feed has one address at the server, its password is in no record`() throws {
    let secret = try store.secrets.save(Secret(user: "bob", password: "wonder/1"))
    try add(1, secret: secret)
    let sent = "http://bob:wonder%2F1@feed.invalid/feed.xml"
    let new = "http://bob:wonder%2F1@new.invalid/feed.xml"
    let server = FakeServer { method, path, body in
      guard method == "POST", path.contains("/subscriptions/") else { return nil }
      return (200, #"{"timestamp":1,"update_urls":[["\#(sent)","\#(new)"]]}"#)
    }
    _ = try sync(server, withSecrets())
    #expect(server.bodies("/subscriptions/").count == 1)
    #expect(server.bodies("/subscriptions/")[0].contains(sent))
    #expect(server.bodies("/episodes/")[0].contains(#""podcast":"\#(new)""#))
    #expect(try !contents().contains("wonder"))
    _ = try sync(server, withSecrets())
    #expect(server.bodies("/subscriptions/").count == 1)
  }

  @Test func `a private feed that the server refuses is sent once`() throws {
    try add(1, secret: try store.secrets.save(Secret(user: "bob", password: "wonder-1")))
    let sent = "http://bob:wonder-1@feed.invalid/feed.xml"
    let server = FakeServer { method, path, _ in
      guard method == "POST", path.contains("/subscriptions/") else { return nil }
      return (200, #"{"timestamp":1,"update_urls":[["\#(sent)",""]]}"#)
    }
    _ = try sync(server, withSecrets())
    _ = try sync(server, withSecrets())
    #expect(server.bodies("/subscriptions/").count == 1)
    #expect(try !contents().contains("wonder"))
  }

  @Test func `events of a feed whose password is in a keyring wait in the background`() throws {
    let line = #"{"kind":"secret","id":"r1","in":"secret-service"}"# + "\n"
    try add(1, secret: "r1")
    try AtomicFile.replace(store.home.secrets, with: Array(line.utf8), durable: false)
    let server = FakeServer()
    try service(server, withSecrets()).sendEvents(usesKeyring: false) { _ in }
    #expect(server.uploads.isEmpty)
    #expect(try store.snapshot().outbox(of: .sync).contains { $0.step == .ready })
  }

  /// Syncs once with one action of another device on `a/n0`, and returns the episode.
  private func episode(after action: String, at seconds: Int64) throws -> Episode {
    let time = Timestamp(seconds: seconds).actionText
    let row = """
      {"podcast":"\(Self.feed)","episode":"http://media.invalid/0.mp4","action":\(action),
      "timestamp":"\(time)"}
      """
    let server = FakeServer { method, path, _ in
      guard method == "GET", path.contains("/episodes/") else { return nil }
      return (200, #"{"actions":[\#(row)],"timestamp":1}"#)
    }
    _ = try sync(server)
    return try #require(try store.snapshot().episode(EpisodeID("a/n0")))
  }

  @Test func `a mark of another device has the time at which it was set`() throws {
    try add(1)
    let now = clock.now.seconds
    let play = #""play","started":0,"position":500,"total":500"#
    var episode = try episode(after: play, at: now - 60)
    #expect(episode.isWatched)
    #expect(episode.watchedAt == Timestamp(seconds: now - 60))
    episode = try self.episode(after: #""new""#, at: now - 30)
    #expect(!episode.isWatched)
    #expect(episode.watchedAt == Timestamp(seconds: now - 30))
  }

  @Test(arguments: [true, false])
  func `an action before the last mark of the library changes nothing`(isWatched: Bool) throws {
    try add(1)
    let now = clock.now.seconds
    try store.update(.soon) { transaction in
      // As after a mark by Kodi: the outbox has no event of it.
      transaction.origin = .sync
      var episode = try #require(try transaction.episode(EpisodeID("a/n0")))
      episode.markWatched(true, at: Timestamp(seconds: now + 10))
      if !isWatched { episode.markWatched(false, at: Timestamp(seconds: now + 10)) }
      transaction.write(episode)
    }
    let action = isWatched ? #""new""# : #""play","started":0,"position":500,"total":500"#
    #expect(try episode(after: action, at: now + 10).isWatched == isWatched)
    #expect(try episode(after: action, at: now + 11).isWatched != isWatched)
  }
}
