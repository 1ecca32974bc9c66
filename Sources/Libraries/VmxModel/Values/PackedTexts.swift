/// Many small texts packed together: a million of them cost their bytes and eight more each.
///
/// They lie in blocks, so that growing never copies them all; each is made as large as the one
/// before it turned out to be.
package struct PackedTexts: Sendable {
  private static let blockShift = 14

  private struct Block {
    var bytes: [UInt8] = []
    var ends: [Int] = []

    init(expecting count: Int) {
      bytes.reserveCapacity(count + count / 16)
      ends.reserveCapacity(1 << PackedTexts.blockShift)
    }

    func text(_ index: Int) -> ArraySlice<UInt8> {
      bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }
  }

  private var blocks: [Block] = []
  /// How many there are.
  package private(set) var count = 0

  /// No texts.
  package init() {}

  /// Adds a text behind the others.
  package mutating func append(_ text: String) {
    if count & (1 << Self.blockShift - 1) == 0 {
      blocks.append(Block(expecting: blocks.last?.bytes.count ?? 0))
    }
    let last = blocks.count - 1
    blocks[last].bytes.append(contentsOf: text.utf8)
    blocks[last].ends.append(blocks[last].bytes.count)
    count += 1
  }

  /// The text of that number, from 0 on.
  package subscript(index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// Whether the text of that number is empty.
  package func isEmpty(_ index: Int) -> Bool { bytes(index).isEmpty }

  /// Compares the bytes of two texts: less than, equal to or greater than 0.
  package func compare(_ left: Int, _ right: Int) -> Int {
    let (a, b) = (bytes(left), bytes(right))
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
  }

  private func bytes(_ index: Int) -> ArraySlice<UInt8> {
    blocks[index >> Self.blockShift].text(index & (1 << Self.blockShift - 1))
  }
}
