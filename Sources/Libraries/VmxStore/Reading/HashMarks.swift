/// A bit set of hashes, used as a filter: a hash that is not in it was certainly never inserted.
struct HashMarks {
  private var words: ContiguousArray<UInt64>

  /// Creates an empty filter.
  ///
  /// - Parameter count: the expected number of hashes. At most one in sixteen other hashes then
  ///   seems to be in the filter.
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
