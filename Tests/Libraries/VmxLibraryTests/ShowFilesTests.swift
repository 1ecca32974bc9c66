import SystemPackage
import Testing
import VmxLibraryTestSupport
import VmxMarkup
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxLibrary

/// The files in the folder `Show` of the sample episode.
struct ShowFilesTests {
  private let library: ScratchLibrary
  private let episode: Episode
  private let root: FilePath
  private let own: [UInt8] = [0xFF, 0xD8, 0xFF, 1]

  init() throws {
    library = try ScratchLibrary()
    episode = try library.placed()
    root = try library.mediaRoots.forNewFiles().folder
    var picture = ShowPicture(url: "https://example.org/a.jpg", isForeign: true)
    picture.record(ShowPicture.digest(of: own), file: "poster.jpg", type: "image/jpeg")
    var show = LibraryShow(slug: episode.id.show, title: "Show")
    show.picture = picture
    let record = show
    try library.store.update(.durable) {
      try $0.write(record, replacing: LibraryShow(slug: record.slug, title: nil))
    }
    try library.scratch.write(
      "media/Show/tvshow.nfo",
      try EpisodeNFO.show(LibraryShow(slug: episode.id.show, title: nil), titled: "Show"))
    try removeFile(root.appending(episode.parts[0].path ?? ""))
    _ = try removeFolderIfEmpty(root.appending("Show/Season 01"))
  }

  private var files: ShowFiles {
    get throws { ShowFiles(of: episode, below: root, in: try library.store.snapshot()) }
  }

  private var names: [String] {
    get throws { try FolderNames(of: root.appending("Show")).names }
  }

  private var path: String { episode.parts[0].path ?? "" }

  @Test func `the picture that vmx wrote goes with the NFO file of the show`() throws {
    try library.scratch.write("media/Show/poster.jpg", own)
    #expect(try files.unusedNFO(above: path) == "Show/tvshow.nfo")
    #expect(try files.remove(above: path) == "Show/tvshow.nfo")
    #expect(try names.isEmpty)
  }

  @Test func `a picture of the user keeps both`() throws {
    try library.scratch.write("media/Show/folder.jpg", own + [2])
    #expect(try files.remove(above: path) == nil)
    #expect(try names == ["folder.jpg", "tvshow.nfo"])
  }

  @Test func `a picture without the NFO file is removed too`() throws {
    try library.scratch.write("media/Show/poster.jpg", own)
    try removeFile(root.appending("Show/tvshow.nfo"))
    #expect(try files.unusedNFO(above: path) == nil)
    #expect(try files.remove(above: path) != nil)
    #expect(try names.isEmpty)
  }

  @Test func `a picture that the user made of that of vmx is moved with the show`() throws {
    try library.scratch.write("media/Show/poster.jpg", own + [2])
    try library.scratch.write("media/New/poster.jpg", own)
    #expect(try files.move(above: path, to: "New/Season 01/a.mp4") == "Show/tvshow.nfo")
    #expect(try names.isEmpty)
    #expect(
      try RegularFile.prefix(of: root.appending("New/poster.jpg"), upTo: 9) == own + [2])
  }

  @Test func `the picture of vmx is copied once, and never over one of the user`() throws {
    try library.scratch.write("media/Show/poster.jpg", own)
    try library.scratch.write("media/Other/Show/cover.png", [1])
    for target in ["media", "media/Other"] {
      try files.copyPicture(
        above: path, to: "Show/Season 01/a.mp4", below: library.scratch.path(target))
    }
    #expect(try names == ["poster.jpg", "tvshow.nfo"])
    #expect(try FolderNames(of: root.appending("Other/Show")).names == ["cover.png"])
    try library.scratch.makeFolder("disk")
    try library.scratch.makeFolder("disk/Show")
    try files.copyPicture(
      above: path, to: "Show/Season 01/a.mp4", below: library.scratch.path("disk"))
    #expect(try library.scratch.bytes("disk/Show/poster.jpg") == own)
  }
}
