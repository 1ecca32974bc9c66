import Testing
import VmxModel

@Suite struct LibraryLayoutTests {
  @Test(arguments: [
    ("00000000000000aa-video.part", LibraryLayout.Partial.part(claim: 170)),
    ("00000000000000aa-subtitle-en.part.json", .part(claim: 170)),
    ("00000000000000aa-video.part.aside", .rejected(claim: 170)),
    (".vmx-0123456789abcdef.tmp", .draft),
  ])
  func `names written by vmx are parsed`(path: String, name: LibraryLayout.Partial) {
    #expect(LibraryLayout.partial(named: path) == name)
  }

  @Test(arguments: [
    "notes.txt", "00000000000000aa.part", "00000000000000ag-video.part",
    "ffffffffffffffff-video.part", "import-.part", "00000000000000aa-video.part.mine",
  ])
  func `other names belong to no episode`(name: String) {
    #expect(LibraryLayout.partial(named: name) == nil)
  }

  @Test func `the hash of a sidecar's name is that of its episode's id`() {
    #expect(
      LibraryLayout.hash(ofSidecar: Array("show~s01e02.json".utf8)) == StableHash.of("show/s01e02"))
    let path = PathBytes(".vmx/records/show~s01e02.json")
    #expect(LibraryLayout.episode(ofSidecar: path)?.description == "show/s01e02")
    #expect(LibraryLayout.hash(ofSidecar: Array("show~s01e02.txt".utf8)) == nil)
  }

  @Test func `names created by the layout are recognised by it`() throws {
    let id = try EpisodeID("show/s01e02")
    let sidecar = PathBytes(LibraryLayout.sidecar(of: id))
    #expect(LibraryLayout.episode(ofSidecar: sidecar) == id)
    #expect(LibraryLayout.Folder.records.contains(sidecar))
    let partial = LibraryLayout.partial(of: id, part: "subtitle:en")
    let name = try #require(partial.split(separator: "/").last)
    #expect(LibraryLayout.partial(named: String(name)) == .part(claim: id.claimOffset))
    #expect(LibraryLayout.Folder.partial.contains(PathBytes(partial)))
    #expect(LibraryLayout.isTemporary(LibraryLayout.temporaryName().utf8))
    let uuid = "0f0e0d0c-0b0a-4908-8706-050403020100"
    #expect(LibraryLayout.isDraftOfMark(Array(LibraryLayout.draftOfMark(uuid).utf8)))
  }

  @Test(arguments: [".vmx/trash/../partial/a", ".vmx/trashes/a", "/.vmx/trash/a", ".vmx/trash"])
  func `a path outside the root is in no folder of the layout`(path: String) {
    #expect(!LibraryLayout.Folder.trash.contains(PathBytes(path)))
  }

  @Test(arguments: ["a~b/c", "..", "a", "~/x"])
  func `a name of another form is not a trash entry`(name: String) {
    #expect(!LibraryLayout.isTrashEntry(name))
  }
}
