import SystemPackage
import VmxModel
import VmxSystem

/// Writes one `.part.json`: replaced as a whole, or a line appended.
struct ResumeFile: ~Copyable {
  /// More than this no resume data have; a larger file is not ours.
  private static let largest: Int64 = 256 << 20

  private let path: FilePath
  private var file: OpenFile?
  private var length: Int64 = 0

  /// Writes to this path from now on; nothing is touched yet.
  init(_ path: FilePath) {
    self.path = path
    file = nil
  }

  /// Whether a file of this transfer is there, so that lines may be appended.
  var exists: Bool { file != nil }

  /// The bytes of a file; nil if there is none, or one that cannot be ours.
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

  /// Puts these resume data in the place of any others.
  ///
  /// - Parameter durable: whether they are on the disk when it returns.
  mutating func replace(with data: ResumeData, durable: Bool) throws(FileError) {
    file = nil
    let line = data.line
    try AtomicFile.replace(path, with: line, durable: durable)
    file = try OpenFile(path, .writeOnly)
    length = Int64(line.count)
  }

  /// Appends a line to what `replace` wrote; after a failure the next must be a `replace`.
  mutating func append(_ line: [UInt8]) throws(FileError) {
    guard let open = file.take() else { return }
    try open.write(line, at: length)
    length += Int64(line.count)
    file = consume open
  }

  /// Appends no more to what is there: the next record is a `replace`.
  mutating func detach() {
    file = nil
  }

  /// Removes the file, if there is one: what is held from now on is another version.
  mutating func remove() throws(FileError) {
    file = nil
    do throws(FileError) {
      try removeFile(path)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
  }
}
