import Testing
import VmxLibrary
import VmxModel
@testable import VmxRemoving
import VmxStore
import VmxTestSupport

@Suite struct StoreSurveyTests {
  private let library: CleaningLibrary

  init() throws {
    library = try CleaningLibrary()
  }

  private func survey(claims: Set<Int64> = []) throws -> StoreSurvey {
    StoreSurvey(try library.again().snapshot(), claims: claims, now: library.clock.now)
  }

  @Test func `a removal that waits for room has not ended`() throws {
    try library.put("t/a", at: "a.mp4") { episode in
      episode.parts[0].state = .waiting
      episode.parts[0].resumeState = .removing
    }
    #expect(try survey().beingRemoved.map(\.id.description) == ["t/a"])
  }

  @Test func `what is kept does not expire`() throws {
    let past = library.clock.now.adding(milliseconds: -1)
    try library.put("t/a", at: "a.mp4") { $0.expires = past }
    try library.put("t/b", at: "b.mp4") { episode in
      episode.expires = past
      episode.isKept = true
    }
    #expect(try survey().expired.map(\.id.description) == ["t/a"])
  }

  @Test func `unfinished bytes are idle when the rest is not wanted`() throws {
    let ids = [try EpisodeID("t/a"), try EpisodeID("t/b")]
    for (id, want) in zip(ids, [Want.fetch, .none]) {
      try library.put(id.description, at: "a.mp4") { episode in
        episode.want = want
        episode.parts[0].state = .partial
      }
    }
    let survey = try survey(claims: Set(ids.map(\.claimOffset)))
    #expect(survey.idle[ids[0].claimOffset] == .some(nil))
    #expect(survey.idle[ids[1].claimOffset] == .some(ids[1]))
  }

  @Test func `what is being given its name is known by its size`() throws {
    try library.put("t/a", at: "a.mp4") { $0.parts[0].state = .checked }
    #expect(try survey().roots[library.root.uuid]?.arriving == [5])
  }
}
