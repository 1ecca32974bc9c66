import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

struct VerificationRecorderTests {
  let library: ScratchLibrary
  let publisher: VerificationRecorder

  init() throws {
    library = try ScratchLibrary()
    publisher = VerificationRecorder(library.store)
  }

  private var now: Timestamp { library.clock.now }

  private func add(_ id: String, state: PartState = .ready) throws -> Episode {
    var video = Part(role: .video, variants: [])
    video.state = state
    video.root = "11111111-0000-4000-8000-000000000001"
    video.path = "A show/\(id).mp4"
    video.size = ByteCount(clamping: 5)
    video.sha256 = Digest(.sha256, hex: String(repeating: "0a", count: 32))
    let episode = Episode(
      id: try EpisodeID(id), title: "A title", showTitle: "A show", added: now, parts: [video])
    try library.store.update(.soon) { $0.write(episode) }
    return episode
  }

  private func stored(_ episode: Episode) throws -> Episode {
    try #require(try library.store.snapshot().episode(episode.id))
  }

  private func finding(
    _ episode: Episode, _ verdict: MediaFinding.Verdict
  ) throws -> MediaFinding {
    let judged = try #require(RecordedFile(episode.parts[0]))
    return MediaFinding(of: "video", in: episode.id, judged, verdict, at: now)
  }

  @Test func `a proof adds a date and no step`() throws {
    let episode = try add("a/1")
    _ = try publisher.record([finding(episode, .intact)])
    #expect(try stored(episode).parts[0].verifiedAt == now)
    #expect(try stored(episode).trail.isEmpty)
  }

  @Test func `an older proof does not replace a later one`() throws {
    let episode = try add("a/1")
    let old = try finding(episode, .intact)
    library.clock.advance(milliseconds: 1000)
    _ = try publisher.record([finding(episode, .intact), old])
    #expect(try stored(episode).parts[0].verifiedAt == now)
  }

  @Test(arguments: [
    (MediaFinding.Verdict.missing, PartState.missing, ErrorCode.fileMissing),
    (.damaged("segments differ"), .damaged, .fileDamaged),
  ])
  func `damage adds a state, a code and a step, and the want is kept`(
    _ verdict: MediaFinding.Verdict, _ state: PartState, _ code: ErrorCode
  ) throws {
    let episode = try add("a/1")
    _ = try publisher.record([finding(episode, verdict)])
    let found = try stored(episode)
    #expect(found.parts[0].state == state)
    #expect(found.parts[0].code == code)
    #expect(found.want == .fetch)
    let step = Transition(at: now, part: "video", from: .ready, to: state, code: code)
    #expect(found.trail == [step])
  }

  @Test(arguments: [PartState.missing, .damaged])
  func `a damaged file that is found intact is ready again`(_ state: PartState) throws {
    let episode = try add("a/1", state: state)
    _ = try publisher.record([finding(episode, .intact)])
    let found = try stored(episode)
    #expect(found.state == .ready)
    #expect(found.parts[0].code == nil)
    #expect(found.trail.map(\.to) == [.ready])
  }

  @Test func `a moved file is followed`() throws {
    let episode = try add("a/1", state: .missing)
    _ = try publisher.record([finding(episode, .moved(to: "elsewhere/1.mp4"))])
    let found = try stored(episode)
    #expect(found.parts[0].path == "elsewhere/1.mp4")
    #expect(found.state == .ready)
  }

  /// The repeated finding made a failed part due again, and its source was asked once more.
  @Test(arguments: [PartState.queued, .partial, .waiting])
  func `a missing file that is fetched again keeps its state until it returns`(
    _ state: PartState
  ) throws {
    let episode = try add("a/1", state: state)
    let missing = try finding(episode, .missing)
    _ = try publisher.record([missing])
    #expect(try stored(episode).parts[0].state == state)
    _ = try publisher.record([finding(episode, .intact)])
    #expect(try stored(episode).parts[0].state == .ready)
  }

  @Test(arguments: [PartState.removing, .removed, .expired, .new, .checked])
  func `a finding for a record that expects no file is ignored`(_ state: PartState) throws {
    let episode = try add("a/1")
    let judged = try finding(episode, .missing)
    var other = episode
    other.parts[0].state = state
    try library.store.update(.soon) { [other] in $0.write(other) }
    #expect(try publisher.record([judged]) == [.outdated])
    #expect(try stored(episode).parts[0].state == state)
  }

  @Test func `a finding for other bytes than the recorded ones is ignored`() throws {
    let episode = try add("a/1")
    let judged = try finding(episode, .damaged("segments differ"))
    var other = episode
    other.parts[0].sha256 = Digest(.sha256, hex: String(repeating: "0b", count: 32))
    try library.store.update(.soon) { [other] in $0.write(other) }
    #expect(try publisher.record([judged]) == [.outdated])
  }

  @Test func `a repeated finding appends nothing`() throws {
    let episode = try add("a/1")
    let judged = try finding(episode, .missing)
    _ = try publisher.record([judged])
    let rev = try stored(episode).rev
    #expect(try publisher.record([judged]).count == 1)
    #expect(try stored(episode).rev == rev)
  }

  @Test func `a removed episode does not affect the others`() throws {
    let gone = try add("a/1")
    let there = try add("a/2")
    let findings = try [finding(gone, .missing), finding(there, .missing)]
    try library.store.update(.soon) { $0.delete(.episode, "a/1") }
    let outcomes = try publisher.record(findings)
    #expect(outcomes.first == .outdated)
    #expect(try stored(there).state == .missing)
  }

  @Test func `findings for more files than one step accepts are all recorded`() throws {
    let first = try add("a/0")
    let episodes = try (0..<1500).map { number in
      var episode = first
      episode.id = try EpisodeID("a/\(number)")
      return episode
    }
    try library.store.update(.soon) { transaction in
      for episode in episodes { transaction.write(episode) }
    }
    let outcomes = try publisher.record(try episodes.map { try finding($0, .missing) })
    #expect(outcomes.count == 1500)
    #expect(outcomes.allSatisfy { if case .changed = $0 { true } else { false } })
  }
}
