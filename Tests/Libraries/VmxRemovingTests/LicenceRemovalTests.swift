import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxTestSupport

@testable import VmxRemoving

@Suite struct LicenceRemovalTests {
  @Test(arguments: [EpisodeRemoval.Reason.expired, .revoked, .returned])
  func `an episode without a right leaves nothing in the trash`(
    reason: EpisodeRemoval.Reason
  ) throws {
    let library = try ScratchLibrary()
    let episode = try library.placed(key: true)
    let removed = try library.remove(episode.id, reason).episode
    #expect(removed?.state == .removed)
    #expect(removed?.want == (reason == .returned ? .gone : Want.none))
    #expect(library.trashed.isEmpty)
    #expect(!library.scratch.exists(ScratchLibrary.film))
    #expect(!library.scratch.exists("media/Show/Season 01/Show - S01E01 - A.key"))
  }

  @Test func `the key goes before the video`() throws {
    let library = try ScratchLibrary()
    let id = try library.placed(key: true).id
    let trail = try library.remove(id, .revoked).episode?.trail ?? []
    let gone = trail.filter { $0.to == .removed }.map(\.part)
    #expect(gone == ["key", "video"])
    #expect(trail.contains { $0.to == .revoked })
  }

  @Test(arguments: [
    (LicenceState.usable, false, 1000), (.expired, true, 1000), (.revoked, false, 1000),
    (.returned, false, 0),
  ])
  func `files stay for the grace time after their licence, whatever is marked`(
    state: LicenceState, isKept: Bool, grace: Int64
  ) throws {
    var episode = try Episode.sample(.ready)
    episode.isKept = isKept
    episode.expires = Timestamp(milliseconds: 5000)
    episode.licence = EpisodeLicence(state: state)
    let time = EpisodeSummary(episode).removalTime(grace: 1000)
    #expect(time == Timestamp(milliseconds: 5000 + grace))
  }

  @Test func `an episode without a licence goes at its end, unless it is kept`() throws {
    var episode = try Episode.sample(.ready)
    episode.expires = Timestamp(milliseconds: 5000)
    #expect(EpisodeSummary(episode).removalTime(grace: 1000)?.milliseconds == 5000)
    episode.isKept = true
    #expect(EpisodeSummary(episode).removalTime(grace: 1000) == nil)
  }

  @Test func `a contradicted clock removes nothing by time`() throws {
    var episode = try Episode.sample(.ready)
    episode.expires = Timestamp(milliseconds: 5000)
    episode.licence = EpisodeLicence(state: .usable, isClockContradicted: true)
    #expect(EpisodeSummary(episode).removalTime(grace: 0) == nil)
  }
}
