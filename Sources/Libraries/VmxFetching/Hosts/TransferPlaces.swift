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

  /// Waits for a place and holds it while the body runs.
  ///
  /// - Parameters:
  ///   - name: of the host; nil where none is known.
  ///   - heed: asked while it waits; what it throws ends that.
  func withPlace<Result>(
    at name: String?, heed: () throws -> Void, _ body: () throws -> Result
  ) throws -> Result {
    while true {
      do {
        free.when({ $0 > 0 }) { $0 -= 1 }
        defer { free.withLock { $0 += 1 } }
        if let locks = try take(at: name) {
          defer { for lock in locks { lock.release() } }
          return try body()
        }
      }
      try heed()
      pause()
    }
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
