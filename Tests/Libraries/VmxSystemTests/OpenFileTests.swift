import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct OpenFileTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `every file is close-on-exec`() throws {
    let file = try OpenFile(folder.path("a"), .readWrite, options: .create)
    let flags = fcntl(file.descriptor.rawValue, F_GETFD)
    #expect(flags & FD_CLOEXEC != 0)
  }

  @Test func `a released file is closed`() throws {
    func descriptor() throws -> CInt {
      let file = try OpenFile(folder.path("a"), .readWrite, options: .create)
      return file.descriptor.rawValue
    }
    let number = try descriptor()
    let target = FilePath("/proc/self/fd/\(number)")
    var link = [CChar](repeating: 0, count: 4096)
    let count = max(0, target.withPlatformString { readlink($0, &link, link.count) })
    let name = String(decoding: link.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    #expect(name != folder.path("a").string)
  }

  @Test func `symbolic links are followed only on request`() throws {
    try folder.write("a", "text")
    try #require(symlink("a", folder.path("link").string) == 0)
    #expect(throws: FileError.self) { _ = try OpenFile(folder.path("link"), .readOnly) }
    let file = try OpenFile(folder.path("link"), .readOnly, followingLinks: true)
    let size = try file.facts().size
    #expect(size == 4)
  }

  /// Regression: each reader had its own check, and the mark of a root was read from a named pipe.
  @Test(arguments: [FileDescriptor.AccessMode.readOnly, .readWrite])
  func `anything but a regular file is refused without blocking`(
    mode: FileDescriptor.AccessMode
  ) throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe.string, 0o600) == 0)
    for path in [pipe, "/dev/zero", "/dev/null"] {
      #expect(throws: FileError.notRegular(path)) { _ = try OpenFile(path, mode) }
    }
    #expect(FileError.notRegular(pipe).code == .mediaUnwritable)
  }

  @Test func `a folder is opened only if the options request one`() throws {
    #expect(throws: FileError.notRegular(folder.path)) { _ = try OpenFile(folder.path, .readOnly) }
    _ = try OpenFile(folder.path, .readOnly, options: .directory)
    try folder.write("a", "text")
    #expect(throws: FileError.failed(.open, folder.path("a"), .notDirectory)) {
      _ = try OpenFile(folder.path("a"), .readOnly, options: .directory)
    }
  }

  @Test func `bytes written at an offset are read back there`() throws {
    let file = try OpenFile(folder.path("a"), .readWrite, options: .create)
    try file.write([1, 2, 3], at: 1000)
    var bytes = [UInt8](repeating: 9, count: 8)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 998) }
    #expect(count == 5)
    #expect(bytes == [0, 0, 1, 2, 3, 9, 9, 9])
  }

  @Test func `a refused write is reported`() throws {
    try folder.write("a", "text")
    let path = folder.path("a")
    #expect(throws: FileError.failed(.write, path, .badFileDescriptor)) {
      let file = try OpenFile(path, .readOnly)
      try file.write([1], at: 0)
    }
  }

  @Test func `a file can be truncated`() throws {
    try folder.write("a", "0123456789")
    let file = try OpenFile(folder.path("a"), .readWrite)
    try file.truncate(to: 4)
    #expect(try folder.text("a") == "0123")
  }
}
