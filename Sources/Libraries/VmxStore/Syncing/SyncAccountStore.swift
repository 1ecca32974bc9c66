package import VmxModel
import VmxSystem

/// The file of the account of `vmx sync` in a library, `sync.json`.
package struct SyncAccountStore: Sendable {
  private let locks: StoreLocks

  init(_ locks: StoreLocks) { self.locks = locks }

  private static func file(of home: LibraryHome) -> HomeFile {
    HomeFile(
      path: home.sync, name: "the account of 'vmx sync'",
      hint: "remove it, then run 'vmx sync login URL' to log in again")
  }

  /// Whether a library has an account; the file is not read.
  package static func exists(in home: LibraryHome) -> Bool {
    do throws(FileError) {
      return try FileFacts.of(home.sync) != nil
    } catch {
      // An unreadable file counts: a superfluous event is removed later, a missing one is lost.
      return true
    }
  }

  /// Returns the account of a library; nil if it has none. Takes no lock and creates no file.
  ///
  /// - Throws: `store-unreadable` or `resources-short` if the file cannot be read, `store-damaged`
  ///   if its content is invalid.
  package static func account(of home: LibraryHome) throws(Failure) -> SyncAccount? {
    try file(of: home).read(SyncAccount.init(fields:))
  }

  /// Writes the account durably.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func save(_ account: SyncAccount) throws {
    try locks.withWriteLock { try Self.file(of: locks.home).replace(with: account.fields) }
  }

  /// Removes the account durably; its secret is not touched.
  ///
  /// - Throws: `StoreError.lock` or `.file`.
  package func remove() throws {
    try locks.withWriteLock { try Self.file(of: locks.home).remove() }
  }
}

extension LibraryStore {
  /// The file of the account of `vmx sync`.
  package var syncAccount: SyncAccountStore { SyncAccountStore(writer.locks) }
}

extension OutboxRule {
  /// Adds the server of `vmx sync` if a library has an account.
  ///
  /// - Parameter home: the library.
  package mutating func addSync(of home: LibraryHome) {
    if SyncAccountStore.exists(in: home) { backends.insert(.sync) }
  }
}
