import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// A login must never wait. If another process holds a lock, a root is not mounted, or the library
// is large, the rest is done at the next login. So the check walks no tree and reads no media file.
//
// It completes removals, removes expired episodes, records missing files, and cleans the trash and
// the files of old interrupted imports. `vmx clean` does the rest.

/// The cleaning work at login.
package struct LoginCleanup: Sendable {
  private let store: LibraryStore
  private let folder: LoginFolder
  private let order: CleaningOrder
  private let clock: any WallClock
  private let end: Deadline

  /// Creates the login work with a time limit.
  ///
  /// - Parameters:
  ///   - store: a store that was opened so that it waits for no lock.
  ///   - milliseconds: the time limit; a step that has begun is completed.
  package init(
    _ store: LibraryStore, folder: LoginFolder, order: CleaningOrder, clock: any WallClock,
    within milliseconds: Int64
  ) {
    self.store = store
    self.folder = folder
    self.order = order
    self.clock = clock
    end = Deadline(milliseconds: milliseconds)
  }

  /// Executes the steps for which there is time. Errors go only to the log.
  package func perform() {
    do {
      folder.report(try work(), at: clock.now)
    } catch {
      folder.report([Failure(error)], at: clock.now)
    }
  }

  private func work() throws -> [Failure] {
    let now = clock.now
    let before = try folder.cursor()
    if try before.isCurrent(now: now) { return [] }
    // Creates no library if there is none.
    guard try FileFacts.of(store.home.store) != nil else { return [] }
    guard let login = try store.tryJob(.login), let cleaning = try store.tryJob(.cleaning) else {
      return []
    }
    defer {
      cleaning.release()
      login.release()
    }
    let mediaRoots = MediaRoots(store: store, newFilesBelow: store.home.defaultRoot)
    var cursor = LoginCursor()
    var scan = LoginScan(order: order, now: now, end: end)
    cursor.seen = try [LoginCursor.FileState(store.home.store)] + scan.roots(of: store, mediaRoots)
    try scan.chores(store)
    cursor.place = scan.episodes(of: try store.snapshot(), from: before.place)
    var failures = scan.failures
    let executor = CleanupExecutor(
      store: store, clock: clock, cache: nil, writesNFO: false,
      shouldStop: { [end] in end.isPast })
    do {
      try executor.perform(scan.steps) { _, result in
        // A claimed episode or an unreachable root is not an error: a later login repeats the step.
        if case .failed(let failure) = result { failures.append(failure) }
        if result != .done { scan.next = now }
      }
    } catch WorkEnded.interrupted {
      scan.next = now
    }
    cursor.next = scan.next
    try folder.keep(cursor)
    return failures
  }
}
