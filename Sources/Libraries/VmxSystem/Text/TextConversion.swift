import Glibc

/// Converts text to UTF-8 with the system's iconv (iconv(3)).
///
/// - Parameter encoding: an iconv name from a fixed list, never an unchecked one.
/// - Returns: nil if the bytes are invalid in that encoding, or the system does not support it.
package func convertedToUTF8(_ bytes: ArraySlice<UInt8>, from encoding: String) -> [UInt8]? {
  guard let converter = iconv_open("UTF-8", encoding), Int(bitPattern: converter) != -1 else {
    return nil
  }
  defer { iconv_close(converter) }
  var input = bytes.map { CChar(bitPattern: $0) }
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count)
  let isWhole = input.withUnsafeMutableBufferPointer { input in
    var next = input.baseAddress
    var left = input.count
    while left > 0 {
      let error = step(converter, next: &next, left: &left, text: &text)
      if error != 0, error != E2BIG { return false }
    }
    return true
  }
  return isWhole ? text : nil
}

/// Converts as much as fits into one buffer.
private func step(
  _ converter: iconv_t, next: inout UnsafeMutablePointer<CChar>?, left: inout Int,
  text: inout [UInt8]
) -> Int32 {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { piece in
    var end = piece.baseAddress
    var room = piece.count
    let count = iconv(converter, &next, &left, &end, &room)
    let error = count == -1 ? errno : 0
    text.append(contentsOf: piece.prefix(piece.count - room).map { UInt8(bitPattern: $0) })
    return error
  }
}
