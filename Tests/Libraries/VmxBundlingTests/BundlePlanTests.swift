import SystemPackage
import Testing
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxBundling

struct BundlePlanTests {
  @Test func `names come from the record, and never from the library`() throws {
    let here = Part.packable(path: "Show/Season 01/Show - S01E02 - Title (7).mkv")
    let there = Part.packable(path: "elsewhere/x.mkv")
    let plans = try [here, there].map { part in
      try BundlePlan([.packable("show/s01e02", "Title", number: 2, parts: [part])])
    }
    let names = [
      "Show/Season 01/Show - S01E02 - Title.mkv", "Show/Season 01/Show - S01E02 - Title.nfo",
    ]
    #expect(plans.map(\.names) == [names, names])
  }

  @Test(arguments: [
    ["Title", "TITLE"], ["Caf\u{E9}", "Cafe\u{301}"], ["Stra\u{DF}e", "STRASSE"],
  ])
  func `names that a file system may take for one are numbered`(titles: [String]) throws {
    let plan = try BundlePlan([
      .packable("show/a", titles[0]), .packable("show/b", titles[1]),
    ])
    let folded = Set(plan.names.map { $0.uppercased() })
    #expect(folded.count == 4)
    #expect(plan.names.count { $0.contains(" (2).") } == 2)
  }

  @Test func `forty episodes with one title have forty names, in the order of their ids`() throws {
    let episodes = try (10..<50).map { try Episode.packable("show/n\($0)", "Title") }
    let plan = try BundlePlan(episodes.shuffled())
    #expect(Set(plan.names).count == 80)
    let videos = plan.entries.flatMap { $0.files.map(\.path).filter { $0.hasSuffix(".mp4") } }
    #expect(videos.first == "data/Show/Show - Title.mp4")
    #expect(videos.last == "data/Show/Show - Title (40).mp4")
    #expect(
      videos
        == (try BundlePlan(episodes).entries.flatMap { $0.files.map(\.path) })
        .filter { $0.hasSuffix(".mp4") })
  }

  @Test func `two parts of an episode never share a name`() throws {
    let parts = [
      Part.packable(path: "a.mp4"), .packable(.key, path: "a.mp4", digest: 2),
      .packable(.metadata, path: "a.nfo", digest: 3),
    ]
    var content = BundleContent()
    content.withKeys = true
    let plan = try BundlePlan([.packable("show/a", "A", parts: parts)], content)
    #expect(plan.names == ["Show/Show - A.mp4", "Show/Show - A.mp4.key", "Show/Show - A.nfo"])
    // The metadata part has the name of the NFO file, which is therefore omitted.
    #expect(plan.files.allSatisfy { $0.file.content != .document })
  }

  @Test func `a flat layout has the same names without folders`() throws {
    var content = BundleContent()
    content.layout = .flat
    let plan = try BundlePlan([.packable("show/s01e02", "Title", number: 2)], content)
    #expect(plan.names == ["Show - S01E02 - Title.mp4", "Show - S01E02 - Title.nfo"])
  }

  @Test func `a folder's file of an episode that cannot be packed now keeps its name`() throws {
    let episodes = [
      try Episode.packable("show/a", "T", parts: [.lost(.damaged)]),
      try Episode.packable("show/b", "T"),
    ]
    let numbered = ["Show/Show - T (2).mp4", "Show/Show - T (2).nfo"]
    for keeps in [true, false] {
      let folder = FolderContent(
        forEachEpisode: { try $0("show/a", ["data/Show/Show - T.mp4"]) },
        hasCopy: { _, _ in true }, keeps: { _ in keeps })
      #expect(try BundlePlan(episodes, in: folder).names == numbered)
      #expect(
        try BundlePlan([.packable("show/a", "T"), episodes[1]], in: folder).names.count == 4)
      // The episode is not selected.
      let names = try BundlePlan([episodes[1]], in: folder).names
      #expect(names == (keeps ? numbered : ["Show/Show - T.mp4", "Show/Show - T.nfo"]))
    }
  }

  @Test func `what is removed from a plan leaves the rest as it was`() throws {
    let episodes = try ["a", "b", "c"].map { try Episode.packable("show/\($0)", "T\($0)") }
    var plan = try BundlePlan(episodes)
    plan.remove([episodes[1].id])
    #expect(plan.names == (try BundlePlan([episodes[0], episodes[2]]).names))
    #expect(plan.contains(episodes[2].id) && !plan.contains(episodes[1].id))
    #expect(plan.size == plan.files.reduce(0) { $0 + $1.file.size.bytes })
  }

  @Test func `a bundle that an import would refuse is not written`() throws {
    let episodes = try ["a", "b"].map { try Episode.packable("show/\($0)", "100% \($0)") }
    let plan = try BundlePlan(episodes)
    func refusal(_ change: (inout BundleLimits) -> Void) -> ErrorCode? {
      var limits = BundleLimits()
      change(&limits)
      return #expect(throws: Failure.self) { try plan.check(for: .sevenZip, limits) }?.code
    }
    func size(_ name: String) throws -> Int64 {
      try #require(BundleTags(plan, info: BundleInfo()).files.first { $0.path == name }).size
    }
    var enough = BundleLimits()
    enough.entries = 4 + 16
    enough.metadata = try size("manifest-sha256.txt") + (64 << 10)
    enough.records = try size("vmx-records.jsonl")
    enough.list = 1000
    try plan.check(for: .sevenZip, enough)
    #expect(refusal { $0.entries = enough.entries - 1 } == .bundleTooLarge)
    #expect(refusal { $0.metadata = enough.metadata - 1 } == .bundleTooLarge)
    #expect(refusal { $0.records = enough.records - 1 } == .bundleTooLarge)
    #expect(refusal { $0.list = 4 * 64 } == .bundleTooLarge)
    enough.list = 0
    try plan.check(for: .tar, enough)
  }

  @Test func `the order of the episodes changes nothing`() throws {
    let episodes = try ["b", "c", "a"].map { try Episode.packable("show/\($0)", "T\($0)") }
    let plan = try BundlePlan(episodes)
    #expect(plan.entries.map(\.id.description) == ["show/a", "show/b", "show/c"])
    #expect(plan.names == (try BundlePlan(episodes.reversed())).names)
    #expect(plan.names == plan.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test func `an episode without a packable file is not in the plan`() throws {
    #expect(try BundlePlan([.packable("show/a", "A", parts: [.lost(.new)])]).entries.isEmpty)
    var content = BundleContent()
    content.known = [Digest.all(1)].compactMap { $0 }.reduce(into: []) { $0.insert($1) }
    #expect(try BundlePlan([.packable("show/a", "A")], content).entries.isEmpty)
  }

  /// The part was omitted without a message.
  @Test(
    arguments: [
      (.damaged, .fileDamaged), (.missing, .fileMissing), (.queued, .fileMissing), (.new, nil),
      (.removed, nil), (.removing, nil),
    ] as [(PartState, ErrorCode?)])
  func `a damaged or missing part fails its episode, unless it is excluded`(
    state: PartState, code: ErrorCode?
  ) throws {
    let lost = Part.lost(state, .subtitle, "en")
    let episode = try Episode.packable("show/a", "A", parts: [.packable(), lost])
    let plan = try BundlePlan([episode])
    #expect(plan.failures[episode.id]?.code == code)
    #expect(plan.contains(episode.id) == (code == nil))
    #expect(BundleExporter.End(plan).failures == plan.failures)
    var content = BundleContent()
    content.subtitles = ["de"]
    #expect(try BundlePlan([episode], content).failures.isEmpty)
  }

  @Test func `a repair that waits or has failed does not make a damaged part packable`() throws {
    for state in [PartState.waiting, .failed] {
      var lost = Part.lost(state)
      lost.resumeState = .damaged
      let episode = try Episode.packable("show/a", "A", parts: [lost, .packable(.image)])
      #expect(try BundlePlan([episode]).failures[episode.id]?.code == .fileDamaged)
    }
  }

  /// The update of a folder deleted these copies.
  @Test(
    arguments: [
      (.damaged, .fileDamaged), (.missing, .fileMissing), (.queued, .fileMissing),
      (.failed, .fileMissing), (.new, .noFile), (.checked, .noFile), (.removed, nil),
      (.removing, nil),
    ] as [(PartState, ErrorCode?)])
  func `an episode whose copy in the folder has no file in the library fails`(
    state: PartState, code: ErrorCode?
  ) throws {
    let lost = Part.lost(state)
    let episode = try Episode.packable("show/a", "A", parts: [lost, .packable(.image)])
    let folder = FolderContent(
      forEachEpisode: { _ in }, hasCopy: { part, _ in part.role == .video },
      keeps: { _ in false })
    for roles: Set<PartRole> in [[], [.video]] {
      var content = BundleContent()
      content.excluded = PartSelection(roles: roles)
      let plan = try BundlePlan([episode], content, in: folder)
      #expect(plan.failures[episode.id]?.code == code)
    }
  }

  @Test func `the copy of a cached picture is no reason to fail`() throws {
    var image = Part.lost(.new, .image)
    image.path = nil
    let episode = try Episode.packable("show/a", "A", parts: [.packable(), image])
    let folder = FolderContent(
      forEachEpisode: { _ in }, hasCopy: { _, _ in true }, keeps: { _ in false })
    #expect(try BundlePlan([episode], in: folder).failures.isEmpty)
  }

  @Test func `a record tells which parts have a file in the bag`() throws {
    let parts = [Part.packable(), .packable(.subtitle, "en"), .packable(.subtitle, "de")]
    let episode = try Episode.packable("show/a", "A", parts: parts)
    let record = BundleRecord.object(
      of: episode, paths: ["video": "data/a.mp4", "subtitle:en": "data/a.srt"], nfo: nil)
    var forced = parts[1]
    forced.isForced = true
    let held = (parts + [forced]).map { BundleRecord.hasFile(of: $0, in: record) }
    #expect(held == [true, true, false, false])
  }

  @Test func `an episode whose only part is left out keeps its record and its NFO file`() throws {
    var content = BundleContent()
    content.excluded = PartSelection(roles: [.video])
    let plan = try BundlePlan([.packable("show/a", "A")], content)
    #expect(plan.names == ["Show/Show - A.nfo"])
    content.listsSources = true
    #expect(try BundlePlan([.packable("show/a", "A")], content).entries.first?.remotes.count == 1)
    // Another bundle already contains the NFO file or the part, so no file is left to add.
    for digest in [plan.files[0].file.sha256, Digest.all(1)].compactMap({ $0 }) {
      content.listsSources = digest == Digest.all(1)
      content.known = [digest]
      #expect(try BundlePlan([.packable("show/a", "A")], content).entries.isEmpty)
    }
  }
}

struct BundleContentTests {
  private static let parts = [
    Part.packable(), .packable(.subtitle, "en", path: "a.srt", digest: 2),
    .packable(.subtitle, "pt-BR", path: "b.srt", digest: 3),
    .packable(.subtitle, path: "c.srt", digest: 4), .packable(.image, path: "a.jpg", digest: 5),
    .packable(.key, path: "a.key", digest: 6),
  ]

  private func packed(_ choose: (inout BundleContent) throws -> Void) throws -> [String] {
    var content = BundleContent()
    try choose(&content)
    return try BundlePlan([.packable("show/a", "A", parts: Self.parts)], content).names
      .map { String($0.dropFirst("Show/Show - A".count)) }
  }

  @Test func `all but keys is packed`() throws {
    #expect(
      try packed { _ in } == ["-thumb.jpg", ".en.srt", ".mp4", ".nfo", ".pt-BR.srt", ".srt"])
    #expect(try packed { $0.withKeys = true }.contains(".key"))
  }

  @Test func `subtitles are chosen by language, and a main language includes its regions`() throws {
    let chosen = try packed { $0.subtitles = ["pt"] }
    #expect(chosen == ["-thumb.jpg", ".mp4", ".nfo", ".pt-BR.srt"])
    #expect(try !packed { $0.subtitles = ["pt-PT"] }.contains(".pt-BR.srt"))
  }

  @Test func `parts are left out by role and by name`() throws {
    let chosen = try packed { $0.excluded = try PartSelection(["video,subtitle:en", "image"]) }
    #expect(chosen == [".nfo", ".pt-BR.srt", ".srt"])
  }

  @Test func `what another bundle has is left out`() throws {
    let chosen = try packed { content in
      content.known = Set((1...4).compactMap { Digest.all($0) })
    }
    #expect(chosen == ["-thumb.jpg", ".nfo"])
  }

  @Test func `what is left out is listed with its source, unless it needs a secret`() throws {
    var parts = Self.parts
    parts[1].variants[0].sources[0].secret = "reference"
    var content = BundleContent()
    content.listsSources = true
    content.excluded = PartSelection(roles: [.video, .subtitle])
    let plan = try BundlePlan([.packable("show/a", "A", parts: parts)], content)
    let urls = try plan.remotes.map { try plan.url(of: $0) }
    #expect(Set(urls) == Set(["there/a.mp4", "b.srt", "c.srt"].map { "http://127.0.0.1/\($0)" }))
  }
}

struct BundleVolumesTests {
  private static func plan(_ sizes: [Int64]) throws -> BundlePlan {
    try BundlePlan(
      sizes.enumerated().map { index, size in
        var part = Part.packable(digest: UInt8(index))
        part.size = ByteCount(clamping: size)
        return try Episode.packable("show/n\(index)", "N\(index)", parts: [part])
      })
  }

  @Test func `volumes hold whole episodes in their order, each below the limit`() throws {
    let plan = try Self.plan([900_000, 900_000, 900_000, 10, 1_800_000])
    let volumes = try plan.volumes(below: 2_000_000)
    let ids = volumes.map { $0.entries.map { $0.id.episode } }
    #expect(ids == [["n0", "n1"], ["n2", "n3"], ["n4"]])
    #expect(volumes.allSatisfy { $0.size < 2_000_000 })
  }

  @Test func `an episode that fits into no volume is refused`() throws {
    let plan = try Self.plan([10, 2_000_000])
    #expect(code { try plan.volumes(below: 2_000_000) } == .usage)
  }

  // The 7z writer sets TMPDIR, in which the other tests of this process create their folders.
  @Test(arguments: ArchiveFormat.allCases.filter(\.streams))
  func `no volume reaches its limit, however many episodes and however long their titles`(
    format: ArchiveFormat
  ) throws {
    let long = String(repeating: "x", count: 90)
    let title = String(repeating: "\u{1F3AC}", count: 40)
    var content = BundleContent()
    content.excluded = PartSelection(roles: [.video])
    let plan = try BundlePlan(
      (100..<700).map { try Episode.packable("\(long)/\(long)-\($0)", "\(title)\($0)") }, content)
    let limit: Int64 = 240_000
    let volumes = try plan.volumes(below: limit)
    #expect(volumes.map(\.entries.count).reduce(0, +) == 600)
    var info = BundleInfo()
    let first = try #require(volumes.first)
    for entry in volumes.dropFirst().flatMap(\.entries) { info.elsewhere[entry.id] = 10 }
    let scratch = try ScratchFolder()
    let store = try LibraryStore.open(
      LibraryHome(scratch.path.appending("home")), clock: FixedClock())
    let exporter = BundleExporter(
      LibraryTools(
        store, clock: FixedClock(), tool: "export", newFilesBelow: scratch.path.appending("media")))
    let file = scratch.path.appending("b.\(format.rawValue)")
    _ = try exporter.write(first, BundleExporter.Form(format, info: info), to: file)
    let size = try #require(try FileFacts.of(file)).size
    #expect(size < limit)
  }

  @Test func `nothing makes no volume`() throws {
    #expect(try Self.plan([]).volumes(below: 10).isEmpty)
  }
}
