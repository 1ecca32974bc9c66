/// A fast 64-bit hash of the key of a record.
///
/// Its seed is random in each process, so that an attacker who chooses ids cannot cause collisions
/// in the tables. A caller compares the keys after a match of hashes.
enum KeyHash {
  private static let seed = UInt64.random(in: .min ... .max)

  @inline(__always)
  static func of(kind: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> UInt64 {
    fold(kind, into: fold(id, into: seed))
  }

  static func of(_ key: RecordKey) -> UInt64 {
    var kind = key.kind.rawValue
    var id = key.id
    return kind.withUTF8 { kind in
      id.withUTF8 { id in
        of(kind: UnsafeRawBufferPointer(kind), id: UnsafeRawBufferPointer(id))
      }
    }
  }

  static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { fold(UnsafeRawBufferPointer($0), into: seed) }
  }

  @inline(__always)
  static func fold(_ bytes: UnsafeRawBufferPointer, into start: UInt64 = seed) -> UInt64 {
    var hash = start ^ UInt64(truncatingIfNeeded: bytes.count)
    var place = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      hash = mix(hash ^ word, 0x9E37_79B9_7F4A_7C15)
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(bytes[place])
      place += 1
    }
    return mix(hash ^ rest, 0xD6E8_FEB8_6659_FD93)
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
