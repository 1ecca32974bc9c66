/// Remembers hashes by single bits of them: those it does not know are certainly none of its own.
struct HashMarks {
  private var words: ContiguousArray<UInt64>

  /// - Parameter count: how many there will be; of others one in sixteen, at most, seems known.
  init(expecting count: Int) {
    var size = 64
    while size < count / 4 { size *= 2 }
    words = ContiguousArray(repeating: 0, count: size)
  }

  mutating func insert(_ hash: UInt64) {
    words[place(of: hash)] |= bit(of: hash)
  }

  @inline(__always)
  func mayContain(_ hash: UInt64) -> Bool {
    words[place(of: hash)] & bit(of: hash) != 0
  }

  @inline(__always)
  private func place(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> 6) & (words.count - 1)
  }

  @inline(__always)
  private func bit(of hash: UInt64) -> UInt64 { 1 << (hash & 63) }
}
