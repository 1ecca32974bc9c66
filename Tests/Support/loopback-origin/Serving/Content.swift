import Glibc

/// A known number of bytes that can be read at any offset.
struct Content: Sendable {
  let size: Int64
  private let read: @Sendable (Range<Int64>) -> [UInt8]

  init(size: Int64, read: @escaping @Sendable (Range<Int64>) -> [UInt8]) {
    self.size = size
    self.read = read
  }

  init(_ bytes: [UInt8]) {
    self.init(size: Int64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
  }

  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Returns the bytes of a range within the size.
  func bytes(_ range: Range<Int64>) -> [UInt8] {
    range.isEmpty ? [] : read(range.clamped(to: 0..<size))
  }

  /// Returns this content with some bytes changed.
  func changing(
    _ touched: Range<Int64>, _ change: @escaping @Sendable (UInt8) -> UInt8
  ) -> Content {
    Content(size: size) { range in
      var bytes = self.bytes(range)
      let both = range.clamped(to: touched)
      for offset in both where range.contains(offset) {
        let index = Int(offset - range.lowerBound)
        bytes[index] = change(bytes[index])
      }
      return bytes
    }
  }

  /// Returns the bytes up to the offset, followed by those of the other content; the size is
  /// unchanged.
  func continued(by other: Content, at offset: Int64) -> Content {
    Content(size: size) { range in
      let cut = max(range.lowerBound, min(range.upperBound, offset))
      var bytes = self.bytes(range.lowerBound..<cut)
      let more = cut..<range.upperBound
      bytes += other.bytes(more.clamped(to: 0..<other.size))
      return bytes
        + [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound) - bytes.count)
    }
  }
}

/// An open regular file, which stays the same while it is served, even if its name is replaced.
final class OpenFile: Sendable {
  private let descriptor: Int32
  let size: Int64
  /// The modification time in seconds since 1970.
  let modified: Int
  /// A text that differs for each version of a file.
  let identity: String

  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    size = Int64(facts.st_size)
    modified = facts.st_mtim.tv_sec
    let moment =
      UInt64(bitPattern: Int64(facts.st_mtim.tv_sec &* 1_000_000_000))
      &+ UInt64(facts.st_mtim.tv_nsec)
    identity = [UInt64(facts.st_size), moment, UInt64(facts.st_ino)]
      .map { String($0, radix: 16) }.joined(separator: "-")
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The bytes; a file that is truncated while it is served is padded with zeros.
  var content: Content {
    Content(size: size) { range in
      let count = Int(range.upperBound - range.lowerBound)
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        while filled < count {
          let read = pread(
            self.descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
            off_t(range.lowerBound) + off_t(filled))
          guard read > 0 else { break }
          filled += read
        }
        while filled < count {
          buffer.initializeElement(at: filled, to: 0)
          filled += 1
        }
      }
    }
  }
}
