import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxQueueing
import VmxStore
import VmxTestSupport

struct QueueReorderingTests {
  private let library: ScratchLibrary
  private let editor: QueueEditor

  /// Creates five episodes that were added at the same time, `n1` to `n5` of the show `plain`.
  init() throws {
    library = try ScratchLibrary()
    editor = QueueEditor(library.tools)
    for number in 1...5 { try add("plain/n\(number)") }
  }

  private func add(_ id: String, priority: Int64 = 0) throws {
    var episode = try Episode.sample()
    episode.id = try EpisodeID(id)
    episode.added = library.clock.now
    episode.priority = priority
    let added = episode
    _ = try library.store.update(.soon) { $0.write(added) }
  }

  private func makeFavourite(_ show: String) throws {
    _ = try library.store.update(.soon) {
      $0.write(StoredRecord(kind: .favourite, id: show, fields: JSONObject()))
    }
  }

  private func move(_ names: String..., to goal: QueueDestination) throws {
    _ = try editor.move(try names.map { try EpisodeID($0) }, to: goal)
  }

  /// Returns the episodes in their order, without the show if it is `plain`.
  private func order() throws -> [String] {
    let snapshot = try library.again().snapshot()
    var favourites: Set<String> = []
    snapshot.records(of: .favourite) { record in
      favourites.insert(record.id)
      return true
    }
    var line: [(QueueOrder, String)] = []
    try snapshot.episodes(matching: EpisodeQuery()) { episode in
      let isFavourite = favourites.contains(episode.id.show)
      let order = QueueOrder(of: episode, isFavourite: isFavourite, line: line.count)
      line.append((order, "\(episode.id)"))
      return true
    }
    return line.sorted { $0.0 < $1.0 }.map {
      $0.1.hasPrefix("plain/") ? String($0.1.dropFirst(6)) : $0.1
    }
  }

  @Test func `several are moved to the front in the given order`() throws {
    try move("plain/n4", "plain/n2", to: .first)
    #expect(try order() == ["n4", "n2", "n1", "n3", "n5"])
  }

  @Test func `several are moved to the end in the given order`() throws {
    try move("plain/n4", "plain/n2", to: .last)
    #expect(try order() == ["n1", "n3", "n5", "n4", "n2"])
  }

  @Test func `an item moved before another is directly before it, if added at once too`() throws {
    try move("plain/n5", to: .before(try EpisodeID("plain/n3")))
    #expect(try order() == ["n1", "n2", "n5", "n3", "n4"])
    try move("plain/n4", "plain/n1", to: .before(try EpisodeID("plain/n3")))
    #expect(try order() == ["n2", "n5", "n4", "n1", "n3"])
    try move("plain/n3", to: .before(try EpisodeID("plain/n5")))
    #expect(try order() == ["n2", "n3", "n5", "n4", "n1"])
  }

  @Test func `each can be moved before each other, one after the other`() throws {
    var expected = ["n1", "n2", "n3", "n4", "n5"]
    for mover in 1...5 {
      for target in 1...5 where target != mover {
        try move("plain/n\(mover)", to: .before(try EpisodeID("plain/n\(target)")))
        expected.removeAll { $0 == "n\(mover)" }
        let place = try #require(expected.firstIndex(of: "n\(target)"))
        expected.insert("n\(mover)", at: place)
        #expect(try order() == expected)
      }
    }
  }

  @Test func `a moved item takes the priority of its target`() throws {
    try add("plain/high", priority: 9)
    try add("plain/low", priority: -9)
    try move("plain/n3", to: .first)
    try move("plain/n1", to: .last)
    #expect(try order() == ["n3", "high", "n2", "n4", "n5", "low", "n1"])
  }

  @Test func `a favourite stays before others of its priority, and others are placed after it`()
    throws
  {
    try add("loved/a")
    try makeFavourite("loved")
    #expect(try order().first == "loved/a")
    try move("plain/n2", to: .first)
    #expect(try order().prefix(2) == ["n2", "loved/a"])
    try move("loved/a", to: .last)
    #expect(try order().last == "loved/a")
    try move("loved/a", to: .before(try EpisodeID("plain/n1")))
    #expect(try order() == ["n2", "loved/a", "n1", "n3", "n4", "n5"])
  }

  @Test func `an item already in place is unchanged`() throws {
    let changes = try editor.move([try EpisodeID("plain/n1")], to: .first)
    #expect(changes[0].result == .unchanged(hint: nil))
  }

  @Test func `positions at the limits of the number range are handled`() throws {
    for (name, place) in [("a", Int64.min), ("b", Int64.max)] {
      var episode = try Episode.sample()
      episode.id = try EpisodeID("edge/\(name)")
      episode.place = place
      episode.priority = place
      let added = episode
      _ = try library.store.update(.soon) { $0.write(added) }
    }
    try move("plain/n1", "plain/n2", to: .first)
    try move("plain/n3", "plain/n4", to: .last)
    try move("plain/n5", to: .before(try EpisodeID("edge/a")))
    #expect(try order().count == 7)
  }
}
