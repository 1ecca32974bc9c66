import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxBundling

@Suite struct TemporaryArchiveTests {
  private let scratch: ScratchFolder
  private let target: FilePath
  private let path: FilePath

  init() throws {
    scratch = try ScratchFolder()
    target = scratch.path("b.tar")
    path = scratch.path.appending(LibraryLayout.temporaryName(of: StableHash.of("b.tar")))
  }

  @Test func `an unused temporary file is removed, and one in use is kept`() throws {
    try scratch.write(path.lastComponent?.string ?? "", "left by a crash")
    try TemporaryArchive.removeUnused(path)
    #expect(try FileFacts.of(path) == nil)
    let archive = try TemporaryArchive(of: target, wait: .none)
    try TemporaryArchive.removeUnused(path)
    #expect(try FileFacts.of(path) != nil)
    archive.discard()
  }

  @Test func `a temporary file that is published before it is opened is no error`() throws {
    try TemporaryArchive.removeUnused(path)
  }

  /// The removal opens the file of the first export. Before it locks it, that export publishes it,
  /// and another export creates its own under the same name.
  @Test func `the removal of a published file keeps that of the next export`() throws {
    let opened = try publishedAfterOpening()
    let next = try TemporaryArchive(of: target, wait: .none)
    try TemporaryArchive.removeUnused(opened)
    #expect(try FileFacts.of(path) != nil)
    try next.publish(replacing: true)
  }

  @Test func `the wait for another export ends after the timeout or at a request to stop`() throws {
    let first = try TemporaryArchive(of: target, wait: .none)
    #expect(code { _ = try TemporaryArchive(of: target, wait: .none) } == .lockBusy)
    #expect(
      code {
        _ = try TemporaryArchive(
          of: target, wait: LockWait(milliseconds: 60_000, shouldStop: { true }))
      } == .interrupted)
    first.discard()
  }

  private func publishedAfterOpening() throws -> OpenFile {
    let first = try TemporaryArchive(of: target, wait: .none)
    let opened = try OpenFile(path, .readOnly)
    try first.publish(replacing: false)
    return opened
  }
}

extension LockWait {
  /// A wait with one attempt.
  fileprivate static var none: LockWait { LockWait(milliseconds: 0) }
}
