package import SystemPackage
import VmxArchive
import VmxModel
import VmxSystem

/// A bundle to read: a file, a folder, or standard input.
package struct BundleSource: Sendable {
  /// The absolute path; nil for standard input.
  package let path: FilePath?
  /// The size of the file in bytes; nil for a folder or a pipe.
  package let size: Int64?
  private let isFolder: Bool
  private let bytes: [UInt8]?
  private let passphrase: @Sendable () throws -> [UInt8]
  private let shouldContinue: @Sendable (Int64) -> Bool

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - path: the path of the bundle; nil for standard input.
  ///   - bytes: a passphrase that is already known. A pipe needs it, since it cannot be opened a
  ///     second time.
  ///   - shouldContinue: called while standard input delivers no bytes, with the idle time in
  ///     milliseconds. Once it returns false, the reading ends with the code `interrupted`.
  ///   - passphrase: returns the passphrase; called only for an encrypted file.
  /// - Throws: `input-missing`.
  package init(
    _ path: FilePath?, bytes: [UInt8]? = nil,
    while shouldContinue: @escaping @Sendable (Int64) -> Bool,
    passphrase: @escaping @Sendable () throws -> [UInt8]
  ) throws {
    self.bytes = bytes
    self.shouldContinue = shouldContinue
    self.passphrase = passphrase
    guard let path else {
      (self.path, size, isFolder) = (nil, nil, false)
      return
    }
    guard let real = realPath(of: path), let facts = try FileFacts.of(real) else {
      throw Failure(.inputMissing, "there is no bundle '\(path)'")
    }
    self.path = real
    isFolder = VmxSystem.isFolder(real)
    size = isFolder ? nil : facts.size
  }

  /// Opens the bundle and calls the closure with its reader. If a file proves encrypted, it is
  /// opened again with its passphrase and the closure is called again.
  func read<Value>(_ body: (any BundleReader) throws -> Value) throws -> Value {
    do {
      return try open(bytes, body)
    } catch let error as ArchiveError where error.code == .passphraseNeeded && path != nil {
      return try open(passphrase(), body)
    }
  }

  /// Whether it can be read again.
  var isRepeatable: Bool { path != nil }

  /// Returns the name of its type, as in `vmx export --type` or as `tar.gz`; nil if the format is
  /// unknown.
  func type(of reader: any BundleReader) -> String? {
    isFolder ? BundleTarget.folderType : (reader as? ArchiveReader)?.typeName
  }

  private func open<Value>(
    _ passphrase: [UInt8]?, _ body: (any BundleReader) throws -> Value
  ) throws -> Value {
    guard let path else {
      return try body(
        try ArchiveReader(.standardInput, passphrase: passphrase, while: shouldContinue))
    }
    if isFolder { return try body(try FolderReader(path)) }
    let file = try OpenFile(path, .readOnly, followingLinks: true)
    return try body(try ArchiveReader(file.descriptor, passphrase: passphrase))
  }
}
