import Synchronization
import VmxStore
import VmxSystem

/// Limits the simultaneous transfers of this process, of the machine and from a host.
///
/// A transfer gets a permit from all three limits or from none. All processes share the limits of
/// the machine and the host. No transfer holds one slot while it waits for another, so no slot is
/// idle. The kernel releases the slots of a process that dies.
final class TransferLimiter: Sendable {
  private let free: Monitor<Int>
  private let slots: TransferSlots
  private let machine: Int64
  private let host: Int64
  private let changes: ChangeSignal

  /// Creates the limits of a run.
  ///
  /// - Parameters:
  ///   - own: the number of simultaneous transfers of this process, at least one.
  ///   - machine: the number of simultaneous transfers of all processes, from 1 to 64.
  ///   - host: the number of these transfers from one host.
  ///   - slots: the slots shared with other processes.
  ///   - changes: signalled when a permit is released.
  init(own: Int, machine: Int64, host: Int64, _ slots: TransferSlots, changes: ChangeSignal) {
    free = Monitor(max(1, own))
    self.machine = machine
    self.host = host
    self.slots = slots
    self.changes = changes
  }

  /// Waits for a permit and holds it until the body returns or releases it.
  ///
  /// - Parameters:
  ///   - name: the name of the host; nil if unknown.
  ///   - checkStop: called during the wait; an error that it throws ends the wait.
  ///   - checkHost: called if only the host has no free slot; an error that it throws ends the
  ///     wait.
  func withPermit<Result>(
    for name: String?, checkStop: () throws -> Void, checkHost: () throws -> Void = {},
    _ body: (TransferPermit) throws -> Result
  ) throws -> Result {
    // Polled because of other processes: the kernel's blocking wait for a lock (F_OFD_SETLKW)
    // cannot be cancelled.
    let permit = try changes.retry(every: 100) {
      let permit = try tryAcquire(for: name, checkHost)
      if permit == nil { try checkStop() }
      return permit
    }
    defer { permit.release() }
    return try body(permit)
  }

  private func tryAcquire(
    for name: String?, _ checkHost: () throws -> Void
  ) throws -> TransferPermit? {
    free.when({ $0 > 0 }) { $0 -= 1 }
    var locks: TransferPermit.Locks?
    defer { if locks == nil { free.withLock { $0 += 1 } } }
    locks = try tryLocks(for: name, checkHost)
    return locks.map { TransferPermit($0, at: name, of: self) }
  }

  /// Acquires the slots shared with other processes; nil if one of them is not free.
  private func tryLocks(
    for name: String?, _ checkHost: () throws -> Void
  ) throws -> TransferPermit.Locks? {
    guard let ofMachine = try slots.acquire(ofMachine: machine) else { return nil }
    guard let name else { return TransferPermit.Locks(machine: ofMachine) }
    guard let ofHost = try lock(of: name) else {
      ofMachine.release()
      try checkHost()
      return nil
    }
    return TransferPermit.Locks(machine: ofMachine, host: ofHost)
  }

  /// Acquires a slot of a host; nil if none is free.
  fileprivate func lock(of name: String) throws(StoreError) -> ByteLock? {
    try slots.acquire(of: name, host)
  }

  fileprivate func release(_ locks: TransferPermit.Locks) {
    locks.host?.release()
    locks.machine.release()
    free.withLock { $0 += 1 }
    changes.signal()
  }
}

/// The permission for one transfer, released once.
final class TransferPermit: Sendable {
  fileprivate struct Locks {
    let machine: ByteLock
    var host: ByteLock?
  }

  private struct State {
    var locks: Locks?
    var name: String?
  }

  private let limiter: TransferLimiter
  private let state: Mutex<State>

  fileprivate init(_ locks: Locks, at name: String?, of limiter: TransferLimiter) {
    self.limiter = limiter
    state = Mutex(State(locks: locks, name: name))
  }

  /// Exchanges the slot of the host for one of another host, because another source is tried.
  ///
  /// - Returns: false if that host has no free slot; the permit then has no slot of any host.
  /// - Throws: errors of the lock file.
  func move(to name: String) throws(StoreError) -> Bool {
    try state.withLock { state throws(StoreError) in
      guard state.locks != nil, state.name != name else { return true }
      state.locks?.host?.release()
      state.locks?.host = nil
      state.name = nil
      guard let lock = try limiter.lock(of: name) else { return false }
      state.locks?.host = lock
      state.name = name
      return true
    }
  }

  /// Releases the permit; a second call has no effect.
  func release() {
    let locks = state.withLock { state in
      defer { state.locks = nil }
      return state.locks
    }
    if let locks { limiter.release(locks) }
  }
}
