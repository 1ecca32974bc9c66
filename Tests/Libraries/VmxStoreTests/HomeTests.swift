import Glibc
import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxStore

/// Files in the home beside the store: temporary files, modes and free space.
struct HomeTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private let draft = "home/.vmx-0123456789abcdef.tmp"

  private func findings() -> [Finding] {
    StoreDiagnosis(fixture.home, options: StoreOptions(), clock: fixture.clock) { _ in .free }
      .examine().findings
  }

  private func mend() throws {
    #expect(StoreRepair(try fixture.open()) { _ in .free }.repair(findings()) == [])
  }

  @Test func `the next writer removes a draft of the secrets`() throws {
    try fixture.write([])
    try fixture.folder.write(draft, "password")
    _ = try fixture.open().snapshot()
    #expect(fixture.folder.exists(draft))
    _ = try fixture.open().secrets.save(Secret(user: "u", password: "p"))
    #expect(!fixture.folder.exists(draft))
  }

  @Test func `drafts are told of and mended`() throws {
    try fixture.write([])
    for name in [draft, "home/store.jsonl.new", "home/store.jsonl.1.new"] {
      try fixture.folder.write(name, "half")
    }
    #expect(findings().filter { $0.check == .home && $0.isRepairable }.count == 3)
    try mend()
    #expect(fixture.folder.names(in: "home") == ["lock", "store.jsonl"])
  }

  @Test func `a compaction after one that was killed at its last rename leaves no draft`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let linked = fixture.home.store.withPlatformString { old in
      fixture.home.snapshot.withPlatformString { link(old, $0) }
    }
    #expect(linked == 0)
    try store.writer.compactNow()
    #expect(fixture.folder.names(in: "home") == ["lock", "store.jsonl", "store.jsonl.1"])
  }

  @Test func `a store that its owner may not write to is told of and mended`() throws {
    try fixture.write([])
    _ = fixture.home.store.withPlatformString { chmod($0, 0o400) }
    let found = findings().filter { $0.check == .permissions }
    #expect(found.map(\.severity) == [.problem])
    #expect(found.map(\.code) == [.storeUnreadable])
    try mend()
    #expect(findings().allSatisfy { $0.severity == .ok || $0.check == .locks })
  }

  @Test(arguments: ["store.jsonl", "lock"])
  func `a symbolic link in the place of a file is named as one`(name: String) throws {
    let path = fixture.home.folder.appending(name)
    try fixture.folder.write("home/elsewhere", "")
    #expect("elsewhere".withCString { to in path.withPlatformString { symlink(to, $0) } } == 0)
    let store = try fixture.open()
    let error = #expect(throws: StoreError.self) {
      try store.update(.soon) { $0.write(try .sample("a/1")) }
    }
    #expect(error?.summary == "'\(path)' is a symbolic link")
    #expect(error?.hint == LockError.linkHint)
  }

  @Test func `what may use the reserve keeps it as long as there is room`() throws {
    let disk = FaultyDisk()
    let store = try fixture.open(disk: disk)
    try store.update(.soon, room: .useReserve) { $0.write(try .sample("a/1")) }
    #expect(disk.plan.withLock { $0.reservations } == 1)
    let facts = try #require(try FileFacts.of(fixture.home.store))
    #expect(facts.allocated - facts.size >= Int64(StoreWriter.reserve))
    let other = try fixture.open(disk: disk)
    disk.plan.withLock { $0.reserveError = .noSpace }
    try other.update(.soon, room: .useReserve) { $0.write(try .sample("a/2")) }
    #expect(throws: StoreError.self) { try other.update(.soon) { $0.write(try .sample("a/3")) } }
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2"])
  }

  @Test func `a description that leaves no room for work on it is refused`() throws {
    let limit = LineWriter.maxLineLength
    let fitting = try Episode.sample("a/1", title: String(repeating: "x", count: limit - 100_000))
    try StoreTransaction.checkLength(of: fitting)
    let long = try Episode.sample("a/1", title: String(repeating: "x", count: limit - 50_000))
    #expect(throws: StoreError.self) { try StoreTransaction.checkLength(of: long) }
    let escaped = try Episode.sample("a/1", title: String(repeating: "\u{1}", count: limit / 5))
    #expect(throws: StoreError.self) { try StoreTransaction.checkLength(of: escaped) }
  }

  @Test func `a run that appends much to one record compacts in between`() throws {
    let store = try fixture.open()
    let filler = String(repeating: "x", count: 1 << 20)
    var largest: Int64 = 0
    for number in 0..<80 {
      try store.update(.soon) { $0.write(try .sample("a/1", title: "\(number)\(filler)")) }
      store.compactIfOvergrown()
      largest = max(largest, try FileFacts.of(fixture.home.store)?.size ?? 0)
    }
    #expect(largest < 40 << 20)
    #expect(try store.snapshot().episode(EpisodeID("a/1"))?.title.hasPrefix("79x") == true)
  }
}

/// The damage that readers report when they skip damaged lines.
struct DamageMetTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func met(_ lines: [String], _ query: EpisodeQuery = EpisodeQuery()) throws -> ErrorCode? {
    try fixture.write(lines)
    let snapshot = try fixture.open().snapshot()
    _ = try snapshot.ids(query)
    return snapshot.damageMet
  }

  private let good = StoreFixture.line("a/1", seq: 11, #""title":"T""#)

  @Test func `a reader remembers the damage that it passed over`() throws {
    #expect(try met([good]) == nil)
    #expect(try met([good, "junk"]) == .lineDamaged)
    #expect(try met([good, StoreFixture.line("a/2", seq: 12, #""title":7"#)]) == .lineDamaged)
    #expect(try met([good, StoreFixture.line("a/1", seq: 12) + "x"]) == .lineDamaged)
    #expect(try met([good, String(good.dropLast(3))]) == .lineDamaged)
    var query = EpisodeQuery()
    query.wants = [.hold]
    #expect(try met([good, "junk"], query) == .lineDamaged)
  }

  @Test func `a lost header is damage, a missing or unfinished line is none`() throws {
    try fixture.folder.write("home/store.jsonl", "#\n" + good + "\n")
    #expect(try fixture.open().snapshot().damageMet == .storeDamaged)
    try fixture.write([good], torn: "half")
    let snapshot = try fixture.open().snapshot()
    _ = try snapshot.ids()
    #expect(snapshot.damageMet == nil)
  }
}
