import Glibc
import VmxJSON
import VmxModel

/// Determines the bound of the store by reading its end, never by mapping it.
enum TailTrim {
  struct Ends: Equatable {
    /// The offset after the last complete line that is not part of an unfinished transaction.
    var bound: Int
    /// The offset after the last newline.
    var lastNewline: Int
  }

  /// Returns the ends within the first `size` bytes.
  static func ends(of file: StoreFile, size: Int) throws(StoreError) -> Ends {
    var window = min(size, 4096)
    while true {
      let start = size - window
      let bytes = try file.bytes(from: start, count: window)
      // The file may have been truncated since its size was read; the missing bytes never counted.
      if bytes.count < window { return try ends(of: file, size: start + bytes.count) }
      if let ends = ends(in: bytes, from: start) { return ends }
      window = min(size, window * 4)
    }
  }

  /// Returns the ends within bytes that begin at an offset; nil if earlier bytes are needed.
  static func ends(in bytes: [UInt8], from start: Int) -> Ends? {
    bytes.withUnsafeBytes { ends(in: $0, from: start) }
  }

  /// Returns the ends within bytes that begin at an offset; nil if earlier bytes are needed.
  static func ends(in bytes: UnsafeRawBufferPointer, from start: Int) -> Ends? {
    guard let last = ByteSearch.lastNewline(in: bytes) else {
      return start == 0 ? Ends(bound: 0, lastNewline: 0) : nil
    }
    let lastNewline = start + last + 1
    var end = last + 1
    var open: String?
    while end > 0 {
      let before = ByteSearch.lastNewline(in: .init(rebasing: bytes[..<(end - 1)]))
      if before == nil, start > 0 { return nil }
      let first = before.map { $0 + 1 } ?? 0
      let marks = marks(of: .init(rebasing: bytes[first..<(end - 1)]))
      guard let transaction = marks?.transaction, marks?.commits == false,
        open == nil || open == transaction
      else { break }
      open = transaction
      end = first
    }
    return Ends(bound: start + end, lastNewline: lastNewline)
  }

  private static func marks(
    of line: UnsafeRawBufferPointer
  ) -> (transaction: String?, commits: Bool)? {
    if let start = LineStart(line) {
      let transaction = start.transaction.map { String(decoding: $0, as: UTF8.self) }
      return (transaction, start.commits)
    }
    guard line.count <= LineWriter.longest else { return nil }
    return JSONParser().withTape(copying: line) { LineFacts($0) }
      .map { ($0.transaction, $0.commits) }
  }
}
