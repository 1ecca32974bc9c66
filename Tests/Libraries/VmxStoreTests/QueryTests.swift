import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

/// The fast evaluation, on raw bytes and on the tape, must equal the query on the decoded episode.
struct QueryTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static let now = Timestamp(seconds: 1_700_000_000)

  private func episode(_ number: Int, _ random: inout some RandomNumberGenerator) throws -> Episode
  {
    let shows = ["Girls", "ÉTÉ", "say \"it\"", "a\\b", "Kelvin \u{212A}", "Zeile\nzwei", "x/y"]
    let show = shows.randomElement(using: &random) ?? ""
    var episode = try Episode.sample(
      "slug-\(number % 5)/e\(number)", title: "\"season\":3 \(number)", show: show)
    episode.season = Bool.random(using: &random) ? Int64.random(in: 0...3, using: &random) : nil
    episode.number = Int64.random(in: 0...12, using: &random)
    episode.want = Want.allCases.randomElement(using: &random) ?? .fetch
    episode.isKept = Bool.random(using: &random)
    episode.isWatched = Bool.random(using: &random)
    var parts: [Part] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      var part = Part(role: PartRole.allCases.randomElement(using: &random) ?? .video, variants: [])
      part.state = PartState.allCases.randomElement(using: &random) ?? .new
      if part.role == .subtitle { part.language = "en" }
      part.isRequired = Bool.random(using: &random)
      part.until = Self.now.adding(milliseconds: Int64.random(in: -2...2, using: &random))
      part.code = ErrorCode.allCases.randomElement(using: &random)
      parts.append(part)
    }
    episode.parts = parts
    return episode
  }

  private func queries() throws -> [EpisodeQuery] {
    func query(_ change: (inout EpisodeQuery) throws -> Void) rethrows -> EpisodeQuery {
      var query = EpisodeQuery()
      try change(&query)
      return query
    }
    var queries = PartState.allCases.map { state in query { $0.states = [state] } }
    queries += Want.allCases.map { want in query { $0.wants = [want] } }
    queries += ["girls", "été", "SAY \"IT\"", "A\\B", "kelvin k", "zeile\nzwei", "x/y", "SLUG-3"]
      .map { show in query { $0.shows = [show] } }
    queries += try [
      query { $0.prefix = "slug-1" }, query { $0.prefix = "slug-2/e1" }, query { $0.prefix = "x" },
      query {
        $0.prefix = "slug-"; $0.seasons = [3]; $0.shows = ["girls"]
      },
      query { $0.seasons = [3] }, query { $0.numbers = [1, 12] }, query { $0.isKept = true },
      query { $0.isKept = false }, query { $0.isWatched = true },
      query { $0.due = DueRule(now: Self.now) },
      query { $0.missingParts = try PartSelection(["subtitle:en"]) },
      query { $0.missingParts = PartSelection(roles: [.image]) },
      query {
        $0.shows = ["girls", "slug-1"]; $0.seasons = [0, 1]; $0.wants = [.hold, .gone]
      },
      query {
        $0.states = [.failed, .waiting]; $0.isWatched = false
      },
    ]
    return queries
  }

  @Test func `a query finds what it would find among all`() throws {
    var random = SystemRandomNumberGenerator()
    let store = try fixture.open()
    var all: [Episode] = []
    for number in 0..<300 { all.append(try episode(number, &random)) }
    try store.update(.soon) { transaction in
      for episode in all { transaction.write(episode) }
    }
    for query in try queries() {
      let expected = all.filter { query.matches($0) }.map(\.id.description)
      // Each query first creates an index, then uses the existing one.
      #expect(try fixture.open().snapshot().ids(query) == expected, "\(query)")
      #expect(try store.snapshot().ids(query) == expected, "\(query)")
    }
  }

  @Test func `what changed, went and came again is found as it is now`() throws {
    var random = SystemRandomNumberGenerator()
    let store = try fixture.open()
    for _ in 0..<150 {
      let number = Int.random(in: 0..<40, using: &random)
      let episode = try episode(number, &random)
      try store.update(.soon) { transaction in
        transaction.write(episode)
        if number.isMultiple(of: 4) {
          transaction.delete(.episode, "slug-\(number % 3)/e\(number / 2)")
        }
      }
      if number.isMultiple(of: 5) {
        // A broken line, and a line of a transaction that is never completed.
        try fixture.append(#"{"kind":"episode","id":"\#(episode.id)","seq":1,"season":3"# + "\n")
        try fixture.append(
          StoreFixture.line("slug-1/e\(number)", seq: 1, marks: #","txn":"aa""#, #""season":3"#)
            + "\n")
      }
    }
    let all = try fixture.open().snapshot()
    _ = try all.ids()
    for query in try queries() {
      #expect(try fixture.open().snapshot().ids(query) == all.ids(query), "\(query)")
    }
  }

  @Test func `a record of another kind is found beside a query`() throws {
    let store = try fixture.open()
    try store.update(.soon) { transaction in
      transaction.write(try .sample("a/1"))
      transaction.writeAlias(try EpisodeID("a/old"), try EpisodeID("a/1"))
    }
    let snapshot = try fixture.open().snapshot()
    var query = EpisodeQuery()
    query.seasons = [7]
    #expect(try snapshot.ids(query) == [])
    #expect(snapshot.record(.alias, "a/old")?.fields["to"]?.string == "a/1")
    #expect(snapshot.record(.alias, "a/1") == nil)
    #expect(try snapshot.episode(EpisodeID("a/1")) != nil)
  }

  @Test func `letters hidden by escapes are found`() throws {
    try fixture.write([
      StoreFixture.line(
        "a/1", seq: 11, #""show_title":"\u0047irls","want":"h\u006fld","season":3,"parts":[]"#),
      StoreFixture.line("a/2", seq: 12, #""show_title" : "Girls", "want" : "hold","season" : 3"#),
    ])
    var query = EpisodeQuery()
    query.shows = ["girls"]
    query.wants = [.hold]
    query.seasons = [3]
    #expect(try fixture.open().snapshot().ids(query) == ["a/1", "a/2"])
  }

  @Test func `ids come in the order of adding, unknown ones not at all`() throws {
    let store = try fixture.open()
    for id in ["b/1", "a/1", "c/1"] { try store.update(.soon) { $0.write(try .sample(id)) } }
    var query = EpisodeQuery()
    query.ids = [try EpisodeID("a/1"), try EpisodeID("b/1"), try EpisodeID("x/1")]
    #expect(try store.snapshot().ids(query) == ["b/1", "a/1"])
    query.ids = [try EpisodeID("c/1")]
    #expect(try fixture.open().snapshot().ids(query) == ["c/1"])
  }

  @Test func `the body can stop the search and can throw out of it`() throws {
    struct Stop: Error {}
    let store = try fixture.open()
    try store.update(.soon) { transaction in
      for number in 0..<5000 { transaction.write(try .sample("a/\(number)")) }
    }
    var seen = 0
    try store.snapshot().episodes(matching: EpisodeQuery()) { _ in
      seen += 1
      return seen < 10
    }
    #expect(seen == 10)
    #expect(throws: Stop.self) {
      try store.snapshot().episodes(matching: EpisodeQuery()) { _ in throw Stop() }
    }
  }
}
