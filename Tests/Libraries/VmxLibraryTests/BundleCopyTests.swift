import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct BundleCopyTests {
  private let library: ScratchLibrary
  private let bundle: FilePath

  init() throws {
    library = try ScratchLibrary()
    bundle = library.scratch.path.appending("b.tar")
    try library.scratch.write("b.tar", "bytes")
  }

  private func record(
    _ ids: [String], at path: FilePath? = nil, type: String = "tar", mark: FilePath? = nil
  ) throws {
    let path = path ?? bundle
    let video = BundleCopy.Video(Self.digest, path: "data/x.mp4")
    let episodes = try ids.map { (try EpisodeID($0), video) }
    let copy = try #require(
      try BundleCopy(
        at: path, markFile: mark ?? path, type: type, verified: library.clock.now,
        episodes: Dictionary(uniqueKeysWithValues: episodes)))
    let before = try library.store.snapshot()
    try library.store.update(.durable) { try copy.record(in: &$0, before: before) }
  }

  private static let digest = Digest(.sha256, bytes: [UInt8](repeating: 0xAB, count: 32))

  private func presence() throws -> EpisodeCopy.Presence? {
    try copies(of: "a/b").first.map { $0.copy.presence(of: $0.video) }
  }

  private func copies(of id: String) throws -> [(copy: BundleCopy, video: BundleCopy.Video)] {
    try library.again().snapshot().copies(of: try EpisodeID(id))
  }

  @Test func `a bundle is found by each of its episodes, as it was recorded`() throws {
    try record(["a/b", "a/c"])
    let found = try #require(try copies(of: "a/c").first)
    #expect(
      found.copy.path == bundle && found.copy.type == "tar"
        && found.video.digest == "abababababababab")
    #expect(found.copy.verified == library.clock.now && found.copy.episodes.count == 2)
    #expect(try copies(of: "a/d").isEmpty)
  }

  @Test func `an episode whose id is a prefix of another is not in its bundle`() throws {
    try record(["a/bc"])
    #expect(try copies(of: "a/b").isEmpty)
  }

  @Test func `a bundle at the same path replaces its previous record`() throws {
    try record((0..<1201).map { "a/n\($0)" })
    #expect(try copies(of: "a/n1200").count == 1)
    try record(["a/n1"])
    #expect(try copies(of: "a/n1").count == 1)
    for id in ["a/n0", "a/n600", "a/n1200"] { #expect(try copies(of: id).isEmpty) }
  }

  @Test func `the previous ids of an episode are found`() throws {
    try record(["a/old"])
    try library.store.update(.durable) { transaction in
      transaction.write(
        StoredRecord(
          kind: .alias, id: "a/old", fields: JSONObject(distinct: [("to", .string("a/new"))])))
    }
    #expect(try copies(of: "a/new").count == 1)
  }

  @Test func `presence distinguishes an unreachable bundle from a changed one`() throws {
    try record(["a/b"])
    #expect(try presence() == .reachable)
    try library.scratch.write("b.tar", "other bytes")
    #expect(try presence() == .changed)
    // The folder of the bundle has other files, so it is no empty mount point.
    try removeFile(bundle)
    #expect(try presence() == .missing)
  }

  @Test func `a folder is identified by its manifest`() throws {
    let folder = library.scratch.path.appending("stick")
    try library.scratch.write("stick/manifest-sha256.txt", "lines")
    try record(["a/b"], at: folder, type: "folder", mark: folder.appending(BundleCopy.manifest))
    #expect(try presence() == .reachable)
    try library.scratch.write("stick/data/x", "more")
    #expect(try presence() == .reachable)
    try library.scratch.write("stick/manifest-sha256.txt", "other lines")
    #expect(try presence() == .changed)
  }

  // A folder whose video was deleted or damaged was reachable as long as its manifest was.
  @Test func `a folder has changed for an episode whose video has changed`() throws {
    let folder = library.scratch.path.appending("stick")
    try library.scratch.write("stick/manifest-sha256.txt", "lines")
    try library.scratch.write("stick/data/x.mp4", "video")
    try record(["a/b"], at: folder, type: "folder", mark: folder.appending(BundleCopy.manifest))
    #expect(try presence() == .reachable)
    try library.scratch.write("stick/data/x.mp4", "a larger video")
    #expect(try presence() == .changed)
    try removeFile(folder.appending("data/x.mp4"))
    #expect(try presence() == .changed)
  }

  @Test func `a bundle is not listed once its verification has failed`() throws {
    try record((0..<501).map { "a/n\($0)" })
    #expect(try library.store.snapshot().verified(copyAt: bundle) == library.clock.now)
    try library.store.deleteCopyRecords(at: bundle)
    for id in ["a/n0", "a/n500"] { #expect(try copies(of: id).isEmpty) }
    #expect(try library.store.snapshot().verified(copyAt: bundle) == nil)
  }

  @Test func `the places of an episode are compared by the bytes of its video`() throws {
    var episode = try Episode.sample(.ready)
    (episode.parts[0].root, episode.parts[0].path) = ("none", "a.mp4")
    try record(["show/a"])
    func same(_ digest: Digest?) throws -> [Bool?] {
      episode.parts[0].sha256 = digest
      return try library.again().snapshot().episodeCopies(of: episode).map(\.isSame)
    }
    #expect(try same(Self.digest) == [true, true])
    #expect(try same(Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32))) == [true, false])
    #expect(try same(nil) == [true, nil])
    episode.parts[0].state = .missing
    #expect(try library.again().snapshot().episodeCopies(of: episode).map(\.type) == ["tar"])
  }
}
