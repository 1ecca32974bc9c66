import Glibc
import SystemPackage
import Testing
import VmxSystem
import VmxTestSupport

struct ForEachFileTests {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func met() -> Set<String> {
    var met: Set<String> = []
    _ = forEachFile(below: scratch.path) { path, _ in
      met.insert(path.string)
      return true
    }
    return met
  }

  @Test func `every file is visited once, with its path below the folder`() throws {
    for name in ["a.mp4", "one/b.mp4", "one/two/c.mp4", "one/.d.mp4", "new\nline/e.mp4"] {
      try scratch.write(name, "bytes")
    }
    #expect(met() == ["a.mp4", "one/b.mp4", "one/two/c.mp4", "one/.d.mp4", "new\nline/e.mp4"])
  }

  @Test func `the metadata is that of the file`() throws {
    try scratch.write("a.mp4", "bytes")
    var sizes: [Int64] = []
    _ = forEachFile(below: scratch.path) { _, facts in
      sizes.append(facts.size)
      return true
    }
    #expect(sizes == [5])
  }

  @Test func `hidden folders and symbolic links are skipped`() throws {
    try scratch.write("real/a.mp4", "bytes")
    try scratch.write(".vmx/trash/b.mp4", "bytes")
    for (name, target) in [("folder", "real"), ("link.mp4", "real/a.mp4"), ("loop", ".")] {
      try #require(symlink(target, scratch.path(name).string) == 0)
    }
    #expect(met() == ["real/a.mp4"])
  }

  @Test func `a walk ends when the caller requests it`() throws {
    for number in 0..<10 { try scratch.write("\(number).mp4", "bytes") }
    var count = 0
    _ = forEachFile(below: scratch.path) { _, _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
  }

  @Test func `a missing folder contains no file`() {
    var count = 0
    _ = forEachFile(below: scratch.path("nothing")) { _, _ in
      count += 1
      return true
    }
    #expect(count == 0)
  }

  @Test func `a name that is not UTF-8 is visited by its bytes`() throws {
    let name = scratch.path.string + "/bad\u{1}"
    var bytes = Array(name.utf8CString)
    bytes[bytes.count - 2] = CChar(bitPattern: 0xFF)
    let descriptor = open(bytes, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    var found: [FilePath] = []
    _ = forEachFile(below: scratch.path) { path, _ in
      found.append(path)
      return true
    }
    #expect(found.count == 1)
    #expect(found.first?.withPlatformString { strlen($0) } == 4)
    // The scratch folder can remove only names that are valid text.
    unlink(bytes)
  }
}
