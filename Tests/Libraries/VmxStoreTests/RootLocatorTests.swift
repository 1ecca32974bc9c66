import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore
@testable import VmxSystem

struct RootLocatorTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func located(_ recorded: String, mounts: [String]) -> String? {
    var fields = JSONObject()
    fields.append("path", scratch.path.appending(recorded).string)
    let folders = mounts.map { scratch.path.appending($0) }
    let locator = RootLocator(LibraryHome(scratch.path.appending("home"))) { folders }
    let path = locator.located(StoredRecord(kind: .root, id: "r", fields: fields)).path
    return path.map { String($0.dropFirst(scratch.path.string.utf8.count + 1)) }
  }

  private func mark(_ folder: String, _ root: String = "r") throws {
    let mark = RootMark(root: root, library: "l")
    try scratch.write("\(folder)/.vmx/root.json", mark.bytes)
  }

  @Test func `a root is found below another mount point by the end of its path`() throws {
    try mark("B/media/deep/films")
    #expect(located("A/media/deep/films", mounts: ["C", "B"]) == "B/media/deep/films")
  }

  @Test func `a root is found in a top folder of a mounted disk, or as the disk`() throws {
    try mark("B/renamed")
    #expect(located("A/films", mounts: ["B"]) == "B/renamed")
    #expect(located("A/films", mounts: ["B/renamed"]) == "B/renamed")
  }

  @Test func `the recorded place is kept while it has the mark, and without any other`() throws {
    try mark("A/films", "other")
    #expect(located("A/films", mounts: ["B"]) == "A/films")
    try mark("A/films")
    try mark("B/films")
    #expect(located("A/films", mounts: ["B"]) == "A/films")
  }

  @Test func `mount points are those of disks`() {
    let table = """
      22 1 8:1 / / rw - ext4 /dev/sda1 rw
      23 22 0:5 / /proc rw - proc proc rw
      24 22 8:17 / /media/my\\040disk rw shared:1 - ext4 /dev/sdb1 rw
      25 22 0:40 / /net rw - nfs4 server:/ rw
      26 22 0:41 / /remote rw - fuse.sshfs me@there rw
      27 22 8:33 / /media/stick rw - fuseblk /dev/sdc1 rw
      """
    #expect(
      FileSystemKind.mountPoints(in: table) == ["/", "/media/my disk", "/media/stick"])
    #expect(FileSystemKind.mountPoint(of: "/media/my disk/films", in: table) == "/media/my disk")
    #expect(FileSystemKind.mountPoint(of: "/media/stick2/films", in: table) == "/")
  }
}
