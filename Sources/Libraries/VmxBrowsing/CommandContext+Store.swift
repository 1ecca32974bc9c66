package import VmxCommand
import VmxModel
package import VmxStore
package import VmxSystem

extension CommandContext {
  /// Opens the store of the library. A store that does not exist yet reads as empty.
  ///
  /// - Parameters:
  ///   - lock: the lock options of a tool that writes.
  ///   - interruption: the stop request that ends a wait for a lock early.
  /// - Throws: `store-on-network`, `usage`, `bad-setting`.
  package func openStore(
    _ lock: LockOptions? = nil, until interruption: Interruption? = nil
  ) throws -> LibraryStore {
    var options = StoreOptions()
    if let lock { options.lockTimeout = try lock.milliseconds(in: self) }
    if let interruption { options.shouldStop = { interruption.isRequested } }
    options.allowsNetwork = try settings.bool(.networkStore)
    return try LibraryStore.open(LibraryHome(try home()), options: options, clock: clock)
  }
}
