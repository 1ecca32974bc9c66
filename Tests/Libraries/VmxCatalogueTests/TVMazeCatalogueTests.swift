import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxCatalogue

struct TVMazeCatalogueTests {
  /// A catalogue with a scratch cache, its recorded responses and the requests sent.
  private final class Setup: Sendable {
    let scratch: ScratchFolder
    let asked = Mutex<[String]>([])
    let notes = Mutex<[String]>([])
    let answers: @Sendable (String) throws -> String

    init(_ answers: @escaping @Sendable (String) throws -> String) throws {
      self.answers = answers
      scratch = try ScratchFolder()
    }

    func catalogue(
      _ freshness: CatalogueFreshness = .useCache, at now: String = "2026-01-01T00:00:00Z"
    ) throws -> TVMazeCatalogue {
      TVMazeCatalogue(
        at: try WebURL("https://api.example.org/v1/"),
        cache: scratch.path.appending("cache"), freshness: freshness,
        clock: FixedClock(try #require(Timestamp(now))),
        note: { [self] note in notes.withLock { $0.append(note) } },
        send: { [self] request in
          asked.withLock { $0.append(request.url) }
          return HTTPResponse(
            bytes: Array(try answers(request.url).utf8), url: request.url)
        })
    }

    var count: Int { asked.withLock { $0.count } }
  }

  private static let girls = #"[{"score":1,"show":{"id":139,"name":"Girls"}}]"#

  @Test func `a search text is percent-encoded`() throws {
    let setup = try Setup { _ in Self.girls }
    #expect(try setup.catalogue().shows(matching: "the girls & é").map(\.title) == ["Girls"])
    #expect(
      setup.asked.withLock { $0 }
        == ["https://api.example.org/v1/search/shows?q=the%20girls%20%26%20%C3%A9"])
  }

  @Test func `episodes are decoded one by one, and invalid ones are skipped`() throws {
    let setup = try Setup { _ in
      #"[{"id":1,"name":"A","season":1,"number":1},7,{"name":"no id"},{"name":"B","season":-1,"_links":{"self":{"href":"https://x.example/episodes/2"}}}]"#
    }
    for freshness in [CatalogueFreshness.useCache, .useCache, .refresh, .offline] {
      let episodes = try setup.catalogue(freshness).episodes(of: 5)
      #expect(episodes.map(\.title) == ["A", "B"])
      #expect(episodes.indices.map { episodes[$0]?.id } == [1, nil, nil, 2])
      for place in episodes.indices {
        let (whole, numbers) = (episodes[place], episodes.numbers(at: place))
        #expect(whole?.id == numbers?.id && whole?.group == numbers?.group)
        #expect(whole?.season == numbers?.season && whole?.number == numbers?.number)
      }
    }
    #expect(setup.count == 2)
    let none = try Setup { _ in "null" }
    #expect(Array(try none.catalogue().episodes(of: 5)).isEmpty)
    let other = try Setup { _ in #"{"id":1}"# }
    #expect(code { _ = try other.catalogue().episodes(of: 5) } == .catalogueUnreadable)
  }

  @Test func `a response is requested at most once an hour`() throws {
    let setup = try Setup { _ in Self.girls }
    _ = try setup.catalogue().shows(matching: "girls")
    _ = try setup.catalogue(at: "2026-01-01T00:59:59Z").shows(matching: "girls")
    #expect(setup.count == 1)
    _ = try setup.catalogue(at: "2026-01-01T01:00:00Z").shows(matching: "girls")
    #expect(setup.count == 2)
    // A cached response from the future, after the clock was set back, is not valid.
    _ = try setup.catalogue(at: "2025-12-31T00:00:00Z").shows(matching: "girls")
    #expect(setup.count == 3)
  }

  @Test func `an index page is valid for a day, and no page follows the last one`() throws {
    let setup = try Setup { url in
      if url.hasSuffix("page=1") { throw Failure(.httpGone, "404") }
      return #"[{"id":1,"name":"A"},{"id":2,"name":"B"}]"#
    }
    #expect(try setup.catalogue().shows(page: 0)?.count == 2)
    #expect(try setup.catalogue(at: "2026-01-01T23:00:00Z").shows(page: 0)?.count == 2)
    #expect(try setup.catalogue().shows(page: 1) == nil)
    #expect(setup.count == 2)
  }

  @Test func `refresh always sends a request, offline never does`() throws {
    let setup = try Setup { _ in Self.girls }
    let missing = #expect(throws: Failure.self) {
      try setup.catalogue(.offline).shows(matching: "girls")
    }
    #expect(missing?.code == .offline && setup.count == 0)
    _ = try setup.catalogue().shows(matching: "girls")
    _ = try setup.catalogue(.refresh).shows(matching: "girls")
    #expect(setup.count == 2)
    let old = try setup.catalogue(.offline, at: "2027-01-01T00:00:00Z").shows(matching: "girls")
    #expect(old.map(\.id) == [139] && setup.count == 2)
  }

  @Test func `if the catalogue is unreachable a stale response is used, with a note`() throws {
    let isAway = Mutex(false)
    let setup = try Setup { _ in
      if isAway.withLock({ $0 }) { throw Failure(.hostUnreachable, "no") }
      return Self.girls
    }
    _ = try setup.catalogue().shows(matching: "girls")
    isAway.withLock { $0 = true }
    let shows = try setup.catalogue(at: "2026-01-02T00:00:00Z").shows(matching: "girls")
    #expect(shows.count == 1)
    #expect(setup.notes.withLock { $0 }.first?.contains("2026-01-01T00:00:00") == true)
    #expect(try setup.catalogue(.refresh).shows(matching: "girls").count == 1)
    let failure = #expect(throws: Failure.self) {
      try setup.catalogue(.refresh).shows(matching: "boys")
    }
    #expect(failure?.code == .hostUnreachable)
  }

  @Test(
    arguments: [
      ("null", ErrorCode.notInCatalogue), (#"{"name":"Not Found","status":404}"#, .notInCatalogue),
      ("", .catalogueUnreadable), ("<!doctype html><p>busy", .catalogueUnreadable),
      (#"{"id":1,"#, .catalogueUnreadable), (#"{"id":1,"id":2,"name":"A"}"#, .catalogueUnreadable),
      ("[]", .catalogueUnreadable), (#"{"message":"Invalid","status":422}"#, .catalogueUnreadable),
    ])
  func `a body that is not a show is refused and not cached`(body: String, code: ErrorCode) throws {
    let setup = try Setup { _ in body }
    for _ in 1...2 {
      let failure = #expect(throws: Failure.self) { try setup.catalogue().show(7) }
      #expect(failure?.code == code)
    }
    #expect(setup.count == 2 || body == "null")
  }

  @Test func `a damaged cache file is requested again`() throws {
    let setup = try Setup { _ in Self.girls }
    _ = try setup.catalogue().shows(matching: "girls")
    let folder = setup.scratch.path.appending("cache")
    var files: [FilePath] = []
    _ = forEachFile(below: folder) { path, _ in
      files.append(folder.pushing(path))
      return true
    }
    let file = try #require(files.first)
    for damage in [
      "", "x", "{}\n[]", #"{"url":"https://other/","at":"2026-01-01T00:00:00Z"}"# + "\n[]",
    ] {
      try AtomicFile.replace(file, with: Array(damage.utf8), durable: false)
      #expect(try setup.catalogue().shows(matching: "girls").count == 1)
    }
    #expect(setup.count == 5)
  }

  @Test func `the cache keeps to its capacity and retains the newest response`() throws {
    let scratch = try ScratchFolder()
    let cache = ResponseCache(folder: scratch.path, capacity: ByteCount(clamping: 5000))
    let now = try #require(Timestamp("2026-01-01T00:00:00Z"))
    for number in 1...20 {
      try cache.store([UInt8](repeating: 0x20, count: 1000), of: "u\(number)", at: now)
    }
    var size: Int64 = 0
    _ = forEachFile(below: scratch.path) { _, facts in
      size += facts.size
      return true
    }
    #expect(size <= 5000 && cache.response(of: "u20") != nil)
  }
}
