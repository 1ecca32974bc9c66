package import VmxCommand
import VmxModel
package import VmxStore

extension LibraryOptions {
  /// Opens the store of the library; a reader of one that is not there yet finds it empty.
  ///
  /// - Throws: `store-on-network`, `usage`, `bad-setting`.
  package func openStore(in context: CommandContext) throws -> LibraryStore {
    var options = StoreOptions()
    options.lockTimeout = try lockTimeoutMilliseconds(in: context)
    options.allowsNetwork = try context.settings.bool(.networkStore)
    return try LibraryStore.open(
      LibraryHome(try context.home()), options: options, clock: context.clock)
  }
}
