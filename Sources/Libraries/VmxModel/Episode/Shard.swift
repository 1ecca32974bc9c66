/// One of several shares of all ids, for work that is divided among machines.
///
/// The shares are disjoint, and together have all ids. An id is in the same one on every machine,
/// in every library and in later versions: its FNV-1a hash (`StableHash`), the upper half folded
/// into the lower one, modulo the number of shares, plus 1, is the number of the share.
///
///     let shard = try Shard("2/4")
///     let mine = ids.filter(shard.contains)
package struct Shard: Sendable, Equatable {
  /// The maximum number of shares.
  package static let maxCount: UInt64 = 100_000

  /// The number of the share, from 1.
  package let number: UInt64
  /// The number of shares.
  package let count: UInt64

  /// Parses a text such as `2/4`.
  ///
  /// - Throws: `usage` for another text, or a number that is 0 or more than the number of shares.
  package init(_ text: String) throws(Failure) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    let isDigits = words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
    guard words.count == 2, isDigits, let number = UInt64(words[0]), let count = UInt64(words[1]),
      number >= 1, number <= count, count <= Self.maxCount
    else {
      throw Failure(
        .usage,
        "'\(text)' is no share such as 2/4: from 1/n to n/n, and n at most \(Self.maxCount)")
    }
    (self.number, self.count) = (number, count)
  }

  /// Whether an id belongs to the share.
  package func contains(_ id: EpisodeID) -> Bool {
    let hash = StableHash.of(id.description)
    return (hash ^ hash >> 32) % count + 1 == number
  }
}
