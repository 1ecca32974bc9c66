/// Many small texts in one piece of memory: a million of them cost their bytes and eight more each.
package struct PackedTexts: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// No texts.
  package init() {}

  /// How many there are.
  package var count: Int { ends.count }

  /// Adds a text behind the others.
  package mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
  }

  /// The text of that number, from 0 on.
  package subscript(index: Int) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

  /// Whether the text of that number is empty.
  package func isEmpty(_ index: Int) -> Bool { range(index).isEmpty }

  /// Compares the bytes of two texts: less than, equal to or greater than 0.
  package func compare(_ left: Int, _ right: Int) -> Int {
    let (a, b) = (range(left), range(right))
    for (x, y) in zip(a, b) where bytes[x] != bytes[y] { return bytes[x] < bytes[y] ? -1 : 1 }
    return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
