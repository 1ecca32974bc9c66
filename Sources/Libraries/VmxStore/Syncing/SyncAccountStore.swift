import SystemPackage
import VmxJSON
package import VmxModel
import VmxSystem

/// The file of the account of `vmx sync` in a library, `sync.json`. It is replaced atomically and
/// durably under the write lock of the store.
package struct SyncAccountStore: Sendable {
  /// The maximum size of the file.
  private static let largest = ByteCount(clamping: 64 << 10)

  private let locks: StoreLocks

  init(_ locks: StoreLocks) { self.locks = locks }

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
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try readFile(home.sync, limit: largest)
    } catch {
      let code: ErrorCode = error.code == .resourcesShort ? .resourcesShort : .storeUnreadable
      throw Failure(code, "cannot read the account of 'vmx sync': \(error.summary)")
    }
    guard let bytes else { return nil }
    do {
      guard case .object(let object) = try JSONParser().parse(bytes) else {
        throw JSONSyntaxError(offset: 0, reason: "not an object")
      }
      return try SyncAccount(fields: object)
    } catch {
      throw Failure(
        .storeDamaged, "invalid content in '\(home.sync)'",
        hint: "remove it, then run 'vmx sync login URL' to log in again")
    }
  }

  /// Writes the account durably.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func put(_ account: SyncAccount) throws {
    var bytes: [UInt8] = []
    JSONWriter.append(account.fields, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    let path = locks.home.sync
    try locks.whileWriting {
      do throws(FileError) {
        try AtomicFile.replace(path, with: bytes, durable: true)
      } catch {
        throw error.isFull ? .full(path, error.errno ?? .noSpace) : StoreError.file(error)
      }
    }
  }

  /// Removes the account durably; its secret is not touched.
  ///
  /// - Throws: `StoreError.lock` or `.file`.
  package func remove() throws {
    let home = locks.home
    try locks.whileWriting {
      do throws(FileError) {
        try RegularFile.remove(home.sync)
        try syncFolder(home.folder)
      } catch {
        throw StoreError.file(error)
      }
    }
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
