import Testing
import VmxModel

@testable import VmxArchive

struct BagFolderTests {
  /// Adds those of the paths that may be tag files.
  private func folder(of paths: [String]) throws -> BagFolder {
    var folder = BagFolder()
    for path in paths.map({ PathBytes($0) }) where folder.mayBeTag(path, orNamed: "records") {
      _ = try folder.add(path)
    }
    return folder
  }

  @Test(arguments: [
    (["bagit.txt", "data/x"], "."), (["a.txt", "b/data/x", "b/bagit.txt"], "b"),
    (["x/y/manifest-md5.txt"], "x/y"), (["b/data/c/bagit.txt", "b/bagit.txt"], "b"),
    (["b/data/c/bagit.txt", "b/data/d/bagit.txt", "b/bagit.txt"], "b"),
    (["b/bagit.txt", "b/data/c/bagit.txt"], "b"), (["b/records"], "b"),
  ])
  func `the outermost folder with tag files is the bag, in any order`(
    paths: [String], expected: String
  ) throws {
    let folder = try folder(of: paths)
    #expect(folder.isFound)
    #expect(folder.displayPath == expected)
    #expect(folder.conflictingFolders == nil)
  }

  @Test(arguments: [["a/x.mp4", "a/data/y"], ["a/fetch.txt"], ["bagit.txt.bak"]])
  func `files without tag files are no bag`(paths: [String]) throws {
    #expect(try !folder(of: paths).isFound)
  }

  @Test func `two folders with tag files are rivals`() throws {
    let folder = try folder(of: ["b/bagit.txt", "bb/bagit.txt"])
    #expect(folder.conflictingFolders?.0 == "b")
    #expect(folder.conflictingFolders?.1 == "bb")
  }

  @Test func `the number of bags is limited`() throws {
    #expect(throws: Failure.self) { try folder(of: (0..<200).map { "\($0)/bagit.txt" }) }
  }

  @Test func `paths are relative to the bag, and those outside it are kept`() throws {
    let none = BagFolder()
    let inner = try folder(of: ["b/data/c/bagit.txt"])
    let outer = try folder(of: ["b/data/c/bagit.txt", "b/bagit.txt"])
    for path in ["b/data/c/x", "b/data/y", "b/data/cc", "z"].map({ PathBytes($0) }) {
      for folder in [none, inner, outer] {
        #expect(folder.entry(at: folder.path(of: path)) == path)
      }
    }
    #expect(inner.path(of: PathBytes("b/data/c/x")).displayText == "x")
    #expect(inner.path(of: PathBytes("b/data/y")).isOutsideBag)
    #expect(outer.path(of: PathBytes("b/data/y")).displayText == "data/y")
  }

  @Test func `a check follows the bag to another folder`() throws {
    let inner = try folder(of: ["b/data/c/bagit.txt"])
    let outer = try folder(of: ["b/data/c/bagit.txt", "b/bagit.txt"])
    var check = BagCheck()
    check.add(inner.path(of: PathBytes("b/data/c/bagit.txt")), bytes: [1])
    check.add(inner.path(of: PathBytes("b/data/y")), size: 7, digests: [:])
    check.move(from: inner, to: outer)
    #expect(check.paths.map(\.displayText) == ["data/c/bagit.txt", "data/y"])
    #expect(check.number(of: PathBytes("data/y")) == 1)
    #expect(check.size(of: PathBytes("data/y")) == 7)
  }
}
