import Testing
import VmxLibrary
import VmxModel
import VmxNaming
@testable import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

@Suite struct RenamePlanTests {
  private let library: CleaningLibrary

  init() throws { library = try CleaningLibrary() }

  private func rules() -> RenamingRules {
    RenamingRules(.standard, newFilesBelow: library.root.folder)
  }

  /// Stores an episode of five bytes whose recorded title differs from the file name.
  private func put(_ id: String, at path: String, titled title: String) throws {
    try library.put(id, at: path) { $0.title = title }
    try library.scratch.write("media/\(path)", "12345")
  }

  private func targets() throws -> [String] {
    try library.steps(renaming: rules()).filter { $0.kind == .rename }
      .map { step in "\(step.path?.displayText ?? "") > \(step.target?.displayText ?? "")" }
  }

  @Test func `a name that is right is left alone`() throws {
    try put("t/a", at: "Show/Show - A.mp4", titled: "A")
    try put("t/b", at: "Show/Show - A (2).mp4", titled: "A")
    #expect(try targets().isEmpty)
  }

  @Test func `a name is freed before another episode gets it`() throws {
    try put("t/a", at: "Show/Show - A.mp4", titled: "B")
    try put("t/b", at: "Show/Show - B.mp4", titled: "C")
    try put("t/c", at: "Show/Show - C.mp4", titled: "D")
    #expect(
      try targets() == [
        "Show/Show - C.mp4 > Show/Show - D.mp4", "Show/Show - B.mp4 > Show/Show - C.mp4",
        "Show/Show - A.mp4 > Show/Show - B.mp4",
      ])
  }

  @Test func `episodes that change names need one name in between for each round`() throws {
    try put("t/a", at: "Show/Show - A.mp4", titled: "B")
    try put("t/b", at: "Show/Show - B.mp4", titled: "A")
    try put("t/c", at: "Show/Show - C.mp4", titled: "D")
    try put("t/d", at: "Show/Show - D.mp4", titled: "C")
    let steps = try library.steps(renaming: rules())
    #expect(try targets().count == 6)
    #expect(try library.perform(steps).allSatisfy { $0 == .done })
    let snapshot = try library.again().snapshot()
    for (id, path) in ["t/a": "B", "t/b": "A", "t/c": "D", "t/d": "C"] {
      let episode = try #require(try snapshot.episode(EpisodeID(id)))
      #expect(episode.parts[0].path == "Show/Show - \(path).mp4")
    }
    #expect(try targets().isEmpty)
  }

  // Regression: after a crash, the file of one record could have been found by the path of another.
  @Test func `the name of a record whose file is gone is not given away`() throws {
    try library.put("t/a", at: "Show/Show - B.mp4") { $0.title = "B" }
    try put("t/b", at: "Show/Show - C.mp4", titled: "B")
    #expect(try targets() == ["Show/Show - C.mp4 > Show/Show - B (2).mp4"])
  }

  @Test func `a file that no record names keeps its name`() throws {
    try put("t/a", at: "Show/Show - A.mp4", titled: "B")
    try library.scratch.write("media/Show/Show - B.mp4", "theirs")
    let steps = try library.steps(renaming: rules()).filter { $0.kind == .rename }
    #expect(steps.map(\.failure?.code) == [.nameTaken])
    #expect(try library.perform(steps).map { $0.failure?.code } == [.nameTaken])
    #expect(try library.scratch.text("media/Show/Show - B.mp4") == "theirs")
    #expect(try library.scratch.text("media/Show/Show - A.mp4") == "12345")
  }

  @Test func `a file that comes to a planned name is not replaced`() throws {
    try put("t/a", at: "Show/Show - A.mp4", titled: "B")
    try library.scratch.write("media/Show/Show - B.nfo", "theirs")
    let steps = try library.steps(renaming: rules()).filter { $0.kind == .rename }
    try library.scratch.write("media/Show/Show - B.mp4", "theirs")
    #expect(try library.perform(steps).map { $0.failure?.code } == [.nameTaken])
    #expect(try library.scratch.text("media/Show/Show - B.mp4") == "theirs")
    #expect(try library.scratch.text("media/Show/Show - B.nfo") == "theirs")
    #expect(try library.again().snapshot().episode(EpisodeID("t/a"))?.state == .ready)
  }

  @Test func `the target of a plan's row does not decide where a file goes`() throws {
    try put("t/a", at: "Show/Show - A.mp4", titled: "B")
    let planned = try #require(try library.steps(renaming: rules()).first)
    guard case .rename(let part, _, let mark) = planned.action else { fatalError("no rename") }
    let step = CleaningStep(
      .rename(part, target: PathBytes("elsewhere/x.mp4"), mark), explanation: "")
    #expect(try library.perform([step]).map { $0.failure?.code } == [.planChanged])
    #expect(try library.isThere("media/Show/Show - A.mp4"))
  }

  @Test func `a name that differs only in case is reached over another one`() throws {
    try library.scratch.write("file", "12345")
    let facts = try #require(try FileFacts.of(library.scratch.path("file")))
    let files = ["Show/Show - one.mp4": facts, "Show/Show - One.mp4": facts]
    let episode = try episode("t/a", at: "Show/Show - one.mp4", titled: "One")
    var plan = RenamePlan(
      in: "root", recorded: recorded(episode), by: .standard, facts: { files[$0] },
      isSpelling: { $0.lowercased() == $1.lowercased() })
    plan.add(episode, MediaName.moves(of: episode, in: "root", by: .standard))
    #expect(
      try plan.steps().map { $0.target?.displayText } == [
        "Show/Show - One (2).mp4", "Show/Show - One.mp4",
      ])
  }

  @Test func `a damaged or vanishing file keeps its name`() throws {
    for state in [PartState.damaged, .missing, .removing] {
      var episode = try episode("t/a", at: "Show/Show - A.mp4", titled: "B")
      episode.parts[0].state = state
      #expect(MediaName.moves(of: episode, in: "root", by: .standard).isEmpty)
    }
  }

  @Test func `subtitles follow the video, and nothing leaves its root`() throws {
    var episode = try episode("t/a", at: "Show/Show - A.mkv", titled: "B")
    for (language, root) in [("en", "root"), ("de", "other")] {
      var part = Part(role: .subtitle, language: language, variants: [])
      (part.state, part.root, part.path) = (.ready, root, "Show/Show - A.\(language).srt")
      episode.parts.append(part)
    }
    #expect(
      MediaName.moves(of: episode, in: "root", by: .standard).map(\.to)
        == ["Show/Show - B.mkv", "Show/Show - B.en.srt"])
    #expect(
      MediaName.moves(of: episode, in: "other", by: .standard).map(\.to).isEmpty)
  }

  @Test func `a renaming that was recorded is read again as it was`() throws {
    let move = FileMove(part: "video", root: "root", from: "a.mp4", to: "Show/b.mp4")
    let entry = JournalEntry(
      Operation(tool: "clean", at: library.clock.now),
      .renaming(JournalEntry.Renaming(of: try EpisodeID("t/a"), [move])), reason: "renamed")
    #expect(JournalEntry(entry.stored) == entry)
    #expect(entry.episode == (try EpisodeID("t/a")))
  }

  private func episode(_ id: String, at path: String, titled title: String) throws -> Episode {
    var part = Part(role: .video, variants: [])
    (part.state, part.root, part.path) = (.ready, "root", path)
    return Episode(
      id: try EpisodeID(id), title: title, showTitle: "Show", added: library.clock.now,
      parts: [part])
  }

  private func recorded(_ episode: Episode) -> KnownHashes {
    var hashes = KnownHashes()
    for path in episode.parts.compactMap(\.path) { hashes.add(StableHash.of(path)) }
    hashes.sort()
    return hashes
  }
}
