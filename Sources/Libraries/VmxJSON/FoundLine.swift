import CSimdjson

/// A line of a buffer, and the result of the search in it.
package struct FoundLine {
  private let line: vmx_line

  /// The offset of its first byte.
  package var start: Int { Int(truncatingIfNeeded: line.start) }

  /// The number of bytes without the newline.
  package var length: Int { Int(truncatingIfNeeded: line.length) }

  /// The offset in the line of the first occurrence of the needle; nil if there is none.
  package var matchOffset: Int? {
    has(vmx_line_holds) ? Int(truncatingIfNeeded: line.found) : nil
  }

  /// Whether the line contains the needle more than once.
  package var isRepeated: Bool { has(vmx_line_again) }

  /// Whether the line contains a backslash followed by a `u`, as in an escaped letter.
  package var mayEscape: Bool { has(vmx_line_escapes) }

  private func has(_ mark: Int) -> Bool { line.marks & UInt64(mark) != 0 }
}

extension ByteSearch {
  /// The number of lines per batch: few enough to stay in the processor's cache.
  private static let linesAtOnce = 256

  /// Calls the body with each line that begins before an offset, in order, with the position of the
  /// needle; all in one pass.
  ///
  /// - Parameters:
  ///   - stop: offset in the bytes; the last line may extend beyond it.
  ///   - needle: bytes without a newline; empty for none.
  /// - Returns: the offset after the last line and its newline.
  package static func forEachLine(
    in bytes: UnsafeRawBufferPointer, before stop: Int, findingIn needle: [UInt8] = [],
    _ body: (FoundLine) -> Void
  ) -> Int {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    let stop = min(stop, bytes.count)
    return withUnsafeTemporaryAllocation(of: vmx_line.self, capacity: linesAtOnce) { lines in
      var offset = 0
      while offset < stop {
        let count = vmx_scan_lines(
          base + offset, UInt64(bytes.count - offset), UInt64(stop - offset), needle,
          UInt64(needle.count), lines.baseAddress, UInt64(lines.count))
        for index in 0..<Int(count) {
          body(FoundLine(lines[index], from: offset))
        }
        guard count > 0 else { break }
        let last = lines[Int(count) - 1]
        offset += Int(last.start + last.length) + 1
      }
      return offset
    }
  }
}

extension FoundLine {
  fileprivate init(_ line: vmx_line, from offset: Int) {
    var line = line
    line.start += UInt64(offset)
    self.line = line
  }
}
