/// A set of 64-bit hashes, for a million names at eight bytes each, that records which names were
/// met.
///
/// Two names with equal hashes count as the same name. A collision can hide a file without a
/// record, or a missing file until the next `vmx verify`. It never leads to a removal.
struct KnownHashes: Sendable {
  private var hashes: ContiguousArray<UInt64> = []
  private var met: ContiguousArray<UInt64> = []
  private var isSorted = true

  /// Creates an empty set.
  init() {}

  /// Adds a hash. The caller adds all hashes before `seal()`.
  mutating func add(_ hash: UInt64) {
    hashes.append(hash)
    isSorted = false
  }

  /// Sorts the hashes; required before the first lookup.
  mutating func seal() {
    if !isSorted { hashes.sort() }
    isSorted = true
    met = ContiguousArray(repeating: 0, count: (hashes.count + 63) / 64)
  }

  /// Whether the set contains the hash.
  func contains(_ hash: UInt64) -> Bool { place(of: hash) != nil }

  /// Marks a hash as met.
  ///
  /// - Returns: whether the set contains it.
  mutating func meet(_ hash: UInt64) -> Bool {
    guard let place = place(of: hash) else { return false }
    met[place / 64] |= 1 << UInt64(place % 64)
    return true
  }

  /// Whether the set contains the hash and it was met.
  func hasMet(_ hash: UInt64) -> Bool {
    place(of: hash).map { met[$0 / 64] & 1 << UInt64($0 % 64) != 0 } ?? false
  }

  /// Whether every hash was met. Of two equal hashes only one can be met, so the result is then
  /// false.
  var areAllMet: Bool {
    met.reduce(0) { $0 + $1.nonzeroBitCount } == hashes.count
  }

  /// Returns the lowest index of the hash.
  private func place(of hash: UInt64) -> Int? {
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == hash ? low : nil
  }
}
