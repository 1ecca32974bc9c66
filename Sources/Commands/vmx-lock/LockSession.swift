import ArgumentParser
import SystemPackage
import VmxCommand
import VmxDesktop
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// The options for giving a PIN. It is never an option's value, which other processes can read.
struct PINOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read the PIN from this file descriptor.", valueName: "fd"))
  var pinFd: Int32?

  @Flag(help: "With 'set': change the PIN.")
  var newPin = false

  @Option(
    help: ArgumentHelp("With 'set': read the new PIN from this file descriptor.", valueName: "fd"))
  var newPinFd: Int32?
}

/// One run of `vmx lock`: reads PINs and calls `ParentalLock`.
struct LockSession {
  private let pins: PINOptions
  private let lock: ParentalLock
  private let interruption: Interruption
  private let context: CommandContext

  /// - Throws: `bad-setting`, errors of opening the store.
  init(
    _ pins: PINOptions, interruption: Interruption, lock: LockOptions, in context: CommandContext
  ) throws {
    self.pins = pins
    self.interruption = interruption
    self.context = context
    let store = try context.openStore(lock, until: interruption)
    let ticket = UnlockTicket(of: store.home, runtime: context.environment["XDG_RUNTIME_DIR"])
    self.lock = ParentalLock(store, unlockTicket: ticket, clock: context.clock)
  }

  /// Returns the state that a request would lead to. It reads no PIN, so that no attempt is
  /// counted.
  ///
  /// - Parameter milliseconds: the duration of `unlock`.
  func plan(
    _ request: LockRequest, limit: Int64?, unrated: ParentalRule.Unrated?, milliseconds: Int64
  ) throws -> LockRow {
    let before = try request == .set ? lock.legibleSettings() : lock.settings()
    if before == nil, request != .set { noteOff() }
    let state: LockRow.State =
      switch request {
      case .set: .on
      case _ where before == nil: try row().state
      case .remove: .off
      case .unlock: .unlocked
      default: .on
      }
    var row = LockRow(state, now: context.clock.now)
    row.isPlanned = true
    guard state == .on || state == .unlocked else { return row }
    row.limit = try Self.age(limit ?? before?.limit)
    row.unrated = unrated ?? before?.unrated ?? .hide
    row.until = state == .unlocked ? context.clock.now.adding(milliseconds: milliseconds) : nil
    row.helper = request == .set ? try helperPath() : before?.helper
    return row
  }

  private static func age(_ limit: Int64?) throws(Failure) -> Int64 {
    if let limit { return limit }
    throw Failure(
      .usage, "no limit given", hint: "give an age, such as --limit 12 or --limit FSK-12")
  }

  /// Sets or changes the PIN, the limit and the rule for unrated episodes.
  func set(limit: Int64?, unrated: ParentalRule.Unrated?) throws {
    let before = try lock.legibleSettings()
    let age = try Self.age(limit ?? before?.limit)
    let pin: PIN
    if var checkedSettings = before {
      let old = try checked(&checkedSettings)
      let isReplaced = pins.newPin || pins.newPinFd != nil
      pin = isReplaced ? try promptForPIN("new PIN", pins.newPinFd, isNew: true) : old
    } else {
      pin = try promptForPIN("new PIN", pins.newPinFd ?? pins.pinFd, isNew: true)
    }
    if pin.isWeak { context.messages.note("this PIN is easy to guess") }
    try lock.set(
      limit: age, unrated: unrated ?? before?.unrated ?? .hide, helper: try helperPath(), pin: pin)
  }

  /// Removes the PIN, after verifying it.
  func remove() throws {
    guard var settings = try lock.settings() else { return noteOff() }
    _ = try checked(&settings)
    try lock.remove()
  }

  /// Unlocks for this login session.
  func unlock(for milliseconds: Int64) throws {
    guard var settings = try lock.settings() else { return noteOff() }
    if try !isVerifiedByHelper(settings) { _ = try checked(&settings) }
    try lock.unlock(for: milliseconds, settings)
  }

  /// Locks again before the time of `unlock` is over.
  func lockNow() throws { try lock.lockNow() }

  /// The state after the request.
  func row() throws -> LockRow {
    let standing = try lock.status()
    let now = context.clock.now
    guard let settings = standing.settings else {
      return LockRow(standing.isRemovedWithoutPIN ? .removed : .off, now: now)
    }
    var row = LockRow(standing.unlocked > 0 ? .unlocked : .on, now: now)
    row.limit = settings.limit
    row.unrated = settings.unrated
    row.until = standing.unlocked > 0 ? now.adding(milliseconds: standing.unlocked) : nil
    (row.failures, row.wait) = (standing.failures, standing.wait)
    (row.set, row.reset, row.helper) = (settings.set, settings.reset, settings.helper)
    return row
  }

  private func noteOff() { context.messages.note("no PIN is set") }

  /// Reads and verifies the PIN, and returns it.
  private func checked(_ settings: inout ParentalSettings) throws -> PIN {
    let pin = try promptForPIN("PIN", pins.pinFd, isNew: false)
    guard try lock.verify(pin, &settings) else {
      context.messages.warn(
        Failure(
          .parental, "the limit was changed without the PIN",
          hint: "run 'vmx lock set --limit AGE' to set it again"))
      return pin
    }
    return pin
  }

  private func promptForPIN(_ name: String, _ descriptor: Int32?, isNew: Bool) throws -> PIN {
    try PIN(
      context.secret(
        name, descriptor: descriptor, isNew: isNew, else: Failure(.pinNeeded, "no PIN given"),
        until: interruption))
  }

  /// Whether the helper has verified the user; false if no helper is set or it is unavailable.
  private func isVerifiedByHelper(_ settings: ParentalSettings) throws -> Bool {
    guard pins.pinFd == nil, let path = try helperPath() else { return false }
    guard path == settings.helper else {
      context.messages.note(
        "'lock.helper' has changed; run 'vmx lock set' to accept it with the PIN")
      return false
    }
    let helper = PersonVerifier(
      FilePath(path), timeout: try context.settings.milliseconds(.lockHelperTimeout),
      terminal: context.environment["TERM"], interruption: interruption,
      note: { context.messages.note($0) })
    return try lock.attempt(helper, for: "unlock")
  }

  private func helperPath() throws(Failure) -> String? {
    try context.settings.path(.lockHelper, home: context.environment["HOME"] ?? "/")
  }
}
