package import VmxModel
package import VmxStore
import VmxSystem

/// Sets, removes and unlocks the parental control of a library.
///
///     let lock = ParentalLock(store, unlockTicket: ticket, clock: clock)
///     try lock.set(limit: 12, unrated: .hide, helper: nil, pin: pin)
///     if let settings = try lock.settings() { try lock.unlock(for: 1_800_000, settings) }
package struct ParentalLock: Sendable {
  private let store: LibraryStore
  private let unlockTicket: UnlockTicket?
  private let clock: any WallClock
  private let check: PINCheck
  private let now: @Sendable () -> ClockReading
  /// The cost of new hashes.
  var cost = PINHash.cost

  /// Creates the lock of a library.
  ///
  /// - Parameters:
  ///   - unlockTicket: the unlock ticket of this login session; nil if the session cannot have one.
  ///   - now: returns the current time; the system clocks by default.
  package init(
    _ store: LibraryStore, unlockTicket: UnlockTicket?, clock: any WallClock,
    now: (@Sendable () -> ClockReading)? = nil
  ) {
    self.store = store
    self.unlockTicket = unlockTicket
    self.clock = clock
    let now = now ?? { .now(clock) }
    self.now = now
    check = PINCheck(store, clock: clock, now: now)
  }

  /// Returns the settings; nil if no PIN is set.
  ///
  /// - Throws: `store-unreadable`, `store-damaged`.
  package func settings() throws(Failure) -> ParentalSettings? { try store.parental.settings() }

  /// Returns the settings; nil also for a malformed file, so that a new PIN can replace it.
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

  /// Checks a PIN. If the PIN is right and its hash has a lower cost than new hashes, hashes it
  /// again durably. If that fails, the next check with the right PIN retries it.
  ///
  /// - Parameter settings: the settings to check; updated with the new hash.
  /// - Returns: whether the limit and the other settings are unchanged since they were set with the
  ///   PIN.
  /// - Throws: `pin-wrong`, `pin-delayed`, and the errors of `PINCheck.attempt`.
  package func verify(_ pin: PIN, _ settings: inout ParentalSettings) throws -> Bool {
    _ = try check.attempt { [settings] in
      try PINHash.matches(pin, settings.hash) ? .verified : .refused
    }
    let isUnchanged = isSealed(settings, by: pin)
    rehash(&settings, by: pin, sealing: isUnchanged)
    return isUnchanged
  }

  /// Hashes a right PIN again if its hash is cheaper than new ones. Does not seal settings that
  /// were changed without the PIN.
  private func rehash(_ settings: inout ParentalSettings, by pin: PIN, sealing: Bool) {
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
      // The check has succeeded anyway; the next one retries the hash.
    }
  }

  private func isSealed(_ settings: ParentalSettings, by pin: PIN) -> Bool {
    do throws(Failure) {
      return try PINHash.matches(pin, and: settings.sealed, settings.seal)
    } catch {
      // The seal is not a hash: the user edited it manually.
      return false
    }
  }

  /// Sets the PIN, the limit, the treatment of unrated episodes and the helper. The caller has
  /// checked the previous PIN. Existing tickets become invalid.
  ///
  /// If no PIN is set although the store has a lock mark, its file was removed without the PIN. The
  /// settings then keep the time of that discovery as `reset`.
  ///
  /// - Throws: `usage` for a helper path over 300 bytes, `resources-short`, store errors.
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
    if before == nil, try mark()?.isEnabled == true { settings.reset = clock.now }
    settings.hash = try PINHash.make(pin, cost: cost)
    settings.seal = try PINHash.make(pin, and: settings.sealed, cost: cost)
    try store.parental.save(PINAttempts())
    try store.parental.save(settings)
    try save(LockMark(isEnabled: true, at: clock.now, reset: settings.reset))
  }

  /// Removes the PIN and the limit. The caller has checked the PIN.
  ///
  /// - Throws: store errors.
  package func remove() throws {
    // The mark is cleared first: a crash in between leaves a PIN without a mark. The reverse order
    // would look as if the PIN file had been removed without the PIN.
    try save(LockMark(isEnabled: false, at: clock.now, reset: nil))
    try store.parental.remove()
    try lockNow()
  }

  /// Unlocks the library for this login session for a limited time.
  ///
  /// - Throws: `bad-setting` if the session cannot have a ticket; `FileError`.
  package func unlock(for milliseconds: Int64, _ settings: ParentalSettings) throws {
    guard let unlockTicket else {
      throw Failure(
        .badSetting, "cannot stay unlocked: 'XDG_RUNTIME_DIR' is not a private folder",
        hint:
          "log in through a session manager, or set it to a 0700 folder that is cleared at logout")
    }
    try unlockTicket.write(for: milliseconds, settings, now: now())
  }

  /// Ends an unlock early.
  ///
  /// - Throws: `FileError`.
  package func lockNow() throws { try unlockTicket?.remove() }

  /// Runs the helper as an attempt, instead of a PIN.
  ///
  /// - Returns: whether the helper verified the user; false if it is unavailable.
  /// - Throws: `pin-wrong`, `pin-delayed`, and the errors of `PINCheck.attempt`.
  package func attempt(_ helper: PersonVerifier, for purpose: String) throws -> Bool {
    try check.attempt { try helper.verify(for: purpose) } == .verified
  }

  /// Returns the state of the parental control.
  ///
  /// - Throws: `store-unreadable`; `store-damaged` for a malformed file.
  package func status() throws -> LockStatus {
    var standing = LockStatus()
    let mark = try mark()
    guard let settings = try settings() else {
      standing.isRemovedWithoutPIN = mark?.isEnabled == true
      return standing
    }
    standing.settings = settings
    standing.unlocked = unlockTicket?.remaining(for: settings, now: now()) ?? 0
    (standing.failures, standing.wait) = try check.status()
    return standing
  }

  private func mark() throws -> LockMark? {
    try store.snapshot().record(.lock, LockMark.id).map { LockMark($0.fields) }
  }

  private func save(_ mark: LockMark) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      transaction.write(StoredRecord(kind: .lock, id: LockMark.id, fields: mark.fields))
    }
  }
}

/// The state of parental control at a given time.
package struct LockStatus: Sendable, Equatable {
  /// The settings; nil if no PIN is set.
  package var settings: ParentalSettings?
  /// The milliseconds for which this login session remains unlocked; 0 if it is locked.
  package var unlocked: Int64 = 0
  /// The number of consecutive wrong PINs.
  package var failures: Int64 = 0
  /// The milliseconds until the next attempt is allowed.
  package var wait: Int64 = 0
  /// Whether the file of a PIN was removed without the PIN.
  package var isRemovedWithoutPIN = false
}
