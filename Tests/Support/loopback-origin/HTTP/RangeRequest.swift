/// The single range of a request (RFC 9110, 14.1.2).
enum RangeRequest: Equatable {
  /// No range, several ranges, or an invalid one: the whole file is sent.
  case whole
  case bytes(Range<Int64>)
  /// Beyond the end of the file.
  case unsatisfiable

  /// Parses a Range field for a file of this size.
  init(_ field: String?, size: Int64) {
    guard let field, field.hasPrefix("bytes="), !field.contains(",") else {
      self = .whole
      return
    }
    let sides = field.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else {
      self = .whole
      return
    }
    switch (Int64(sides[0]), Int64(sides[1])) {
    case (let first?, let last?) where last >= first:
      self = first < size ? .bytes(first..<min(size, last + 1)) : .unsatisfiable
    case (let first?, nil) where sides[1].isEmpty:
      self = first < size ? .bytes(first..<size) : .unsatisfiable
    case (nil, let count?) where sides[0].isEmpty:
      self = count > 0 && size > 0 ? .bytes(max(0, size - count)..<size) : .unsatisfiable
    default: self = .whole
    }
  }
}
