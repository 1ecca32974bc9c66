package import SystemPackage
import VmxArchive
import VmxModel
import VmxSystem

/// A bundle that is to be read: a file, a folder, or standard input.
package struct BundleSource: Sendable {
  /// The absolute path; nil for standard input.
  package let path: FilePath?
  /// The size of the file in bytes; nil for a folder or a pipe.
  package let size: Int64?
  private let isFolder: Bool
  private let given: [UInt8]?
  private let passphrase: @Sendable () throws -> [UInt8]
  private let goesOn: @Sendable (Int64) -> Bool

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - path: nil for standard input.
  ///   - given: a passphrase that is known already; a pipe cannot be opened a second time.
  ///   - goesOn: called while standard input gives nothing, with the milliseconds of silence; once it
  ///     returns false, the reading ends with the code `interrupted`.
  ///   - passphrase: asked only for an encrypted bundle, which is a file.
  /// - Throws: `input-missing`.
  package init(
    _ path: FilePath?, given: [UInt8]? = nil, while goesOn: @escaping @Sendable (Int64) -> Bool,
    passphrase: @escaping @Sendable () throws -> [UInt8]
  ) throws {
    self.given = given
    self.goesOn = goesOn
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

  /// Opens the bundle and calls the closure with its reader. An encrypted file is opened again with its
  /// passphrase.
  func read<Value>(_ body: (any BundleReader) throws -> Value) throws -> Value {
    do {
      return try open(given, body)
    } catch let error as ArchiveError where error.code == .passphraseNeeded && path != nil {
      return try open(passphrase(), body)
    }
  }

  /// Whether it can be read once more.
  var isRepeatable: Bool { path != nil }

  /// The name of its type, as in `vmx export --type`; nil for standard input.
  func type(of reader: any BundleReader) -> String? {
    isFolder ? BundleTarget.folderType : (reader as? ArchiveReader)?.format?.rawValue
  }

  private func open<Value>(
    _ passphrase: [UInt8]?, _ body: (any BundleReader) throws -> Value
  ) throws -> Value {
    guard let path else {
      return try body(try ArchiveReader(.standardInput, passphrase: passphrase, while: goesOn))
    }
    if isFolder { return try body(try FolderReader(path)) }
    let file = try OpenFile(path, .readOnly, followingLinks: true)
    return try body(try ArchiveReader(file.descriptor, passphrase: passphrase))
  }
}
