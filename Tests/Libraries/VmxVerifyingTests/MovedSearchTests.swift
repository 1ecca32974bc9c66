import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport
import VmxVerifying

struct MovedSearchTests {
  let library: VerifyingLibrary

  init() throws {
    library = try VerifyingLibrary()
  }

  private func move(_ name: String, to other: String) throws {
    // Creates the folders above it as well.
    try library.scratch.write("media/\(other)", "")
    let status = rename(
      library.scratch.path("media/\(name)").string, library.scratch.path("media/\(other)").string)
    try #require(status == 0)
  }

  @Test func `a moved file is followed`() throws {
    try library.add("t/a", Array("one film".utf8))
    try move("t/a.mp4", to: "sorted/by me.mp4")
    let results = try library.verify()
    #expect(results.map(\.verdict) == [.moved])
    #expect(try library.video("t/a")?.path == "sorted/by me.mp4")
    #expect(try library.video("t/a")?.state == .ready)
    #expect(try library.verify().map(\.verdict) == [.intact])
  }

  @Test func `a file of the same size with other bytes is not a match`() throws {
    try library.add("t/a", Array("one film".utf8))
    try #require(unlink(library.scratch.path("media/t/a.mp4").string) == 0)
    try library.scratch.write("media/other.mp4", "two film")
    #expect(try library.verify().map(\.verdict) == [.missing])
  }

  @Test func `a file of another record is not taken over`() throws {
    try library.add("t/a", Array("one film".utf8))
    try library.add("t/b", Array("one film".utf8))
    try #require(unlink(library.scratch.path("media/t/a.mp4").string) == 0)
    #expect(try library.verify().answers == ["t/a": .missing, "t/b": .intact])
  }

  @Test func `two identical files are assigned to two records`() throws {
    try library.add("t/a", Array("one film".utf8))
    try library.add("t/b", Array("one film".utf8))
    try move("t/a.mp4", to: "x/1.mp4")
    try move("t/b.mp4", to: "x/2.mp4")
    #expect(try library.verify().answers == ["t/a": .moved, "t/b": .moved])
    let paths = try ["t/a", "t/b"].map { try library.video($0)?.path }
    #expect(Set(paths) == ["x/1.mp4", "x/2.mp4"])
  }

  @Test func `the trash and other hidden folders are not searched`() throws {
    try library.add("t/a", Array("one film".utf8))
    try move("t/a.mp4", to: ".vmx/trash/1.mp4")
    #expect(try library.verify().map(\.verdict) == [.missing])
  }
}
