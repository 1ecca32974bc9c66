/// A set of distinct texts, numbered from 0 in the order of insertion. It is packed: an entry needs
/// some 16 bytes beside those of its text, a tenth of a dictionary of strings.
///
///     var table = TextTable()
///     table.insert("data/a".utf8)     // (number: 0, isNew: true)
///     table.number(of: "data/b".utf8) // nil
package struct TextTable: Sendable {
  private static let free = UInt32.max

  private var texts = PackedTexts()
  /// The number of each text, at the slot of its hash or the next free slot after it (open
  /// addressing). The number of slots is a power of two, and at most three quarters are in use.
  private var slots = [UInt32](repeating: free, count: 16)

  /// Creates an empty table.
  package init() {}

  /// The number of texts.
  package var count: Int { texts.count }

  /// The text with a number.
  package subscript(number: Int) -> String { texts[number] }

  /// The bytes of the text with a number.
  package func bytes(_ number: Int) -> ArraySlice<UInt8> { texts.bytes(number) }

  /// The numbers of the texts in the order of their bytes.
  package var order: [UInt32] { texts.order }

  /// Returns the number of a text; nil if it was not added.
  package func number(of text: some Sequence<UInt8>) -> Int? {
    let bytes = ContiguousArray(text)
    let found = slots[slot(of: bytes)]
    return found == Self.free ? nil : Int(found)
  }

  /// Adds a text unless it is present.
  ///
  /// - Returns: its number, and whether it was added.
  @discardableResult
  package mutating func insert(_ text: some Sequence<UInt8>) -> (number: Int, isNew: Bool) {
    let bytes = ContiguousArray(text)
    let index = slot(of: bytes)
    if slots[index] != Self.free { return (Int(slots[index]), false) }
    let number = texts.count
    texts.append(bytes: bytes)
    slots[index] = UInt32(clamping: number)
    if texts.count > slots.count / 4 * 3 { resize() }
    return (number, true)
  }

  /// Returns the slot of a text, or the free slot for it.
  private func slot(of bytes: ContiguousArray<UInt8>) -> Int {
    var index = Self.hash(bytes) & (slots.count - 1)
    while slots[index] != Self.free, !texts.bytes(Int(slots[index])).elementsEqual(bytes) {
      index = (index + 1) & (slots.count - 1)
    }
    return index
  }

  private mutating func resize() {
    var wider = [UInt32](repeating: Self.free, count: 2 * slots.count)
    for number in 0..<texts.count {
      var index = Self.hash(texts.bytes(number)) & (wider.count - 1)
      while wider[index] != Self.free { index = (index + 1) & (wider.count - 1) }
      wider[index] = UInt32(clamping: number)
    }
    slots = wider
  }

  /// Returns the hash of bytes. Its seed is random per process, so that no input can cause many
  /// collisions.
  private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
    var hasher = Hasher()
    let isDone: Void? = bytes.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil { for byte in bytes { hasher.combine(byte) } }
    return hasher.finalize()
  }
}
