package import VmxCommand
import VmxModel
package import VmxStore

extension CommandContext {
  /// Opens the store of the library; a reader of one that is not there yet finds it empty.
  ///
  /// - Parameter lock: how a tool that writes waits for locks.
  /// - Throws: `store-on-network`, `usage`, `bad-setting`.
  package func openStore(_ lock: LockOptions? = nil) throws -> LibraryStore {
    var options = StoreOptions()
    if let lock { options.lockTimeout = try lock.milliseconds(in: self) }
    options.allowsNetwork = try settings.bool(.networkStore)
    return try LibraryStore.open(LibraryHome(try home()), options: options, clock: clock)
  }
}
