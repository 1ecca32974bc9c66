/// An array of many small texts in packed form, with an overhead of eight bytes per text.
///
/// The texts are stored in blocks, so that growth never copies all of them. The capacity of each
/// new block is the final size of the previous one.
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
  /// The number of texts.
  package private(set) var count = 0

  /// Creates an empty array.
  package init() {}

  /// Appends a text.
  package mutating func append(_ text: String) { append(bytes: text.utf8) }

  /// Appends a text of arbitrary bytes.
  package mutating func append(bytes text: some Sequence<UInt8>) {
    if count & (1 << Self.blockShift - 1) == 0 {
      blocks.append(Block(expecting: blocks.last?.bytes.count ?? 0))
    }
    let last = blocks.count - 1
    blocks[last].bytes.append(contentsOf: text)
    blocks[last].ends.append(blocks[last].bytes.count)
    count += 1
  }

  /// The text at an index, from 0.
  package subscript(index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// Whether the text at an index is empty.
  package func isEmpty(_ index: Int) -> Bool { bytes(index).isEmpty }

  /// Compares the bytes of two texts; returns a number less than, equal to or greater than 0.
  package func compare(_ left: Int, _ right: Int) -> Int {
    let (a, b) = (bytes(left), bytes(right))
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
  }

  /// The indexes of all texts in the order of their bytes.
  package var order: [UInt32] {
    (0..<UInt32(clamping: count)).sorted { compare(Int($0), Int($1)) < 0 }
  }

  /// The bytes of the text at an index.
  package func bytes(_ index: Int) -> ArraySlice<UInt8> {
    blocks[index >> Self.blockShift].text(index & (1 << Self.blockShift - 1))
  }
}
