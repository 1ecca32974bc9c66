import VmxJobs
package import VmxModel
package import VmxStore
import VmxPresentation
import VmxSystem

// At login nobody is to wait: a lock that another has, a disk that is away and a library that is
// large all mean that the rest is done next time. So no files are searched for and none is read;
// what is done are removals that have not ended, what has expired, files that are gone, the trash
// and unfinished bytes by their age. The rest is for `vmx clean` itself.

/// The errands at login.
package struct LoginErrands: Sendable {
  private let store: LibraryStore
  private let folder: LoginFolder
  private let order: CleaningOrder
  private let clock: any WallClock
  private let end: Deadline

  /// Errands that end by themselves in time.
  ///
  /// - Parameters:
  ///   - store: opened so that it waits for no lock.
  ///   - milliseconds: how long they may take; a step that was begun is brought to its end.
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

  /// Does what there is time for; what went wrong is in the log, and nowhere else.
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
    // Where there is no library yet, none is made.
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
    var look = LoginLook(order: order, now: now, end: end)
    cursor.seen = try [LoginCursor.Sight(store.home.store)] + look.roots(of: store, mediaRoots)
    try look.chores(store)
    cursor.place = look.episodes(of: try store.snapshot(), from: before.place)
    var failures = look.failures
    let executor = CleanupExecutor(
      store: store, clock: clock, cache: nil, writesNFO: false,
      shouldStop: { [end] in end.isPast })
    do {
      try executor.perform(look.steps) { _, outcome in
        // What is in work, or away, is no failure: it is done another time.
        if case .failed(let failure) = outcome { failures.append(failure) }
        if outcome != .done { look.next = now }
      }
    } catch WorkEnded.interrupted {
      look.next = now
    }
    cursor.next = look.next
    try folder.keep(cursor)
    return failures
  }
}
