package import VmxModel
package import VmxStore
import VmxSystem

/// Sets, removes and opens the parental control of a library.
///
///     let lock = ParentalLock(store, ticket: ticket, clock: clock)
///     try lock.set(limit: 12, unrated: .hide, helper: nil, pin: pin)
///     try lock.unlock(for: 1_800_000, pin: pin)
package struct ParentalLock: Sendable {
  private let store: LibraryStore
  private let ticket: UnlockTicket?
  private let clock: any WallClock
  private let check: PINCheck
  private let now: @Sendable () -> ClockReading
  /// The cost of new hashes.
  var cost = PINHash.cost

  /// Creates the lock of a library.
  ///
  /// - Parameters:
  ///   - ticket: the ticket of this login session; nil where it can have none.
  ///   - now: the present moment; the system's unless given.
  package init(
    _ store: LibraryStore, ticket: UnlockTicket?, clock: any WallClock,
    now: (@Sendable () -> ClockReading)? = nil
  ) {
    self.store = store
    self.ticket = ticket
    self.clock = clock
    let now = now ?? { .now(clock) }
    self.now = now
    check = PINCheck(store, clock: clock, now: now)
  }

  /// The settings; nil where no PIN is set.
  ///
  /// - Throws: `store-unreadable`, `store-damaged`.
  package func settings() throws(Failure) -> ParentalSettings? { try store.parental.settings() }

  /// The settings; nil also where the file is not what vmx writes, so that a new PIN can replace it.
  ///
  /// - Throws: `store-unreadable`.
  package func legibleSettings() throws(Failure) -> ParentalSettings? {
    do throws(Failure) {
      return try settings()
    } catch {
      guard error.code == .storeDamaged else { throw error }
      return nil
    }
  }

  /// Checks a PIN. If it is right, and its hash was made with a lower cost than that of new ones, it is
  /// hashed anew, durably; if that fails, the next right PIN tries it again.
  ///
  /// - Parameter settings: the settings to check; they become those with the new hash.
  /// - Returns: whether the limit and the other settings are still those that were set with the PIN.
  /// - Throws: `pin-wrong`, `pin-delayed`, and as `PINCheck.attempt`.
  package func verify(_ pin: PIN, _ settings: inout ParentalSettings) throws -> Bool {
    _ = try check.attempt { [settings] in
      try PINHash.matches(pin, settings.hash) ? .verified : .refused
    }
    let isUnchanged = isSealed(settings, by: pin)
    strengthen(&settings, by: pin, sealing: isUnchanged)
    return isUnchanged
  }

  /// Hashes a right PIN anew if its hash is cheaper than new ones. Settings that were changed without the
  /// PIN are not sealed by that.
  private func strengthen(_ settings: inout ParentalSettings, by pin: PIN, sealing: Bool) {
    guard
      PINHash.isCheaper(settings.hash, than: cost)
        || sealing && PINHash.isCheaper(settings.seal, than: cost)
    else { return }
    var stronger = settings
    do {
      stronger.hash = try PINHash.make(pin, cost: cost)
      if sealing { stronger.seal = try PINHash.make(pin, and: stronger.sealed, cost: cost) }
      if try store.parental.replace(settings, with: stronger) { settings = stronger }
    } catch {
      // The PIN is right all the same.
    }
  }

  private func isSealed(_ settings: ParentalSettings, by pin: PIN) -> Bool {
    do throws(Failure) {
      return try PINHash.matches(pin, and: settings.sealed, settings.seal)
    } catch {
      // The seal is no hash: it was written by hand.
      return false
    }
  }

  /// Sets the PIN, the limit, the treatment of unrated episodes and the helper. The caller has checked
  /// the PIN that was set before. Tickets count no longer.
  ///
  /// If there is no PIN although the store has a mark of one, its file was removed without the PIN; the
  /// time of that is kept in the settings from then on.
  ///
  /// - Throws: `usage` for a helper with a very long path, `resources-short`, errors of the store.
  package func set(
    limit: Int64, unrated: ParentalRule.Unrated, helper: String?, pin: PIN
  ) throws {
    guard helper?.utf8.count ?? 0 <= 300 else {
      throw Failure(.usage, "the path of the helper is longer than 300 bytes")
    }
    let before = try legibleSettings()
    var settings = ParentalSettings(limit: limit, unrated: unrated, set: clock.now)
    settings.helper = helper
    settings.reset = before?.reset
    if before == nil, try mark()?.isOn == true { settings.reset = clock.now }
    settings.hash = try PINHash.make(pin, cost: cost)
    settings.seal = try PINHash.make(pin, and: settings.sealed, cost: cost)
    try store.parental.put(PINAttempts())
    try store.parental.put(settings)
    try put(LockMark(isOn: true, at: clock.now, reset: settings.reset))
  }

  /// Removes the PIN and the limit. The caller has checked the PIN.
  ///
  /// - Throws: errors of the store.
  package func remove() throws {
    // The mark comes first: after a crash between the two a PIN is set without a mark of it. The other
    // way round it would look as if its file had been removed without the PIN.
    try put(LockMark(isOn: false, at: clock.now, reset: nil))
    try store.parental.remove()
    try lockNow()
  }

  /// Lets this login session show and play everything for a while.
  ///
  /// - Throws: `bad-setting` where the session can have no ticket; `FileError`.
  package func unlock(for milliseconds: Int64, _ settings: ParentalSettings) throws {
    guard let ticket else {
      throw Failure(
        .badSetting, "'XDG_RUNTIME_DIR' is no folder of yours alone, so nothing can stay unlocked",
        hint: "log in by a session manager, or set it to a folder of mode 0700 that logout empties")
    }
    try ticket.write(for: milliseconds, settings, now: now())
  }

  /// Ends what `unlock` has begun.
  ///
  /// - Throws: `FileError`.
  package func lockNow() throws { try ticket?.remove() }

  /// Performs an attempt by the helper in place of a PIN.
  ///
  /// - Returns: whether it has verified the person; false if it is not available now.
  /// - Throws: `pin-wrong`, `pin-delayed`, and as `PINCheck.attempt`.
  package func attempt(_ helper: PersonVerifier, for purpose: String) throws -> Bool {
    try check.attempt { try helper.answer(for: purpose) } == .verified
  }

  /// The state for people and scripts.
  ///
  /// - Throws: `store-unreadable`; `store-damaged` if a file is not what vmx writes.
  package func standing() throws -> LockStanding {
    var standing = LockStanding()
    let mark = try mark()
    guard let settings = try settings() else {
      standing.isRemovedWithoutPIN = mark?.isOn == true
      return standing
    }
    standing.settings = settings
    standing.unlocked = ticket?.remaining(for: settings, now: now()) ?? 0
    (standing.failures, standing.wait) = try check.standing()
    return standing
  }

  private func mark() throws -> LockMark? {
    try store.snapshot().record(.lock, LockMark.id).map { LockMark($0.fields) }
  }

  private func put(_ mark: LockMark) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      transaction.put(StoredRecord(kind: .lock, id: LockMark.id, fields: mark.fields))
    }
  }
}

/// The state of parental control at a moment.
package struct LockStanding: Sendable, Equatable {
  /// The settings; nil where no PIN is set.
  package var settings: ParentalSettings?
  /// The milliseconds for which this login session is still unlocked; 0 if it is not.
  package var unlocked: Int64 = 0
  /// The wrong PINs in a row.
  package var failures: Int64 = 0
  /// The milliseconds until the next PIN may be given.
  package var wait: Int64 = 0
  /// Whether a PIN was set, and its file was removed without it.
  package var isRemovedWithoutPIN = false
}
