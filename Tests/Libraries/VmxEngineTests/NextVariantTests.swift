import Testing
import VmxEngine
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

/// The source that a run uses after others have failed permanently.
struct NextVariantTests {
  private let library: ScratchLibrary

  init() throws {
    library = try ScratchLibrary()
  }

  /// Bytes that only URLs without `dead` provide.
  private struct Sources: PartSource, FakeFinishing {
    func completedBytes(of part: FetchContext) throws -> CompletedBytes { .some(0) }
    func admit(_ part: FetchContext) throws {}

    func transfer(_ part: FetchContext) throws -> FoundBytes {
      let sources = part.part.variant?.sources ?? []
      let dead = sources.filter { $0.url.contains("dead") }.map(\.url)
      guard dead.count == sources.count else { return FakeBytes.found }
      throw SourcesFailed(
        Failure(.httpGone, "as told"),
        permanent: Dictionary(dead.map { ($0, .httpGone) }) { first, _ in first })
    }
  }

  private func add(_ urls: String..., to id: String = "t/a", size: Int64? = nil) throws {
    var description = EpisodeDescription()
    description.id = try EpisodeID(id)
    let variants = try urls.map { url in
      VariantDescription(
        sources: [try WebURL("https://example.org/\(url)")], size: size.flatMap { ByteCount($0) })
    }
    try description.add(PartDescription(role: .video, variants: variants))
    _ = try library.take(description)
  }

  private func join(
    _ url: String, _ joining: EpisodeDescription.Joining = .adding
  ) throws -> Part {
    var description = try EpisodeDescription.at("https://example.org/\(url)")
    description.id = try EpisodeID("t/a")
    description.joining = joining
    return try library.take(description).episode.parts[0]
  }

  private func work(asked: Bool = false) throws -> EpisodeResult {
    library.worker(Sources()).work(on: try EpisodeID("t/a"), asked: asked)
  }

  private func part() throws -> Part {
    let episode = try library.again().snapshot().episode(EpisodeID("t/a"))
    return try #require(episode?.parts.first)
  }

  @Test func `the next variant is used if all sources of one failed permanently`() throws {
    try add("dead1", "dead2", "good")
    let result = try work()
    #expect(result.result == .done)
    let part = try part()
    #expect(part.variant?.sources.map(\.url) == ["https://example.org/good"])
    #expect(part.variants.map { $0.sources[0].failure } == [.httpGone, .httpGone, nil])
  }

  @Test func `a part whose sources all failed is not due until it gets another source`() throws {
    try add("dead")
    #expect(try work().result.failure?.code == .httpGone)
    let rule = DueRule(now: library.clock.now)
    #expect(try !rule.isDue(part()))
    #expect(rule.isDue(try join("good")))
    #expect(try work().result == .done)
  }

  @Test func `the hint names the episode`() throws {
    try add("dead")
    #expect(try work().result.failure?.hint.contains("'vmx add --to t/a URL'") == true)
  }

  @Test func `a request tries all sources once more if each has failed`() throws {
    try add("dead1", "dead2")
    #expect(try work().result.failure?.code == .httpGone)
    #expect(try work(asked: true).result.failure?.code == .httpGone)
    #expect(try part().variants.allSatisfy(\.isExhausted))
  }

  @Test func `a URL without a size is a source of a variant without a size`() throws {
    try add("dead")
    #expect(try join("good").variants.map(\.sources.count) == [2])
  }

  @Test func `a URL without a size is a separate variant from one with a size`() throws {
    try add("dead", size: 500)
    #expect(try join("good").variants.map(\.sources.count) == [1, 1])
  }

  @Test func `--replace removes only the failed sources`() throws {
    try add("dead")
    _ = try work()
    _ = try join("second")
    let sources = try join("third", .replacing).variants.flatMap(\.sources)
    #expect(sources.map(\.url) == ["https://example.org/second", "https://example.org/third"])
  }

  @Test func `a failure recorded by an earlier version applies to its sources`() throws {
    try add("dead")
    var episode = try #require(try library.store.snapshot().episode(EpisodeID("t/a")))
    episode.parts[0].stop(by: Failure(.httpGone, "as told"), at: .partial)
    let failed = episode
    _ = try library.store.update(.soon) { $0.write(failed) }
    let part = try join("good", .replacing)
    #expect(part.variants.flatMap(\.sources).map(\.url) == ["https://example.org/good"])
  }
}
