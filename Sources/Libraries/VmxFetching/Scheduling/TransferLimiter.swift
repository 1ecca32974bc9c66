import VmxStore
import VmxSystem

/// Limits the simultaneous transfers of this process, of the machine and from a host.
///
/// A transfer gets all three slots or none. All processes share the limits of the machine and the
/// host. No transfer holds one slot while it waits for another, so no slot is idle. The kernel
/// releases the slots of a process that dies.
final class TransferLimiter: Sendable {
  /// The slots of one transfer.
  struct Slots: Sendable {
    fileprivate let machine: ByteLock
    fileprivate var host: ByteLock?
    fileprivate var name: String?
  }

  /// The result of an attempt to acquire the slots of a transfer.
  enum Attempt: Sendable {
    case acquired(Slots)
    /// The machine runs as many transfers as it may.
    case machineFull
    /// Only the host has no free slot.
    case hostFull
  }

  private let free: Monitor<Int>
  private let slots: TransferSlots
  private let machine: Int64
  private let host: Int64

  /// Creates the limits of a run.
  ///
  /// - Parameters:
  ///   - own: the number of simultaneous transfers of this process, at least one.
  ///   - machine: the number of simultaneous transfers of all processes, from 1 to 64.
  ///   - host: the number of these transfers from one host.
  ///   - slots: the slots shared with other processes.
  init(own: Int, machine: Int64, host: Int64, slots: TransferSlots) {
    free = Monitor(max(1, own))
    self.machine = machine
    self.host = host
    self.slots = slots
  }

  /// Waits for a slot of this process, and acquires those shared with other processes if they are
  /// free.
  ///
  /// - Parameter name: the name of the host; nil if unknown.
  /// - Throws: errors of the lock file.
  func attempt(for name: String?) throws(StoreError) -> Attempt {
    free.when({ $0 > 0 }) { $0 -= 1 }
    var result = Attempt.machineFull
    defer {
      if case .acquired = result {} else { free.withLock { $0 += 1 } }
    }
    guard let lock = try slots.acquire(ofMachine: machine) else { return result }
    var acquired = Slots(machine: lock)
    if let name, try !move(&acquired, to: name) {
      lock.release()
      result = .hostFull
    } else {
      result = .acquired(acquired)
    }
    return result
  }

  /// Exchanges the slot of the host for one of another host, because another source is tried.
  ///
  /// - Returns: false if that host has no free slot; the transfer then has no slot of any host.
  /// - Throws: errors of the lock file.
  func move(_ acquired: inout Slots, to name: String) throws(StoreError) -> Bool {
    guard acquired.name != name else { return true }
    acquired.host?.release()
    (acquired.host, acquired.name) = (nil, nil)
    guard let lock = try slots.acquire(of: name, host) else { return false }
    (acquired.host, acquired.name) = (lock, name)
    return true
  }

  /// The number of further transfers that this process may begin.
  var freeCount: Int { free.withLock { $0 } }

  /// Releases the slots of a transfer.
  func release(_ acquired: Slots) {
    acquired.host?.release()
    acquired.machine.release()
    free.withLock { $0 += 1 }
  }
}
