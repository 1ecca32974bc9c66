import Glibc
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// A file that is or was the store, open for reading or for both reading and writing.
final class StoreFile: Sendable {
  let file: OpenFile
  let facts: FileFacts
  /// The header; nil if the first line is not one.
  let header: StoreHeader?
  let isWritable: Bool
  /// The number of times that this process has seen the file overwritten in place.
  let generation: Int

  private init(
    _ file: consuming OpenFile, facts: FileFacts, header: StoreHeader?, isWritable: Bool,
    generation: Int
  ) {
    self.file = file
    self.facts = facts
    self.header = header
    self.isWritable = isWritable
    self.generation = generation
  }

  /// Opens the store; nil if there is none.
  static func open(
    _ path: FilePath, writable: Bool, generation: Int = 0
  ) throws(StoreError) -> StoreFile? {
    let opened: StoreFile
    do throws(FileError) {
      // Without O_NONBLOCK, opening a named pipe at this path would block for ever.
      let file = try OpenFile(
        path, writable ? .readWrite : .readOnly,
        options: writable ? [.append, .nonBlocking] : .nonBlocking)
      let facts = try file.facts()
      guard facts.isRegular else { throw .notRegular(path) }
      let header = try Self.header(of: file, size: facts.size)
      opened = StoreFile(
        file, facts: facts, header: header, isWritable: writable, generation: generation)
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      throw .file(error)
    }
    if let header = opened.header, header.major > StoreHeader.major {
      throw .tooNew(path, major: header.major)
    }
    return opened
  }

  /// Whether the path still refers to this file and the file has not become shorter.
  ///
  /// - Parameter length: the number of bytes that were read.
  func isCurrent(at path: FilePath, holding length: Int = 0) -> Bool {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return false }
    return UInt64(status.st_ino) == facts.inode && UInt64(status.st_dev) == facts.device
      && Int(status.st_size) >= length
  }

  /// Whether both are the same file on the disk, not overwritten in between.
  func isSame(as other: StoreFile?) -> Bool {
    isSameInode(as: other) && generation == other?.generation
  }

  /// Whether both are the same file on the disk, perhaps with other bytes. An inode number is not
  /// reused while the file is open.
  func isSameInode(as other: StoreFile?) -> Bool {
    facts.inode == other?.facts.inode && facts.device == other?.facts.device
  }

  /// Returns the current size in bytes.
  func size() throws(StoreError) -> Int {
    do throws(FileError) { return Int(try file.facts().size) } catch { throw .file(error) }
  }

  /// Reads up to `count` bytes from an offset.
  func bytes(from offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    do throws(FileError) {
      return try file.read(count, at: Int64(offset))
    } catch {
      throw .file(error)
    }
  }

  private static func header(
    of file: borrowing OpenFile, size: Int64
  ) throws(FileError) -> StoreHeader? {
    let first = try file.read(Int(min(size, 65_536)), at: 0)
    guard let end = first.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return first[..<end].withUnsafeBytes { line in
      JSONParser().withTape(copying: line) { $0.object.flatMap { StoreHeader(line: $0) } }
    }
  }
}
