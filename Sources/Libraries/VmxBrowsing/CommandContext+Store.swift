package import VmxCommand
import VmxModel
package import VmxStore
package import VmxSystem

extension CommandContext {
  /// Opens the store of the library; a reader of one that is not there yet finds it empty.
  ///
  /// - Parameters:
  ///   - lock: how a tool that writes waits for locks.
  ///   - interruption: the request to stop that ends such a wait early.
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
