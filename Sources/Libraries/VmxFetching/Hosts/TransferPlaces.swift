import Synchronization
import VmxStore
import VmxSystem

/// Where a part gets leave to transfer: a place of this process, one of the machine, one of its
/// host, all three or none.
///
/// The limits of machine and host are kept by all processes together. Nobody holds one place while
/// waiting for another, so none stands idle, and whoever dies leaves its places.
final class TransferPlaces: Sendable {
  private let free: Monitor<Int>
  private let shared: TransferSlots
  private let machine: Int64
  private let host: Int64
  private let pause: @Sendable () -> Void

  /// Places by the limits of a run.
  ///
  /// - Parameters:
  ///   - own: transfers of this process at once, at least one.
  ///   - machine: transfers of all processes at once, from 1 to 64.
  ///   - host: of them from one host.
  ///   - pause: lets some time pass before a place that was taken is asked for again.
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

  /// Waits for a place and holds it while the body runs, or until that leaves it.
  ///
  /// - Parameters:
  ///   - name: of the host; nil where none is known.
  ///   - heed: asked while it waits; what it throws ends that.
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

  /// The places that other processes see; nil if one of them is not to be had.
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

/// Leave to transfer, which ends once.
final class TransferPlace: Sendable {
  private let locks: [JobLock]
  private let free: Monitor<Int>
  private let isLeft = Atomic(false)

  fileprivate init(_ locks: [JobLock], _ free: Monitor<Int>) {
    self.locks = locks
    self.free = free
  }

  /// Others may have the place; a second call does nothing.
  func leave() {
    guard !isLeft.exchange(true, ordering: .relaxed) else { return }
    for lock in locks { lock.release() }
    free.withLock { $0 += 1 }
  }
}
