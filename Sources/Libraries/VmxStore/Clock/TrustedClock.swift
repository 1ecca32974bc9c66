import Synchronization
package import VmxModel
import VmxSystem

// A wrong clock is believed by nothing that lasts. A machine without a clock battery starts at
// 1970, another is set a year ahead. Lines with such times would make a film that was just removed
// look old, and marks never count.
//
// A clock is suspect if it is behind the last line, or if a server that answered this process has
// another time and no server has confirmed the clock. A suspect clock counts on from the newest
// trusted line. A server only confirms or doubts; it never sets a time. If one confirms a clock
// that is behind the newest line, the lines ahead of it were wrong, and the end of the run corrects
// them.

/// The clock of a tool: the system's, or one that counts on from the newest trusted line of the
/// store while the system's is suspect.
///
/// ```swift
/// let clock = TrustedClock(SystemClock())
/// let store = try LibraryStore.open(home, clock: clock)
/// if clock.trust(store) { note("the clock is wrong") }
/// // … the servers that answer are witnesses …
/// let note = try clock.settle()
/// ```
package final class TrustedClock: WallClock {
  /// The time before which no run of vmx can have been.
  package static let earliest = Timestamp("2026-01-01T00:00:00Z") ?? Timestamp(milliseconds: 0)
  /// The difference from a server in milliseconds from which the clock is doubted: a day.
  static let tolerance: Int64 = 24 * hour
  /// The time in milliseconds by which a line may be ahead of the clock.
  static let hour: Int64 = 3_600_000

  private enum Verdict {
    case none, confirmed
    case doubted(ClockDoubt)
  }

  private struct State {
    var store: LibraryStore?
    /// The difference in milliseconds between the trusted time and that of the system.
    var offset: Int64 = 0
    var verdict = Verdict.none
    /// Whether the caller knows that the clock was suspect from the start.
    var isNoted = false
  }

  /// The clock of the system.
  package let system: any WallClock
  private let state = Mutex(State())

  /// Creates a clock that is that of the system until there is a reason to doubt it.
  package init(_ system: any WallClock) {
    self.system = system
  }

  package var now: Timestamp {
    Timestamp(milliseconds: system.now.milliseconds.addingClamped(state.withLock { $0.offset }))
  }

  /// Whether the system's clock is suspect and lines get trusted times.
  package var isCorrected: Bool { state.withLock { $0.offset != 0 } }

  /// Counts on from the newest trusted line of a store if the system's clock is suspect.
  ///
  /// - Returns: whether it does so from now on, and did not before.
  package func trust(_ store: LibraryStore) -> Bool {
    let now = system.now
    guard state.withLock({ $0.store == nil }), let snapshot = Self.snapshot(of: store) else {
      return false
    }
    guard var newest = snapshot.lastTime else {
      state.withLock { $0.store = store }
      return false
    }
    let ahead = now.milliseconds - newest.milliseconds
    // Looking for a record may read the whole store. A doubted clock is far from the last line.
    let doubt = ahead > Self.tolerance / 2 || ahead < -Self.hour ? snapshot.clockDoubt : nil
    // A line that was written while a server contradicted the clock is no evidence against it.
    if let doubt, doubt.system > doubt.server, newest > doubt.limit {
      newest = snapshot.newestTime(until: doubt.limit) ?? now
    }
    let isSuspect =
      doubt?.applies(at: now) ?? false || now < newest.adding(milliseconds: -Self.hour)
    let offset = isSuspect ? newest.milliseconds - now.milliseconds : 0
    state.withLock { ($0.store, $0.offset, $0.isNoted) = (store, offset, offset != 0) }
    return offset != 0
  }

  package func receive(witness time: Timestamp) {
    let now = system.now
    guard time >= Self.earliest else { return }
    let isNear = abs(now.milliseconds - time.milliseconds) <= Self.tolerance
    let doubt = ClockDoubt(system: now, server: time)
    let doubting = state.withLock { state -> LibraryStore? in
      switch state.verdict {
      case .confirmed: return nil
      case .doubted where !isNear: return nil
      case .none, .doubted: break
      }
      state.verdict = isNear ? .confirmed : .doubted(doubt)
      if isNear { state.offset = 0 }
      return isNear ? nil : state.store
    }
    // Reads the store, which the lock must not wait for.
    guard let doubting, let newest = Self.snapshot(of: doubting)?.newestTime(until: doubt.limit)
    else { return }
    state.withLock { state in
      guard case .doubted = state.verdict else { return }
      state.offset = newest.milliseconds - now.milliseconds
    }
  }

  /// Records at the end of a run what the servers have said about the clock, and corrects the times
  /// that a wrong clock wrote if the present one is confirmed.
  ///
  /// - Returns: what was found, as a note for the user; nil if there is nothing to tell.
  /// - Throws: errors of the store.
  package func settle() throws -> String? {
    let (store, verdict, isNoted) = state.withLock { ($0.store, $0.verdict, $0.isNoted) }
    guard let store, let snapshot = Self.snapshot(of: store), snapshot.lastTime != nil else {
      return nil
    }
    switch verdict {
    case .none: return nil
    case .doubted(let doubt):
      if doubt.system > doubt.server, snapshot.clockDoubt?.applies(at: doubt.system) != true {
        try store.update(.durable) { _ = $0.write(doubt.record) }
      }
      return isNoted
        ? nil
        : "the clock is wrong, or a server's is: here \(doubt.system.text), there "
          + "\(doubt.server.text); this run counts from the newest record, and nothing expires"
    case .confirmed:
      let now = system.now
      let isWrong =
        snapshot.firstTime.map { $0 < Self.earliest } ?? false
        || snapshot.newestTime.map { Self.isAhead($0, of: now) } ?? false
      // Behind the search for the newest line, which has built an index.
      if snapshot.clockDoubt != nil {
        try store.update(.durable) { $0.delete(.clock, ClockDoubt.id) }
      }
      guard isWrong else { return nil }
      try store.writer.compactNow(
        CompactionRequest(times: TimeCorrection(now: now, earliest: Self.earliest)))
      return "records have times that a wrong clock wrote; a server confirms the present time, and "
        + "they count as \(now.text)"
    }
  }

  /// Whether a clock that was ahead wrote a time.
  package static func isAhead(_ time: Timestamp, of now: Timestamp) -> Bool {
    time > now.adding(milliseconds: hour)
  }

  /// Whether something that vmx did itself can have been at a time.
  package static func isPossible(_ time: Timestamp, now: Timestamp) -> Bool {
    !isAhead(time, of: now) && (time >= earliest || now < earliest)
  }

  /// Whether a time is after the year in which a clock without a battery starts, so that an age can
  /// be counted from it. No film was fetched or watched before.
  package static func isSet(_ time: Timestamp) -> Bool { time.seconds >= 365 * 86_400 }

  /// Returns the store as it is; nil if it cannot be read, which its use reports.
  private static func snapshot(of store: LibraryStore) -> StoreSnapshot? {
    do throws(StoreError) {
      return try store.snapshot()
    } catch {
      return nil
    }
  }
}
