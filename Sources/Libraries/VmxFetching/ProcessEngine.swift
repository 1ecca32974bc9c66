import Synchronization
import VmxModel
package import VmxStore
import VmxTransfer

/// The transfer engine of a process, which its first use starts, and the memory of its hosts.
///
/// A run and the documents beside it share one thread, its connections and the pace of the hosts.
///
///     let engine = ProcessEngine(store, settings: settings, environment: environment)
///     defer { engine.stop() }
package final class ProcessEngine: Sendable {
  /// The host memory, which is in the store.
  let hosts: HostStateStore
  private let settings: TransferSettings
  private let clock: any WallClock
  private let started = Mutex<TransferEngine?>(nil)

  /// Creates the engine without starting it.
  package init(
    _ store: LibraryStore, settings: FetchSettings, environment: FetchEnvironment
  ) {
    var transfer = settings.transfer
    let (clock, zone) = (environment.clock, environment.zone)
    if let rate = settings.rate {
      transfer.rate = { rate.rate(at: zone.local(clock.now).minute) }
    }
    hosts = HostStateStore(store, settings: transfer, environment: environment)
    transfer.hostMemory = hosts
    self.settings = transfer
    self.clock = clock
  }

  /// Returns the engine.
  ///
  /// - Throws: `ProcessError` if its thread cannot be started.
  func engine() throws -> TransferEngine {
    try started.withLock { started in
      if let started { return started }
      let engine = try TransferEngine(settings, clock: clock)
      started = engine
      return engine
    }
  }

  /// Cancels the running transfers and ends the thread, if it was started.
  package func stop() { started.withLock { $0?.stop() } }
}
