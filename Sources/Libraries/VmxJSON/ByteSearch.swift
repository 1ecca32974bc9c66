import CSimdjson

/// Looks for bytes in bytes at the speed of memory.
package enum ByteSearch {
  /// Offset of the first place of the needle in the bytes; nil if there is none or it is empty.
  package static func offset(
    of needle: [UInt8], in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let found = vmx_find(start, UInt64(bytes.count), needle, UInt64(needle.count))
    return found.map { UnsafePointer<UInt8>($0) - start }
  }

  /// Whether a text stands anywhere in the bytes.
  package static func contains(
    _ text: StaticString, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let length = UInt64(text.utf8CodeUnitCount)
    return vmx_find(start, UInt64(bytes.count), text.utf8Start, length) != nil
  }

  /// Offset of the last of some lines of the store that may be of a record with an id, or is of any
  /// root.
  ///
  /// Lines with other ids are passed over, as far as they begin as our writer writes them; a line
  /// in another form is given, whatever its id is.
  ///
  /// - Parameter lines: whole lines; the last byte is a newline.
  package static func lastLine(
    naming id: [UInt8], in lines: UnsafeRawBufferPointer
  ) -> Int? {
    guard let base = lines.baseAddress else { return nil }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let found = vmx_find_line_back(start, UInt64(lines.count), id, UInt64(id.count))
    return found < 0 ? nil : Int(found)
  }

  /// Bytes of a key of evidence with its quotes.
  package static let keyLength = Int(vmx_key_length)

  /// Offset of the first of some lines of the store that may name an id, may be of an episode that
  /// holds some evidence, or is of any root.
  ///
  /// Lines in another form than our writer's are given, whatever they name; of episodes where only
  /// the fields are in another order, those that may hold the evidence.
  ///
  /// - Parameters:
  ///   - id: empty for none.
  ///   - keys: the bytes of the keys with their quotes, `keyLength` each, one after the other.
  ///   - stop: offset in the bytes before which the line begins; it may go on beyond.
  package static func line(
    naming id: [UInt8], orHoldingOneOf keys: [UInt8], in bytes: UnsafeRawBufferPointer,
    before stop: Int
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let found = vmx_find_mention(
      start, UInt64(bytes.count), UInt64(min(stop, bytes.count)), id, UInt64(id.count), keys,
      UInt64(keys.count / keyLength))
    return found < 0 ? nil : Int(found)
  }

  /// Offset of the last newline in the bytes; nil if there is none.
  package static func lastNewline(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let found = vmx_find_last_newline(start, UInt64(bytes.count))
    return found.map { UnsafePointer<UInt8>($0) - start }
  }
}
