import VmxModel

/// Puts rows in order without keeping them: of each only its id and its key, packed together.
///
/// Rows without a key come last whatever the direction; equal keys stay in the order in which they
/// came.
package struct SortBuffer {
  private var numbers: [Int64] = []
  private var texts = PackedTexts()
  private var ids = PackedTexts()
  private let isNumeric: Bool
  private let isDescending: Bool

  /// An empty buffer.
  package init(numeric: Bool, descending: Bool) {
    isNumeric = numeric
    isDescending = descending
  }

  /// Takes a row; an empty key is none.
  package mutating func add(id: String, key: String) {
    ids.append(id)
    if isNumeric {
      numbers.append(Int64(key) ?? .min)
    } else {
      texts.append(key.lowercased())
    }
  }

  /// Calls the body with the ids in order.
  package func forEach(_ body: (String) throws -> Void) rethrows {
    for index in order() { try body(ids[Int(index)]) }
  }

  private func order() -> [UInt32] {
    var order = (0..<UInt32(ids.count)).map { $0 }
    order.sort { left, right in
      switch compare(Int(left), Int(right)) {
      case 0: left < right
      case let difference: difference < 0
      }
    }
    return order
  }

  private func compare(_ left: Int, _ right: Int) -> Int {
    let isLeftEmpty = isNumeric ? numbers[left] == .min : texts.isEmpty(left)
    let isRightEmpty = isNumeric ? numbers[right] == .min : texts.isEmpty(right)
    if isLeftEmpty || isRightEmpty {
      return isLeftEmpty == isRightEmpty ? 0 : (isLeftEmpty ? 1 : -1)
    }
    let difference: Int
    if isNumeric {
      let (a, b) = (numbers[left], numbers[right])
      difference = a == b ? 0 : (a < b ? -1 : 1)
    } else {
      difference = texts.compare(left, right)
    }
    return isDescending ? -difference : difference
  }
}
