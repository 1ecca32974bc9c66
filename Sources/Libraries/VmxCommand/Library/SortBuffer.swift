package import VmxModel
package import VmxPresentation

/// Sorts rows without keeping them: it stores only the id and the key of each, packed together.
///
/// Rows without a key come last in both directions. The sort is stable.
package struct SortBuffer {
  private var numbers: [Int64] = []
  private var texts = PackedTexts()
  private var ids = PackedTexts()
  private let isNumeric: Bool
  private let isDescending: Bool

  /// Creates an empty buffer.
  package init(numeric: Bool, descending: Bool) {
    isNumeric = numeric
    isDescending = descending
  }

  /// Adds a row; an empty key means no key.
  package mutating func add(id: String, key: String) {
    ids.append(id)
    if isNumeric {
      numbers.append(Int64(key) ?? .min)
    } else {
      texts.append(key.lowercased())
    }
  }

  /// Calls the closure with the ids in order.
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

/// The order given by `--sort`: a field, with a leading `-` for descending order.
package struct SortOrder {
  private let field: EpisodeField
  private var buffer: SortBuffer

  /// Parses the value of `--sort`.
  ///
  /// - Throws: `usage` for an unknown field.
  package init(_ text: String) throws(Failure) {
    let isDescending = text.hasPrefix("-")
    field = try EpisodeField.field(named: isDescending ? String(text.dropFirst()) : text)
    buffer = SortBuffer(numeric: Self.numeric.contains(field), descending: isDescending)
  }

  /// Adds a row; only its id and its key are kept.
  package mutating func add(_ row: EpisodeRow) {
    buffer.add(id: row.exact(.id), key: row.exact(field))
  }

  /// Calls the closure with the ids in order.
  package func forEach(_ body: (String) throws -> Void) rethrows {
    try buffer.forEach(body)
  }

  private static let numeric: Set<EpisodeField> = [
    .rev, .season, .number, .priority, .size, .held,
  ]
}
