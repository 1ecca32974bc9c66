/// Hints: text for the user about the holders of bytes 0 to 30. The hint of byte n is the 128 bytes
/// at offset 64 + 128 × n.
extension LockFile {
  /// The length of a hint in bytes, of which the last is always NUL.
  static let hintSize = 128
  /// The offset of the first hint.
  static let firstHint: Int64 = 64
  /// The number of locks with a hint below offset 4096, where the claims begin.
  static let hintCount: Int64 = (4096 - firstHint) / Int64(hintSize)

  /// Writes a hint that names this process as the holder of a byte; only its holder calls this.
  ///
  /// Text is truncated after 127 bytes. Bytes from 31 on have no hints. A failure is ignored: the
  /// lock matters, the hint does not.
  package func writeHint(_ text: String, of offset: Int64 = 0) {
    guard let place = Self.place(of: offset) else { return }
    var bytes = Array(text.utf8.prefix(Self.hintSize - 1))
    bytes += repeatElement(0, count: Self.hintSize - bytes.count)
    // The last holder usually was this process, and reading is cheaper than writing.
    guard self.bytes(at: place) != bytes else { return }
    do throws(FileError) {
      try file.write(bytes, at: place)
    } catch {
      return
    }
  }

  /// Returns the hint of the last holder of a byte; nil if there is no legible hint.
  package func hint(of offset: Int64 = 0) -> String? {
    guard let place = Self.place(of: offset), let bytes = bytes(at: place) else { return nil }
    // Omits a truncated character at the end and control characters.
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      .unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }
    return text.isEmpty ? nil : String(String.UnicodeScalarView(text))
  }

  /// Reads the bytes of a hint, NULs beyond the end of the file; nil if they cannot be read.
  private func bytes(at place: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Self.hintSize)
    let outcome = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in try file.read(into: buffer, at: place) }
    }
    guard case .success = outcome else { return nil }
    return bytes
  }

  private static func place(of offset: Int64) -> Int64? {
    (0..<hintCount).contains(offset) ? firstHint + offset * Int64(hintSize) : nil
  }
}
