import SystemPackage
import Testing
import VmxEngine
import VmxLibraryTestSupport
import VmxModel
import VmxSystem
import VmxTestSupport

/// Records nothing; returns the episode as it was processed.
private struct NoJournal: StepJournal {
  func record(_ steps: [Step<PartState>], of context: inout FetchContext) throws {}
}

struct RepairMachineTests {
  private static let damaged = DamagedFile(
    sha256: FakeBytes.found.sha256, size: FakeBytes.found.size, inode: 7, damagedSize: 3,
    modified: 9)

  private func run(_ bytes: FakeBytes, from state: PartState) throws -> Part {
    var episode = try Episode.sample(state)
    episode.parts[0].path = "Show/by hand.mp4"
    episode.parts[0].proof = .published
    var context = FetchContext(episode, part: 0, bytes.actions)
    try Runner(fetchMachines, journal: NoJournal(), clock: FixedClock()).run(&context)
    return context.part
  }

  @Test func `a missing file is fetched and gets a new name`() throws {
    let part = try run(FakeBytes(), from: .missing)
    #expect(part.state == .ready)
    #expect(part.path == "Show/Show - Title.mp4")
  }

  @Test func `a damaged file is replaced under its own name`() throws {
    let part = try run(FakeBytes(damaged: Self.damaged), from: .damaged)
    #expect(part.state == .ready)
    #expect(part.path == "Show/by hand.mp4")
    #expect(part.repairs == nil)
  }

  @Test func `a repair does not raise the level of proof`() throws {
    #expect(try run(FakeBytes(damaged: Self.damaged), from: .damaged).proof == .published)
  }

  @Test func `a damaged file that was deleted is fetched like a missing one`() throws {
    #expect(try run(FakeBytes(), from: .damaged).path == "Show/Show - Title.mp4")
  }

  @Test func `the file to be replaced is recorded until it is replaced`() throws {
    let bytes = FakeBytes(failureOfTransfer: .repairRefused, damaged: Self.damaged)
    let part = try run(bytes, from: .damaged)
    #expect(part.state == .failed)
    #expect(part.repairs == Self.damaged)
    #expect(part.path == "Show/by hand.mp4")
  }

  @Test func `a repair that cannot start is restarted after the hold is lifted`() throws {
    var part = try run(FakeBytes(failureOfRepair: .repairRefused), from: .damaged)
    #expect(part.resumeState == .damaged)
    #expect(part.isToBeRepaired)
    var episode = try Episode.sample(.failed)
    episode.parts[0] = part
    episode.want = .fetch
    var context = FetchContext(episode, part: 0, FakeBytes(damaged: Self.damaged).actions)
    context.part.state = .damaged
    try Runner(fetchMachines, journal: NoJournal(), clock: FixedClock()).run(&context)
    part = context.part
    #expect(part.state == .ready)
  }

  @Test func `the record keeps the file to be replaced`() throws {
    var episode = try Episode.sample(.partial)
    episode.parts[0].repairs = Self.damaged
    let again = try Episode(record: episode.record, id: episode.id, rev: 1)
    #expect(again.parts[0].repairs == Self.damaged)
  }
}
