import Testing
import VmxModel

struct PathBytesTests {
  private static let name = String(repeating: "x", count: 255)
  private static let path = String(repeating: "\(name)/", count: 15) + name

  @Test(arguments: ["a", "a/b.mp4", "..a/b..", name, path])
  func `a path below its root is accepted`(path: String) {
    #expect(PathBytes(path).isNormalised)
  }

  // Regression: processing such a path took quadratic time: minutes for a mebibyte.
  @Test(arguments: [
    "", "/a", "..", "a/../b", "a\0b", name + "x", "a/\(name)x/b", path + "/x", path + "x",
  ])
  func `a path outside its root or without a target is refused`(path: String) {
    #expect(!PathBytes(path).isNormalised)
    #expect(!Array(path.utf8).withUnsafeBufferPointer { PathBytes.staysBelowRoot($0) })
  }

  @Test(arguments: ["./a", "a//b", "a/./b", "a/"])
  func `a path with another spelling is below the root, but not normalised`(path: String) {
    #expect(!PathBytes(path).isNormalised)
    #expect(Array(path.utf8).withUnsafeBufferPointer { PathBytes.staysBelowRoot($0) })
  }
}
