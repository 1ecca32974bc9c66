@testable import VmxRemoving
import Testing
import VmxModel

@Suite struct PartialNameTests {
  @Test(arguments: [
    (".vmx/partial/00000000000000aa-video.part", PartialName.part(claim: 170)),
    (".vmx/partial/00000000000000aa-subtitle-en.part.json", .part(claim: 170)),
    (".vmx/partial/00000000000000aa-video.part.aside", .aside(claim: 170)),
    (".vmx/partial/.vmx-0123456789abcdef.tmp", .draft),
  ])
  func `names of ours are read`(path: String, name: PartialName) {
    #expect(PartialName(PathBytes(path)) == name)
  }

  @Test(arguments: [
    "notes.txt", "00000000000000aa.part", "00000000000000ag-video.part",
    "ffffffffffffffff-video.part", "import-.part", "00000000000000aa-video.part.mine",
  ])
  func `other names belong to no episode`(name: String) {
    #expect(PartialName(PathBytes(".vmx/partial/\(name)")) == nil)
  }

  @Test func `a sidecar's name hashes as its episode's id`() {
    #expect(SidecarName.hash(Array("show~s01e02.json".utf8)) == StableHash.of("show/s01e02"))
    let path = PathBytes(".vmx/records/show~s01e02.json")
    #expect(SidecarName.id(path)?.description == "show/s01e02")
    #expect(SidecarName.hash(Array("show~s01e02.txt".utf8)) == nil)
  }
}
