import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxLibrary

/// Five descriptions of one episode, as a feed, a file, an archive of another program, a row of the
/// user and a catalogue or a second list give them, in every order.
struct EvidenceOrderTests {
  /// Five descriptions, and the values of the one record that they give in every order.
  struct Five: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let descriptions: [EpisodeDescription]
    let values: [String]
  }

  private static let url = "https://example.org/media/ants.mp4"
  private static let day = CalendarDay("2024-05-07")

  private static func feed(_ show: String = "Show") throws -> EpisodeDescription {
    var item = try EpisodeDescription.at(url, show: show)
    (item.title, item.date, item.feed, item.origin) = ("The Ants", day, "show", .feed)
    (item.guid, item.isDaily, item.isOnlyOfTitle) = ("guid-ants", false, true)
    (item.isOnlyOfDay, item.fileName) = (true, "ants")
    item.identity = [
      .feedItem(feed: "show", guid: "guid-ants"), IdentityKey.item(ofAnyFeed: "guid-ants"),
    ].compactMap(\.self)
    return item
  }

  private static func file(_ origin: FieldOrigin = .name) throws -> EpisodeDescription {
    var file = EpisodeDescription()
    try file.add(PartDescription(role: .video, variants: []))
    (file.showTitle, file.origin, file.isOnlyOfTitle) = ("Show", origin, true)
    file.derived = [.showTitle]
    return file
  }

  /// An episode without bytes and requests, as a list of another program has it.
  private static func listed(_ key: IdentityKey?) throws -> EpisodeDescription {
    var line = EpisodeDescription()
    try line.add(PartDescription(role: .video, variants: []))
    (line.origin, line.fills, line.title) = (.program, true, "ants.mp4")
    line.derived = [.title]
    line.identity = [key].compactMap(\.self)
    return line
  }

  private static func row(_ url: String = url) throws -> EpisodeDescription {
    var row = try EpisodeDescription.at(url, show: "Show")
    row.title = "My ants"
    return row
  }

  static func all() throws -> [Five] {
    var numbered = try feed()
    numbered.number = 2
    var named = try file()
    (named.title, named.number, named.fileName) = ("S01E02", 2, "Show S01E02")
    named.derived = [.showTitle, .title, .number]
    var archive = try listed(.source(url))
    (archive.show, archive.number, archive.summary) = ("Show", 2, "Text of the archive")
    var typed = try row()
    typed.number = 2
    var catalogue = EpisodeDescription()
    (catalogue.show, catalogue.number, catalogue.date) = ("Show", 2, day)
    (catalogue.summary, catalogue.origin, catalogue.fills) = ("Text", .feed, true)
    let byNumber = Five(
      testDescription: "a number, a URL and a catalogue",
      descriptions: [numbered, named, archive, typed, catalogue],
      values: ["My ants", "Show", "2", "2024-05-07", "Text", "show", "guid-ants"])

    var dated = try file()
    (dated.title, dated.date) = ("The ants", day)
    dated.isDaily = false
    dated.isOnlyOfDay = true
    var info = try file(.program)
    (info.title, info.date, info.summary) = ("The Ants", day, "Text of info.json")
    (info.isDaily, info.isOnlyOfDay) = (false, true)
    info.identity = [.source(url)]
    var noted = try row()
    (noted.summary, noted.date) = ("My text", day)
    var line = try listed(IdentityKey.item(ofAnyFeed: "guid-ants"))
    line.show = "Show"
    let byDay = Five(
      testDescription: "a day and a title, an archive line of the guid, and info.json",
      descriptions: [try feed(), dated, line, info, noted],
      values: ["My ants", "Show", "", "2024-05-07", "My text", "show", "guid-ants"])

    // The feed alone shows that the archive line and the file are one episode.
    var bridged = try listed(.source(url))
    bridged.summary = "Text of the archive"
    var tagged = try file(.tags)
    (tagged.title, tagged.number, tagged.season) = ("The ants", 2, 1)
    var second = try listed(IdentityKey.item(ofAnyFeed: "guid-ants"))
    second.duration = 60_000
    let byBridge = Five(
      testDescription: "lists and a file that only the feed connects",
      descriptions: [numbered, named, bridged, tagged, second],
      values: ["The Ants", "Show", "2", "2024-05-07", "Text of the archive", "show", "guid-ants"])

    var own = try file(.nfo)
    (own.title, own.number, own.season) = ("The Ants", 2, 1)
    own.identity = [.ownID(try EpisodeID("show/s01e02"))]
    var bundle = try file(.program)
    (bundle.title, bundle.number, bundle.summary) = ("Ants of a bundle", 2, "Text of the bundle")
    bundle.identity = [.digest(String(repeating: "a", count: 64)), .source(url)]
    var bare = archive
    bare.summary = nil
    let byID = Five(
      testDescription: "an NFO file with an id of vmx, and a bundle",
      descriptions: [numbered, own, bundle, typed, bare],
      values: [
        "My ants", "Show", "2", "2024-05-07", "Text of the bundle", "show", "guid-ants",
      ])
    return [byNumber, byDay, byBridge, byID, try ofNames()]
  }

  /// Three copies of a file under other names, and a line of an archive.
  private static func ofNames() throws -> Five {
    let digest = IdentityKey.digest(String(repeating: "b", count: 64))
    func copy(_ title: String, _ name: String, _ fields: Set<PathField>) throws
      -> EpisodeDescription
    {
      var copy = EpisodeDescription()
      let variant = VariantDescription(sources: [], size: ByteCount(100))
      try copy.add(PartDescription(role: .video, variants: [variant]))
      (copy.showTitle, copy.origin, copy.isOnlyOfTitle) = ("Show", .name, true)
      (copy.title, copy.fileName, copy.derived) = (title, name, fields)
      copy.identity = [digest]
      return copy
    }
    let plain = try copy("talk", "talk", [.showTitle, .title])
    var dated = try copy("The Ants", "2024-05-07 The Ants", [.showTitle, .title, .date])
    dated.date = day
    var kodi = try copy("S01E02", "Show S01E02", [.showTitle, .title, .season, .number])
    (kodi.season, kodi.number) = (1, 2)
    var item = try feed()
    (item.number, item.fileName, item.sizes) = (2, "talk", [100])
    return Five(
      testDescription: "copies of one file under three names",
      descriptions: [item, plain, dated, kodi, try listed(.source(url))],
      values: ["The Ants", "Show", "2", "2024-05-07", "", "show", "guid-ants"])
  }

  private static func permutations<T>(_ items: [T]) -> [[T]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var rest = items
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  private func values(_ episode: Episode) -> [String] {
    [
      episode.title, episode.showTitle, episode.number.map { "\($0)" } ?? "",
      episode.date?.description ?? "", episode.summary ?? "", episode.feed ?? "",
      episode.guid ?? "",
    ]
  }

  private func episodes(of library: ScratchLibrary) throws -> [Episode] {
    var episodes: [Episode] = []
    try library.store.snapshot().episodes(matching: EpisodeQuery()) { episode in
      episodes.append(episode)
      return true
    }
    return episodes
  }

  @Test(arguments: try all())
  func `five descriptions give one record in every order, and twice changes nothing`(
    _ five: Five
  ) throws {
    let library = try ScratchLibrary()
    let importer = EpisodeBatchImporter(
      store: library.store.dryRun, clock: library.clock)
    for order in Self.permutations(Array(five.descriptions.indices)) {
      let ordered = order.map { five.descriptions[$0] }
      let taken = try importer.add(ordered + ordered, isTyped: false).map { try $0.get() }
      for step in taken where step.verdict == .updated {
        // What an undo restores of the description is what was there.
        guard let before = step.before else { continue }
        var undone = step.episode
        undone.restoreDescription(from: before)
        #expect(values(undone) == values(before) && undone.by == before.by)
      }
      let again = taken.suffix(order.count)
      #expect(Set(again.map(\.episode.id)).count == 1, "\(order): \(again.map(\.episode.id))")
      #expect(again.allSatisfy { $0.verdict == .unchanged }, "\(order): \(again.map(\.verdict))")
      #expect(again.last.map { values($0.episode) } == five.values, "\(order)")
    }
  }

  @Test(arguments: try all())
  func `the store has one record of five descriptions, and no twins`(_ five: Five) throws {
    let library = try ScratchLibrary()
    for description in five.descriptions.reversed() + five.descriptions {
      _ = try library.take(description, isTyped: false)
    }
    let found = try episodes(of: library)
    #expect(found.map(values) == [five.values])
    #expect(try EpisodeTwins(in: library.store.snapshot()).pairs.isEmpty)
  }

  @Test func `names give one title in every order, that of the name with a title`() throws {
    let all = try #require(try Self.all().last?.descriptions)
    let names = Array(all[1...3])
    for order in Self.permutations(Array(names.indices)) {
      let library = try ScratchLibrary()
      let importer = EpisodeBatchImporter(store: library.store.dryRun, clock: library.clock)
      let ordered = order.map { names[$0] }
      let taken = try importer.add(ordered + ordered, isTyped: false).map { try $0.get() }
      let found = taken.last.map { values($0.episode) }
      #expect(found == ["The Ants", "Show", "2", "2024-05-07", "", "", ""], "\(order)")
      #expect(taken.suffix(order.count).allSatisfy { $0.verdict == .unchanged }, "\(order)")
    }
  }

  @Test func `a list that a feed connects with a file becomes an alias of its episode`() throws {
    let library = try ScratchLibrary()
    let line = try library.take(Self.listed(.source(Self.url)), isTyped: false).episode
    var file = try Self.file()
    (file.number, file.title) = (2, "S01E02")
    file.derived = [.showTitle, .title, .number]
    let episode = try library.take(file, isTyped: false).episode
    #expect(line.id != episode.id)
    var item = try Self.feed()
    item.number = 2
    _ = try library.take(item, isTyped: false)
    #expect(try library.store.snapshot().episode(line.id)?.id == episode.id)
  }
}
