import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxStore

struct ProgressTests {
  let fixture: StoreFixture
  let store: LibraryStore
  let journal: ProgressJournal

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.open()
    journal = ProgressJournal(store, clock: fixture.clock)
  }

  private func report(_ id: String, _ bytes: Int64) throws -> Bool {
    try journal.report(line(id, bytes))
  }

  private func line(_ id: String, _ bytes: Int64) throws -> ProgressLine {
    ProgressLine(
      episode: try EpisodeID(id), bytes: ByteCount(clamping: bytes), total: ByteCount(1 << 30),
      rate: nil,
      worker: ProcessIdentity(pid: 7, host: "h", boot: "b", since: fixture.clock.now))
  }

  @Test func `a line is read back as it was`() throws {
    #expect(try report("a/1", 5))
    let record = try #require(try store.snapshot().record(.progress, "a/1"))
    #expect(try ProgressLine(record) == line("a/1", 5))
  }

  @Test func `part, rate and attempt are told, and a line without them is read`() throws {
    var full = try line("a/1", 5)
    full.part = "subtitle:en"
    full.rate = ByteCount(clamping: 77)
    full.attempt = 3
    #expect(try ProgressLine(full.record) == full)
    let record = try line("a/1", 5).record
    #expect(record.fields["part"] == nil && record.fields["attempt"] == nil)
    #expect(try ProgressLine(record).attempt == 1)
  }

  @Test func `16 MiB or 2 s apart`() throws {
    #expect(try report("a/1", 0))
    fixture.clock.advance(milliseconds: 1000)
    #expect(try !report("a/1", 1))
    #expect(try report("a/1", 16 << 20))
    fixture.clock.advance(milliseconds: 1999)
    #expect(try !report("a/1", 17 << 20))
    fixture.clock.advance(milliseconds: 1)
    #expect(try report("a/1", 17 << 20))
  }

  @Test func `at most 4 a second for all episodes`() throws {
    let written = try (0..<9).filter { try report("a/\($0)", 0) }
    #expect(written == [0, 1, 2, 3])
    fixture.clock.advance(milliseconds: 1000)
    #expect(try report("a/8", 0))
  }

  @Test func `progress changes no rev of the episode`() throws {
    let rev = try store.update(.soon) { $0.write(try .sample("a/1")) }
    #expect(try report("a/1", 9))
    #expect(try store.snapshot().episode(try EpisodeID("a/1"))?.rev == rev)
  }
}
