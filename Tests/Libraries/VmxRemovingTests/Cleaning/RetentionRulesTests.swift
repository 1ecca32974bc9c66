@testable import VmxRemoving
import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport

/// The limits of each rule and the reasons that a user reads. Planted changes of them are noticed
/// here, not only by the stories of `vmx clean`.
@Suite struct RetentionRulesTests {
  private static let day: Int64 = 86_400_000

  private let scratch: ScratchFolder
  private let clock = FixedClock()
  private let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  private func put(
    _ id: String, age: Int64, watchedAge: Int64? = nil, arrivalAge: Int64? = nil
  ) throws {
    func moment(_ age: Int64) -> Timestamp { clock.now.adding(milliseconds: -age) }
    var part = Part(role: .video, variants: [])
    part.state = .ready
    (part.root, part.path, part.size) = ("r", "\(id).mp4", ByteCount(clamping: 100))
    var episode = Episode(
      id: try EpisodeID(id), title: id, showTitle: "Show", added: moment(age), parts: [part])
    if let watchedAge { episode.markWatched(true, at: moment(watchedAge)) }
    if let arrivalAge {
      episode.appendTransition(
        Transition(at: moment(arrivalAge), part: "video", from: .checked, to: .ready))
      episode.appendTransition(
        Transition(at: moment(arrivalAge - 1), part: "video", from: .ready, to: .damaged))
    }
    let stored = episode
    _ = try store.update(.durable) { $0.write(stored) }
  }

  private func choices(_ change: (inout RetentionRules) -> Void) throws -> [Retention.Choice] {
    var rules = RetentionRules()
    change(&rules)
    return try Retention(rules, in: store.snapshot(), roots: ["r"], now: clock.now).choices()
  }

  private func ids(_ change: (inout RetentionRules) -> Void) throws -> [String] {
    try choices(change).map(\.id.description)
  }

  @Test func `an episode is too old only after the whole time has passed`() throws {
    try put("t/a", age: 10 * Self.day + 1)
    try put("t/b", age: 10 * Self.day)
    #expect(try ids { $0.olderThan = 10 * Self.day } == ["t/a"])
  }

  @Test func `the age counts from the arrival of the file, not from the first line`() throws {
    try put("t/a", age: 90 * Self.day, arrivalAge: 2 * Self.day)
    try put("t/b", age: 90 * Self.day, arrivalAge: 20 * Self.day)
    #expect(try ids { $0.olderThan = 10 * Self.day } == ["t/b"])
  }

  @Test func `watched counts from the mark, and only after the whole time has passed`() throws {
    try put("t/a", age: 90 * Self.day, watchedAge: 3 * Self.day + 1)
    try put("t/b", age: 90 * Self.day, watchedAge: 3 * Self.day)
    try put("t/c", age: 90 * Self.day)
    #expect(try ids { $0.watchedFor = 3 * Self.day } == ["t/a"])
  }

  @Test func `space is freed of watched episodes, and of others only on request`() throws {
    try put("t/a", age: 3 * Self.day)
    try put("t/b", age: 2 * Self.day, watchedAge: Self.day)
    try put("t/c", age: Self.day, watchedAge: Self.day)
    #expect(try ids { $0.free = ByteCount(1) } == ["t/b", "t/c"])
    let all = try ids { rules in
      rules.free = ByteCount(1)
      rules.freesUnwatched = true
    }
    #expect(all == ["t/b", "t/c", "t/a"])
  }

  @Test func `the newest of a show stay, watched or not`() throws {
    try put("t/a", age: 3 * Self.day, watchedAge: Self.day)
    try put("t/b", age: 2 * Self.day)
    try put("t/c", age: Self.day)
    #expect(try ids { $0.keepLast = 2 } == ["t/a"])
    let watched = try ids { rules in
      rules.keepLast = 1
      rules.query.isWatched = true
    }
    #expect(watched == ["t/a"])
  }

  @Test func `each rule gives its reason, in the order of the rules`() throws {
    try put("t/a", age: 40 * Self.day, watchedAge: 9 * Self.day)
    try put("t/b", age: 39 * Self.day)
    func reason(_ change: (inout RetentionRules) -> Void) throws -> String? {
      try choices(change).first { $0.id.description == "t/a" }?.explanation
    }
    #expect(try reason { $0.query.isWatched = true } == "watched")
    #expect(try reason { $0.watchedFor = 7 * Self.day } == "watched more than 7d ago")
    let old = "watched, on disk for more than 30d"
    #expect(try reason { $0.olderThan = 30 * Self.day } == old)
    #expect(try reason { $0.keepLast = 1 } == "watched, not among the newest 1 of its show")
    #expect(try reason { $0.free = ByteCount(1) }?.hasPrefix("watched, to free ") == true)
    let unwatched = try choices { $0.olderThan = 30 * Self.day }
    #expect(unwatched.map(\.explanation) == [old, "on disk for more than 30d"])
  }

  @Test func `the recorded reason is space, watched, or a rule`() {
    func rules(_ change: (inout RetentionRules) -> Void) -> RetentionRules {
      var rules = RetentionRules()
      change(&rules)
      return rules
    }
    let watched = rules { $0.query.isWatched = true }
    #expect(rules { $0.free = ByteCount(1) }.reason == .space)
    #expect(watched.reason == .watched)
    #expect(rules { $0.watchedFor = 1 }.reason == .watched)
    #expect(rules { $0.olderThan = 1 }.reason == .rule)
    #expect(rules { $0.keepLast = 1 }.reason == .rule)
    #expect(RetentionRules().isEmpty)
    #expect(rules { $0.query.isWatched = false }.isEmpty)
    for one in [
      watched, rules { $0.free = ByteCount(1) }, rules { $0.watchedFor = 1 },
      rules { $0.olderThan = 1 }, rules { $0.keepLast = 1 },
    ] {
      #expect(!one.isEmpty)
    }
  }
}
