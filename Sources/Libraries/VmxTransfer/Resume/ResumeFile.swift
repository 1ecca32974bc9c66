import SystemPackage
import VmxModel
import VmxSystem

/// Writes one `.part.json` by replacing it or by appending a line.
struct ResumeFile: ~Copyable {
  /// The maximum size of resume data in bytes; a larger file was not written by vmx.
  private static let largest: Int64 = 256 << 20

  private let path: FilePath
  private var file: OpenFile?
  private var length: Int64 = 0

  /// Creates a writer for this path without touching the file.
  init(_ path: FilePath) {
    self.path = path
    file = nil
  }

  /// Whether this transfer has written the file, so that lines may be appended.
  var exists: Bool { file != nil }

  /// Reads a file; nil if there is none, or one not written by vmx.
  static func bytes(of path: FilePath) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      let file = try OpenFile(path, .readOnly)
      let facts = try file.facts()
      guard facts.size <= largest else { return nil }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(facts.size), alignment: 1)
      defer { buffer.deallocate() }
      let count = try file.read(into: buffer, at: 0)
      return Array(buffer.prefix(count))
    } catch {
      if case .notRegular = error { return nil }
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  /// Replaces the file with these resume data.
  ///
  /// - Parameter durable: whether they are flushed to the disk on return.
  mutating func replace(with data: ResumeData, durable: Bool) throws(FileError) {
    file = nil
    let line = data.line
    try AtomicFile.replace(path, with: line, durable: durable)
    file = try OpenFile(path, .writeOnly)
    length = Int64(line.count)
  }

  /// Appends a line to the file that `replace` wrote; after a failure the next call must be
  /// `replace`.
  mutating func append(_ line: [UInt8]) throws(FileError) {
    guard let open = file.take() else { return }
    try open.write(line, at: length)
    length += Int64(line.count)
    file = consume open
  }

  /// Stops appending to the file: the next record is written by `replace`.
  mutating func detach() {
    file = nil
  }

  /// Removes the file, if it exists, because another version follows.
  mutating func remove() throws(FileError) {
    file = nil
    do throws(FileError) {
      try removeFile(path)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
  }
}
