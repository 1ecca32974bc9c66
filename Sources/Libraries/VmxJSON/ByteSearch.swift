import CSimdjson

/// Vectorised searches in byte buffers, at memory speed.
package enum ByteSearch {
  /// Returns the offset of the first occurrence of the needle; nil if there is none or it is empty.
  package static func offset(
    of needle: [UInt8], in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let found = vmx_find(start, UInt64(bytes.count), needle, UInt64(needle.count))
    return found.map { UnsafePointer<UInt8>($0) - start }
  }

  /// Whether the bytes contain a text.
  package static func contains(
    _ text: StaticString, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let length = UInt64(text.utf8CodeUnitCount)
    return vmx_find(start, UInt64(bytes.count), text.utf8Start, length) != nil
  }

  /// Returns the offset of the last line of the store that may belong to a record with an id, or is
  /// a root record.
  ///
  /// Lines with other ids are skipped if they begin in the form that vmx writes. A line in another
  /// form is returned, whatever its id.
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

  /// The length in bytes of an identity key with its quotes.
  package static let keyLength = Int(vmx_key_length)

  /// Returns the offset of the first line of the store that matches.
  ///
  /// A line matches if it may name the id, may be an episode with one of the identity keys, or is
  /// a root record.
  ///
  /// Lines not in the form that vmx writes are returned, whatever they name. Episode lines with
  /// only another order of fields are returned if they may contain a key.
  ///
  /// - Parameters:
  ///   - id: empty for none.
  ///   - keys: the bytes of the keys with their quotes, `keyLength` each, concatenated.
  ///   - stop: offset in the bytes before which the line begins; it may extend beyond.
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

  /// Returns the offset of the last newline; nil if there is none.
  package static func lastNewline(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let start = base.assumingMemoryBound(to: UInt8.self)
    let found = vmx_find_last_newline(start, UInt64(bytes.count))
    return found.map { UnsafePointer<UInt8>($0) - start }
  }
}
