import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct CopyFileTests {
  let folder: ScratchFolder
  let source: FilePath
  let target: FilePath

  init() throws {
    folder = try ScratchFolder()
    source = folder.path("source")
    target = folder.path("target")
    let halves = [1, 2].map { [UInt8](repeating: $0, count: 1_500_000) }
    try folder.write("source", halves[0] + halves[1])
  }

  private var whole: ByteCount { ByteCount(clamping: 3_000_000) }

  @Test func `a file is copied by any method, the source is unchanged`() throws {
    let before = try folder.bytes("source")
    guard case .complete(whole, _) = try copyFile(from: source, to: target) else {
      Issue.record("not complete")
      return
    }
    #expect(try folder.bytes("target") == before)
    #expect(try folder.bytes("source") == before)
  }

  @Test(arguments: [CopyMethod.kernel, .plain])
  func `each method that every file system supports copies all bytes`(method: CopyMethod) throws {
    #expect(
      try copyFile(from: source, to: target, methods: [method]) == .complete(whole, by: method))
    #expect(try folder.bytes("target") == folder.bytes("source"))
  }

  @Test func `blocks are shared, or the next method is used`() throws {
    let end = try copyFile(from: source, to: target, methods: [.clone, .plain])
    #expect([.complete(whole, by: .clone), .complete(whole, by: .plain)].contains(end))
    #expect(try folder.bytes("target") == folder.bytes("source"))
  }

  @Test(arguments: [CopyMethod.kernel, .plain])
  func `an empty file is copied`(method: CopyMethod) throws {
    try folder.write("source", "")
    let end = try copyFile(from: source, to: target, methods: [method])
    #expect(end == .complete(ByteCount(clamping: 0), by: method))
    #expect(try folder.bytes("target").isEmpty)
  }

  @Test func `a file whose size the kernel does not report is read to its end`() throws {
    guard case .complete(let size, _) = try copyFile(from: "/proc/version", to: target) else {
      Issue.record("not complete")
      return
    }
    #expect(size.bytes > 0)
    #expect(try folder.bytes("target").count == Int(size.bytes))
  }

  @Test(arguments: CopyMethod.allCases)
  func `a source that grows meanwhile is detected and leaves no copy`(method: CopyMethod) throws {
    let source = source
    #expect(throws: FileError.changedWhileRead(source)) {
      _ = try copyFile(from: source, to: target, methods: [method, .plain]) { copied in
        if copied.bytes == 0 { truncate(source.string, 3_000_001) }
        return false
      }
    }
    #expect(folder.names() == ["source"])
  }

  @Test func `a source that is rewritten at the same length is detected`() throws {
    let source = source
    #expect(throws: FileError.changedWhileRead(source)) {
      _ = try copyFile(from: source, to: target) { _ in
        utimes(source.string, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)])
        return false
      }
    }
  }

  @Test func `a stopped copy leaves nothing behind`() throws {
    #expect(try copyFile(from: source, to: target) { _ in true } == .stopped)
    #expect(folder.names() == ["source"])
  }

  @Test(arguments: [CopyMethod.kernel, .plain])
  func `a long copy checks for a stop request regularly`(method: CopyMethod) throws {
    try #require(truncate(source.string, 40 << 20) == 0)
    var asked: [Int64] = []
    let end = try copyFile(from: source, to: target, methods: [method]) { copied in
      asked.append(copied.bytes)
      return asked.count == 3
    }
    #expect(end == .stopped)
    #expect(asked.count == 3)
    #expect(asked.first == 0)
  }

  @Test func `an existing target is not changed`() throws {
    try folder.write("target", "theirs")
    let error = #expect(throws: FileError.self) { _ = try copyFile(from: source, to: target) }
    #expect(error?.code == .nameTaken)
    #expect(try folder.text("target") == "theirs")
  }

  @Test func `a symbolic link is followed as the source, and refused as the target`() throws {
    try #require(symlink("source", folder.path("link").string) == 0)
    _ = try copyFile(from: folder.path("link"), to: target)
    #expect(try folder.bytes("target") == folder.bytes("source"))
    try #require(symlink("nowhere", folder.path("dangling").string) == 0)
    #expect(throws: FileError.self) {
      _ = try copyFile(from: source, to: folder.path("dangling"))
    }
  }

  @Test func `only a regular file is a source, and no named pipe blocks`() throws {
    try #require(mkfifo(folder.path("pipe").string, 0o600) == 0)
    for name in ["pipe", "."] {
      #expect(throws: FileError.inputNotRegular(folder.path(name))) {
        _ = try copyFile(from: folder.path(name), to: target)
      }
    }
    #expect(folder.names() == ["pipe", "source"])
  }

  @Test func `an absent source is reported as a missing input`() throws {
    let error = #expect(throws: FileError.self) {
      _ = try copyFile(from: folder.path("away"), to: target)
    }
    #expect(error?.code == .inputMissing)
    #expect(folder.names() == ["source"])
  }
}
