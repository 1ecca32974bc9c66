/// Text for people about who holds the bytes 0 to 30: byte n has the 128 bytes from 64 + 128 × n.
extension LockFile {
  /// Bytes of one hint, of which the last is always NUL.
  static let hintSize = 128
  /// Offset of the first hint.
  static let firstHint: Int64 = 64
  /// How many locks can have a hint below offset 4096, where the claims begin.
  static let hintCount: Int64 = (4096 - firstHint) / Int64(hintSize)

  /// Says who holds a byte; to be called by its holder.
  ///
  /// Longer texts are cut after 127 bytes. Bytes from 31 on have no hints. A failure is ignored:
  /// the lock counts, the hint does not.
  package func writeHint(_ text: String, of offset: Int64 = 0) {
    guard let place = Self.place(of: offset) else { return }
    var bytes = Array(text.utf8.prefix(Self.hintSize - 1))
    bytes += repeatElement(0, count: Self.hintSize - bytes.count)
    // Mostly the last holder was this process, and reading is cheaper than writing.
    guard self.bytes(at: place) != bytes else { return }
    do throws(FileError) {
      try file.write(bytes, at: place)
    } catch {
      return
    }
  }

  /// What the last holder of a byte said of itself; nil if nobody said anything legible.
  package func hint(of offset: Int64 = 0) -> String? {
    guard let place = Self.place(of: offset), let bytes = bytes(at: place) else { return nil }
    // A cut character at the end and control characters are nothing to show.
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      .unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }
    return text.isEmpty ? nil : String(String.UnicodeScalarView(text))
  }

  /// What stands at the place of a hint, NULs where the file ends before; nil if it cannot be read.
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
