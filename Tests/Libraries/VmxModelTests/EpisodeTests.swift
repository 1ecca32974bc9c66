import Testing
import VmxModel

struct EpisodeTests {
  private func episode(_ states: PartState...) throws -> Episode {
    Episode(
      id: try EpisodeID("a/b"), title: "", showTitle: "", added: Timestamp(seconds: 0),
      parts: states.map { state in
        var part = Part(role: .video, variants: [])
        part.state = state
        return part
      })
  }

  @Test func `the state comes from the first required part in the order of states`() {
    for (index, speaking) in EpisodeState.precedence.enumerated() {
      for later in EpisodeState.precedence[index...] + [.ready, .removed] {
        #expect(EpisodeState.of(required: [later, speaking]) == speaking)
      }
    }
  }

  @Test func `the order contains every state once except ready and removed`() {
    #expect(Set(EpisodeState.precedence + [.ready, .removed]) == Set(PartState.allCases))
    #expect(EpisodeState.precedence.count == PartState.allCases.count - 2)
  }

  @Test func `an episode is ready if all its parts are, and removed if one is`() {
    #expect(EpisodeState.of(required: [.ready, .ready]) == .ready)
    #expect(EpisodeState.of(required: [.removed, .removed]) == .removed)
    #expect(EpisodeState.of(required: [.ready, .removed]) == .removed)
    #expect(EpisodeState.of(required: []) == .new)
  }

  @Test func `optional parts do not determine the state but may be missing`() throws {
    var episode = try episode(.ready)
    var subtitle = Part(role: .subtitle, language: "en", variants: [])
    subtitle.state = .failed
    episode.parts.append(subtitle)
    #expect(episode.state == .ready)
    #expect(episode.missingParts == ["subtitle:en"])
    #expect(episode.decisivePart?.role == .video)
  }

  @Test func `only four states are final`() {
    #expect(PartState.allCases.filter(\.awaitsEvent) == [.ready, .waiting, .failed, .removed])
  }

  @Test func `names of parts contain their language and flags`() {
    var part = Part(role: .subtitle, language: "pt-BR", variants: [])
    part.isForced = true
    #expect(part.name == "subtitle:pt-BR.forced")
    part.isSDH = true
    #expect(part.name == "subtitle:pt-BR.forced.sdh")
    #expect(Part(role: .video, variants: []).name == "video")
  }

  @Test func `only the video is required by default`() {
    for role in PartRole.allCases {
      #expect(Part(role: role, variants: []).isRequired == (role == .video))
    }
  }

  @Test func `the trail keeps the last sixteen steps`() throws {
    var episode = try episode(.new)
    for second in 0..<20 {
      episode.appendTransition(
        Transition(at: Timestamp(seconds: Int64(second)), part: "video", from: .new, to: .queued))
    }
    #expect(episode.trail.count == Episode.trailLength)
    #expect(episode.trail.first?.at == Timestamp(seconds: 4))
    #expect(episode.trail.last?.at == Timestamp(seconds: 19))
  }
}
