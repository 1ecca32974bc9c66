/// Hashes of a million names in eight bytes each, and which of them were met.
///
/// Two names with one hash are taken for the same: then a file that nobody knows is passed over,
/// or a lost one found with the next look of `vmx verify`; nothing is ever removed for it.
struct KnownHashes: Sendable {
  private var hashes: ContiguousArray<UInt64> = []
  private var met: ContiguousArray<UInt64> = []
  private var isSorted = true

  /// None.
  init() {}

  /// Adds one; all are added before the first is looked for.
  mutating func add(_ hash: UInt64) {
    hashes.append(hash)
    isSorted = false
  }

  /// Makes them ready to be looked for.
  mutating func seal() {
    if !isSorted { hashes.sort() }
    isSorted = true
    met = ContiguousArray(repeating: 0, count: (hashes.count + 63) / 64)
  }

  /// Whether one is among them.
  func contains(_ hash: UInt64) -> Bool { place(of: hash) != nil }

  /// Remembers that one was met.
  ///
  /// - Returns: whether it is among them.
  mutating func meet(_ hash: UInt64) -> Bool {
    guard let place = place(of: hash) else { return false }
    met[place / 64] |= 1 << UInt64(place % 64)
    return true
  }

  /// Whether one is among them and was met.
  func hasMet(_ hash: UInt64) -> Bool {
    place(of: hash).map { met[$0 / 64] & 1 << UInt64($0 % 64) != 0 } ?? false
  }

  /// Whether each was met; two that are equal are met by one.
  var areAllMet: Bool {
    met.reduce(0) { $0 + $1.nonzeroBitCount } == hashes.count
  }

  /// The first place that has the hash.
  private func place(of hash: UInt64) -> Int? {
    var (low, high) = (0, hashes.count)
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == hash ? low : nil
  }
}
