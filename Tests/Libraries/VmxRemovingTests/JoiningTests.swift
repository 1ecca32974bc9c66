import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxRemoving

/// Two records of one episode become one, and an undo brings both back.
struct JoiningTests {
  private let library: ScratchLibrary

  init() throws { library = try ScratchLibrary() }

  private func options() -> CleaningOptions {
    var options = CleaningOptions(
      trash: TrashRules(keep: 86_400_000, quota: .percent(100), reserve: ByteCount(clamping: 0)))
    options.joinsTwins = true
    return options
  }

  private func steps() throws -> [CleaningStep] {
    try CleaningPlanner(library.tools(of: "clean"), options: options(), now: library.clock.now)
      .steps()
  }

  private func join() throws -> [OperationResult] {
    let executor = CleanupExecutor(
      LibraryTools(library.store, clock: library.clock, tool: "clean"))
    var results: [OperationResult] = []
    try executor.perform(try steps()) { results.append($1) }
    return results
  }

  private func undo() throws {
    let service = UndoService(library.removal)
    let entries = try service.runs().entries(ofLast: 1)
    try service.undo(entries) { _, result, _ in
      #expect(result.failure == nil, "\(String(describing: result.failure))")
    }
  }

  /// Records an episode with a file whose digest is known.
  private func placed() throws -> Episode {
    var episode = try library.placed()
    episode.parts[0].sha256 = Digest(.sha256, hex: String(repeating: "a", count: 64))
    try library.store.update(.soon) { [episode] in $0.write(episode) }
    return try #require(try library.stored(episode.id))
  }

  /// Records a twin of an episode, with a file of its own.
  private func twin(of episode: Episode, file: String?) throws -> Episode {
    var twin = episode
    twin.id = try #require(EpisodeID(valid: "show/twin"))
    twin.added = episode.added.adding(milliseconds: 1000)
    (twin.title, twin.summary, twin.isWatched) = ("Twin", "Text", true)
    twin.identity = [.source("https://example.org/twin.mp4")]
    twin.by[.title] = .person
    if let file {
      try library.scratch.write("media/\(file)", "film")
      twin.parts[0].path = file
    }
    try library.store.update(.soon) { [twin] in $0.write(twin) }
    return try #require(try library.stored(twin.id))
  }

  @Test func `what is likely takes no record from what is the same`() throws {
    let first = try placed()
    let title = IdentityKey.titled(show: "show", title: "other-talk", day: nil)
    var likely = first
    likely.id = try #require(EpisodeID(valid: "show/likely"))
    likely.added = first.added.adding(milliseconds: 500)
    (likely.title, likely.text.duration) = ("Other talk", 3_600_000)
    likely.identity = [title]
    likely.parts = [Part(role: .video, variants: [])]
    try library.store.update(.soon) { [likely] in $0.write(likely) }
    var same = try twin(of: first, file: "twin.mp4")
    (same.title, same.text.duration) = ("Other talk", 3_600_000)
    same.identity.append(title)
    try library.store.update(.soon) { [same] in $0.write(same) }
    let pairs = try EpisodeTwins(in: library.store.snapshot(), takesLikely: true).pairs
    #expect(pairs.map(\.kept.id) == [first.id] && pairs.map(\.other.id) == [same.id])
    #expect(EpisodeTwins.row(likely, same, orLikely: true) == .titleAndDuration)
  }

  @Test func `two films of the same bytes become one, and an undo brings both back`() throws {
    let episode = try placed()
    let twin = try twin(of: episode, file: "Show/twin.mp4")
    let before = [try library.stored(episode.id), try library.stored(twin.id)]
    let planned = try steps()
    #expect(planned.map(\.kind) == [.join])
    #expect(planned.first?.episode == twin.id)
    #expect(planned.first?.name == episode.id.description)
    #expect(try join().allSatisfy { $0.failure == nil })
    let joined = try #require(try library.stored(episode.id))
    #expect(joined.title == "Twin" && joined.summary == "Text" && joined.isWatched)
    #expect(joined.identity.contains(.source("https://example.org/twin.mp4")))
    #expect(try library.store.snapshot().episode(twin.id)?.id == episode.id)
    #expect(try library.scratch.text(ScratchLibrary.film) == "film")
    #expect(!library.scratch.names(in: "media/Show").contains("twin.mp4"))
    #expect(try steps().isEmpty)
    try undo()
    let after = [try library.stored(episode.id), try library.stored(twin.id)]
    for (before, after) in zip(before, after) {
      #expect(try #require(after).isSameRecord(as: try #require(before)))
    }
    #expect(library.scratch.names(in: "media/Show").contains("twin.mp4"))
  }

  @Test func `a file that only the younger record has stays where it is`() throws {
    var episode = try placed()
    let twin = try twin(of: episode, file: nil)
    episode.parts[0].clearBytes()
    episode.parts[0].enter(.new)
    episode.identity = twin.identity
    try library.store.update(.soon) { [episode] in $0.write(episode) }
    #expect(try join().allSatisfy { $0.failure == nil })
    let joined = try #require(try library.stored(episode.id))
    #expect(joined.state == .ready)
    #expect(try library.scratch.text(ScratchLibrary.film) == "film")
    try undo()
    #expect(try library.stored(episode.id)?.state == .new)
    #expect(try library.stored(twin.id)?.state == .ready)
    #expect(try library.scratch.text(ScratchLibrary.film) == "film")
  }

  @Test func `three records of one episode come back one after the other`() throws {
    let episode = try placed()
    let twin = try twin(of: episode, file: "Show/twin.mp4")
    var third = twin
    third.id = try #require(EpisodeID(valid: "show/third"))
    try library.scratch.write("media/Show/third.mp4", "film")
    third.parts[0].path = "Show/third.mp4"
    try library.store.update(.soon) { [third] in $0.write(third) }
    #expect(try join().count == 2)
    #expect(try library.store.snapshot().episode(third.id)?.id == episode.id)
    try undo()
    #expect(try library.stored(twin.id)?.id == twin.id)
    #expect(try library.stored(third.id)?.id == third.id)
    #expect(try library.stored(episode.id)?.title == episode.title)
  }

  @Test func `a record that has changed since its join is left alone`() throws {
    let episode = try placed()
    let twin = try twin(of: episode, file: "Show/twin.mp4")
    _ = try join()
    try library.store.update(.soon) { transaction in
      guard var joined = try transaction.episode(episode.id) else { return }
      joined.title = "Other"
      transaction.write(joined)
    }
    let service = UndoService(library.removal)
    let entries = try service.runs().entries(ofLast: 1)
    try service.undo(entries) { _, result, _ in
      #expect(result.failure?.code == .undoConflict)
    }
    #expect(try library.store.snapshot().episode(twin.id)?.title == "Other")
  }

  @Test func `two items of one feed are joined only by their bytes`() throws {
    let episode = try placed()
    var one = episode
    (one.feed, one.guid, one.date) = ("f", "1", CalendarDay("2024-05-07"))
    one.identity = [.feedItem(feed: "f", guid: "1"), .source("https://example.org/1.mp4")]
    one.parts[0].clearBytes()
    one.parts[0].enter(.new)
    var two = one
    two.id = try #require(EpisodeID(valid: "show/two"))
    two.guid = "2"
    two.identity = [.feedItem(feed: "f", guid: "2"), .source("https://example.org/2.mp4")]
    #expect(EpisodeTwins.row(one, two) == nil)
    let digest = episode.video?.sha256
    (one.parts[0].sha256, two.parts[0].sha256) = (digest, digest)
    #expect(EpisodeTwins.row(one, two) == .digest)
  }
}
