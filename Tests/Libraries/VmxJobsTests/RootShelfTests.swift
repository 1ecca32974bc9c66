import SystemPackage
import Testing
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct RootShelfTests {
  private let library: Library

  init() throws {
    library = try Library()
  }

  @Test func `a root is made once and found again`() throws {
    let first = try library.shelf.forNewFiles()
    #expect(try library.shelf.forNewFiles() == first)
    #expect(try library.shelf.root(first.uuid) == first)
  }

  @Test func `two who make it at once agree on one mark`() throws {
    let shelves = [library.shelf, library.shelf, library.shelf, library.shelf]
    let roots = Monitor<[MediaRoot]>([])
    let threads = try shelves.map { shelf in
      try WorkerThread.start("make") {
        do {
          let root = try shelf.forNewFiles()
          roots.withLock { $0.append(root) }
        } catch {
          Issue.record(error)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(Set(roots.withLock { $0 }.map(\.uuid)).count == 1)
  }

  @Test func `a root whose mark is gone is away, not empty`() throws {
    let root = try library.shelf.forNewFiles()
    try removeFile(MediaRoot.mark(in: root.folder))
    #expect(code { _ = try library.shelf.forNewFiles() } == .rootAway)
  }

  @Test func `another mark in the place of the one that was read is noticed`() throws {
    let shelf = library.shelf
    let root = try shelf.forNewFiles()
    let mark = MediaRoot.mark(in: root.folder)
    try AtomicFile.replace(
      mark, with: Array(#"{"root":"other","library":"other"}"#.utf8), durable: false)
    #expect(code { _ = try shelf.root(root.uuid) } == .rootForeign)
  }

  @Test func `a folder of another library is never taken`() throws {
    let other = try Library()
    let folder = library.scratch.path.appending("media")
    _ = try RootShelf(store: other.store, newFilesBelow: folder).forNewFiles()
    #expect(code { _ = try library.shelf.forNewFiles() } == .rootForeign)
  }
}
