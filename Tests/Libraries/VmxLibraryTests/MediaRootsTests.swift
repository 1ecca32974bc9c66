import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct MediaRootsTests {
  private let library: ScratchLibrary

  init() throws {
    library = try ScratchLibrary()
  }

  @Test func `a root is created once and found again`() throws {
    let first = try library.mediaRoots.forNewFiles()
    #expect(try library.mediaRoots.forNewFiles() == first)
    #expect(try library.mediaRoots.root(first.uuid) == first)
  }

  @Test func `two processes that create a root at once agree on one mark`() throws {
    let shelves = [library.mediaRoots, library.mediaRoots, library.mediaRoots, library.mediaRoots]
    let roots = Monitor<[MediaRoot]>([])
    let threads = try shelves.map { mediaRoots in
      try WorkerThread.start("make") {
        do {
          let root = try mediaRoots.forNewFiles()
          roots.withLock { $0.append(root) }
        } catch {
          Issue.record(error)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(Set(roots.withLock { $0 }.map(\.uuid)).count == 1)
  }

  @Test func `a root whose mark is missing is unreachable, not empty`() throws {
    let root = try library.mediaRoots.forNewFiles()
    try removeFile(root.folder.appending(LibraryLayout.mark))
    #expect(code { _ = try library.mediaRoots.forNewFiles() } == .rootAway)
  }

  // Regression: after a disk was unplugged during a fetch, its folders were made again below the
  // mount point, and the next films were written to the system disk.
  @Test func `folders are never created in the place of a root that is gone`() throws {
    let root = try library.mediaRoots.forNewFiles()
    let partial = root.folder.appending(LibraryLayout.Folder.partial.path)
    #expect(try root.makeFolders(partial) == [partial])
    #expect(try root.makeFolders(partial).isEmpty)
    try renameReplacing(from: root.folder, to: library.scratch.path.appending("away"))
    #expect(code { try root.makeFolders(partial) } == .rootAway)
    _ = try makeFolder(root.folder)
    #expect(code { try root.makeFolders(partial) } == .rootAway)
    #expect(try FileFacts.of(root.folder.appending(LibraryLayout.hidden)) == nil)
  }

  @Test func `the parents of a new root are not created`() throws {
    let folder = library.scratch.path.appending("mount/films")
    let mediaRoots = MediaRoots(store: library.store, newFilesBelow: folder)
    #expect(code { _ = try mediaRoots.forNewFiles() } == .rootAway)
    #expect(try FileFacts.of(folder.folder) == nil)
  }

  @Test func `a root is found in a configured folder, and the place is recorded`() throws {
    let root = try library.mediaRoots.forNewFiles()
    let moved = library.scratch.path.appending("moved")
    try renameReplacing(from: root.folder, to: moved)
    var options = StoreOptions()
    options.roots = [moved]
    let store = try LibraryStore.open(library.store.home, options: options, clock: library.clock)
    #expect(try MediaRoots(store: store).root(root.uuid).folder == moved)
    #expect(try library.again().snapshot().recordedFolder(ofRoot: root.uuid) == moved.string)
    #expect(try library.mediaRoots.root(root.uuid).folder == moved)
  }

  // Regression: an older declaration in the mark of another root would count again.
  @Test func `a root at a new place keeps that it is expected again`() throws {
    let root = try library.mediaRoots.forNewFiles()
    let declared = LossDeclaration(isLost: false, at: library.clock.now)
    try library.store.update(.soon) { transaction in
      if let record = transaction.record(.root, root.uuid) {
        transaction.write(record.declared(declared))
      }
    }
    let moved = library.scratch.path.appending("moved")
    try renameReplacing(from: root.folder, to: moved)
    let mediaRoots = MediaRoots(store: library.store, newFilesBelow: moved)
    #expect(try mediaRoots.forNewFiles().uuid == root.uuid)
    let record = try library.again().snapshot().record(.root, root.uuid)
    #expect(record?.lossDeclaration == declared)
  }

  // Regression: a root with a faulty mark stopped every fetch.
  @Test func `a root whose mark cannot be read is skipped where it is not needed`() throws {
    let mark = try library.mediaRoots.forNewFiles().folder.appending(".vmx/root.json")
    try RegularFile.remove(mark)
    _ = try makeFolder(mark)
    let mediaRoots = MediaRoots(store: library.store)
    #expect(throws: FileError.self) { try mediaRoots.presentRoots() }
    #expect(try mediaRoots.presentRoots(skippingUnreadable: true).isEmpty)
  }

  @Test func `a new root replaces a dead one only where its disk is`() throws {
    let root = try library.mediaRoots.forNewFiles()
    try removeFile(root.folder.appending(LibraryLayout.mark))
    let replaced = try library.mediaRoots.forNewFiles(replacesDead: true)
    #expect(replaced.uuid != root.uuid)
    #expect(try library.mediaRoots.forNewFiles() == replaced)
    #expect(code { _ = try library.mediaRoots.root(root.uuid) } == .rootAway)
  }

  @Test func `a replaced root mark is noticed`() throws {
    let mediaRoots = library.mediaRoots
    let root = try mediaRoots.forNewFiles()
    let mark = root.folder.appending(LibraryLayout.mark)
    try AtomicFile.replace(
      mark, with: Array(#"{"root":"other","library":"other"}"#.utf8), durable: false)
    #expect(code { _ = try mediaRoots.root(root.uuid) } == .rootForeign)
  }

  @Test func `a folder of another library is never used`() throws {
    let other = try ScratchLibrary()
    let folder = library.scratch.path.appending("media")
    _ = try MediaRoots(store: other.store, newFilesBelow: folder).forNewFiles()
    #expect(code { _ = try library.mediaRoots.forNewFiles() } == .rootForeign)
  }

  // Regression: a copied home removed the films of the original, because the path of its root is
  // absolute.
  @Test func `a home copied with its default root uses its own root`() throws {
    let home = library.scratch.path.appending("home")
    let root = try MediaRoots(store: library.store, newFilesBelow: library.store.home.defaultRoot)
      .forNewFiles()
    let copy = library.scratch.path.appending("copy")
    for path in ["store.jsonl", "library/.vmx/root.json"] {
      try library.scratch.write("copy/\(path)", library.scratch.bytes("home/\(path)"))
    }
    let store = try LibraryStore.open(LibraryHome(copy), clock: library.clock)
    let mediaRoots = MediaRoots(store: store, newFilesBelow: store.home.defaultRoot)
    #expect(try mediaRoots.root(root.uuid).folder == copy.appending("library"))
    #expect(try mediaRoots.presentRoots().map(\.folder) == [copy.appending("library")])
    #expect(try mediaRoots.forNewFiles().uuid == root.uuid)
    #expect(root.folder == home.appending("library"))
  }

  @Test func `the mark of another root in the default root does not move that root`() throws {
    let root = try library.mediaRoots.forNewFiles()
    let mark = try library.scratch.bytes("media/.vmx/root.json")
    try library.scratch.write("home/library/.vmx/root.json", mark)
    let again = MediaRoots(store: try library.again(), newFilesBelow: root.folder)
    #expect(try again.root(root.uuid).folder == root.folder)
  }

  @Test func `a root elsewhere stays in place when the home is copied`() throws {
    let root = try library.mediaRoots.forNewFiles()
    _ = try MediaRoots(store: library.store, newFilesBelow: library.store.home.defaultRoot)
      .forNewFiles()
    for path in ["store.jsonl", "library/.vmx/root.json"] {
      try library.scratch.write("copy/\(path)", library.scratch.bytes("home/\(path)"))
    }
    let copy = LibraryHome(library.scratch.path.appending("copy"))
    let store = try LibraryStore.open(copy, clock: library.clock)
    let mediaRoots = MediaRoots(store: store, newFilesBelow: copy.defaultRoot)
    #expect(try mediaRoots.root(root.uuid).folder == root.folder)
  }
}
