import Synchronization
import VmxStore
import VmxSystem

/// Limits the simultaneous transfers: of this process, of the machine and of a host.
///
/// A transfer gets a place in all three limits or in none. All processes share the limits of
/// machine and host. No transfer holds one place while it waits for another, so no place is idle. A
/// process that dies releases its places.
final class TransferPlaces: Sendable {
  private let free: Monitor<Int>
  private let shared: TransferSlots
  private let machine: Int64
  private let host: Int64
  private let pause: @Sendable () -> Void

  /// Creates places for the limits of a run.
  ///
  /// - Parameters:
  ///   - own: the number of simultaneous transfers of this process, at least one.
  ///   - machine: the number of simultaneous transfers of all processes, from 1 to 64.
  ///   - host: the number of these transfers from one host.
  ///   - pause: waits a while before the next attempt to acquire a place.
  init(
    own: Int, machine: Int64, host: Int64, _ shared: TransferSlots,
    pause: @escaping @Sendable () -> Void = {
      Deadline(milliseconds: 100).sleep(nanoseconds: .max)
    }
  ) {
    free = Monitor(max(1, own))
    self.machine = machine
    self.host = host
    self.shared = shared
    self.pause = pause
  }

  /// Waits for a place and holds it until the body returns or releases it.
  ///
  /// - Parameters:
  ///   - name: the name of the host; nil if unknown.
  ///   - heed: called while it waits; an error that it throws ends the wait.
  func withPlace<Result>(
    at name: String?, heed: () throws -> Void, _ body: (TransferPlace) throws -> Result
  ) throws -> Result {
    while true {
      if let place = try enter(at: name) {
        defer { place.leave() }
        return try body(place)
      }
      try heed()
      pause()
    }
  }

  private func enter(at name: String?) throws -> TransferPlace? {
    free.when({ $0 > 0 }) { $0 -= 1 }
    do {
      if let locks = try take(at: name) { return TransferPlace(locks, free) }
    } catch {
      free.withLock { $0 += 1 }
      throw error
    }
    free.withLock { $0 += 1 }
    return nil
  }

  /// Acquires the places shared with other processes; nil if one of them is not free.
  private func take(at name: String?) throws -> [JobLock]? {
    guard let ofMachine = try shared.take(ofMachine: machine) else { return nil }
    guard let name else { return [ofMachine] }
    guard let atHost = try shared.take(of: name, host) else {
      ofMachine.release()
      return nil
    }
    return [ofMachine, atHost]
  }
}

/// A place that allows one transfer, released once.
final class TransferPlace: Sendable {
  private let locks: [JobLock]
  private let free: Monitor<Int>
  private let isLeft = Atomic(false)

  fileprivate init(_ locks: [JobLock], _ free: Monitor<Int>) {
    self.locks = locks
    self.free = free
  }

  /// Releases the place; a second call does nothing.
  func leave() {
    guard !isLeft.exchange(true, ordering: .relaxed) else { return }
    for lock in locks { lock.release() }
    free.withLock { $0 += 1 }
  }
}
