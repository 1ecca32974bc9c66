import Testing
import VmxEngine
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

/// Runs that are restricted to some parts.
struct PartsAskedForTests {
  private let library: ScratchLibrary
  private let id: EpisodeID

  init() throws {
    library = try ScratchLibrary()
    var description = try EpisodeDescription.at("https://example.org/film.mp4")
    for language in ["en", "de"] {
      let url = try WebURL("https://example.org/\(language).srt")
      try description.add(
        PartDescription(
          role: .subtitle, language: language, variants: [VariantDescription(sources: [url])]))
    }
    id = try library.take(description).episode.id
  }

  private func work(
    only: [String]?, asked: Bool = false, _ bytes: FakeBytes = FakeBytes()
  ) throws -> EpisodeResult {
    let options = WorkOptions(only: try only.map { try PartSelection($0) })
    return library.worker(
      bytes,
      options: options
    ).work(on: id, asked: asked)
  }

  private func states() throws -> [PartState] {
    try #require(try library.again().snapshot().episode(id)).parts.map(\.state)
  }

  @Test func `other parts are neither changed nor counted in the outcome`() throws {
    #expect(try work(only: ["subtitle:en"]).result.name == "done")
    #expect(try states() == [.new, .ready, .new])
    #expect(try work(only: ["subtitle:en"]).result.name == "unchanged")
    #expect(try work(only: ["subtitle"]).result.name == "done")
    #expect(try states() == [.new, .ready, .ready])
    #expect(try work(only: nil).result.name == "done")
    #expect(try states() == [.ready, .ready, .ready])
  }

  @Test func `a failure of a requested part determines the outcome`() throws {
    let outcome = try work(only: ["subtitle:de"], FakeBytes(failureOfTransfer: .httpGone))
    #expect(outcome.result.name == "failed")
    #expect(outcome.result.failure?.code == .httpGone)
    #expect(try work(only: nil).result.name == "done")
    #expect(try states() == [.ready, .ready, .failed])
    #expect(try work(only: ["subtitle"], asked: true).result.name == "done")
  }

  @Test func `an episode without the requested part is unchanged, with the reason`() throws {
    let outcome = try work(only: ["image"], asked: true)
    #expect(outcome.result.name == "unchanged")
    #expect(outcome.result.hint?.contains("none of the requested parts") == true)
  }

  @Test func `a request for subtitles does not request the video`() throws {
    _ = try library.store.update(.soon) { transaction in
      guard var episode = try transaction.episode(id) else { return }
      episode.want = .none
      transaction.write(episode)
    }
    #expect(try work(only: ["subtitle"], asked: true).result.name == "unchanged")
    #expect(try states() == [.new, .new, .new])
    #expect(try work(only: ["video"], asked: true).result.name == "done")
  }

  @Test func `an episode is ready only with its required parts`() throws {
    var description = try EpisodeDescription.at("https://example.org/film.mp4")
    description.required = try PartSelection(["subtitle:en"])
    let taken = try library.take(description).episode
    #expect(taken.parts.map(\.isRequired) == [true, true, false])
    let outcome = try work(only: ["video"])
    #expect(outcome.result.name == "done")
    #expect(outcome.episode?.state == .new)
    #expect(try work(only: nil).episode?.state == .ready)
  }

  @Test func `a missing part cannot be required`() throws {
    var description = try EpisodeDescription.at("https://example.org/film.mp4")
    description.required = try PartSelection(["image"])
    #expect(throws: Failure.self) { try library.take(description) }
  }
}
