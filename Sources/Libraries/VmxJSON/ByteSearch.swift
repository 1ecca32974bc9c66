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
}
