import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// A small file of the home with one JSON object, such as `sync.json`.
///
/// It is replaced atomically and durably under the write lock of the store, whose holder also
/// removes the temporary files that a crash left. Reading takes no lock and creates no file.
struct HomeFile: Sendable {
  /// The maximum size.
  private static let maxSize = ByteCount(clamping: 64 << 10)

  let path: FilePath
  /// The name in messages, such as `the account of 'vmx sync'`.
  let name: String
  /// The hint for a file that cannot be decoded.
  let hint: String

  /// Decodes the file; nil if it does not exist.
  ///
  /// - Throws: `store-unreadable` or `resources-short` if it cannot be read, `store-damaged` if its
  ///   content is invalid.
  func read<Value>(
    _ decode: (JSONObject) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try readFile(path, limit: Self.maxSize)
    } catch {
      let code: ErrorCode = error.code == .resourcesShort ? .resourcesShort : .storeUnreadable
      throw Failure(code, "cannot read \(name): \(error.summary)")
    }
    guard let bytes else { return nil }
    do {
      guard case .object(let object) = try JSONParser().parse(bytes) else {
        throw JSONSyntaxError(offset: 0, reason: "not an object")
      }
      return try decode(object)
    } catch {
      throw Failure(.storeDamaged, "invalid content in '\(path)'", hint: hint)
    }
  }

  /// Replaces the file durably; the caller holds the write lock.
  ///
  /// - Throws: `StoreError.full` or `.file`.
  func replace(with object: JSONObject) throws(StoreError) {
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    try LibraryHome.replace(path, with: bytes)
  }

  /// Removes the file durably if it exists; the caller holds the write lock.
  ///
  /// - Throws: `StoreError.file`.
  func remove() throws(StoreError) {
    do throws(FileError) {
      try RegularFile.remove(path)
      try syncFolder(path.folder)
    } catch {
      throw .file(error)
    }
  }
}

extension LibraryHome {
  /// Replaces a file of a home atomically and durably; the caller holds the write lock.
  ///
  /// - Throws: `StoreError.full` or `.file`.
  static func replace(_ path: FilePath, with bytes: [UInt8]) throws(StoreError) {
    do throws(FileError) {
      try AtomicFile.replace(path, with: bytes, durable: true)
    } catch {
      throw error.isFull
        ? .outOfSpace(path, error.errno ?? .noSpace, needed: bytes.count) : .file(error)
    }
  }
}
