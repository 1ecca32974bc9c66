/// The average rating of viewers, from 0 to 10, exact to a tenth.
package struct Rating: Sendable, Hashable {
  /// The rating in tenths, from 0 to 100.
  package let tenths: Int64

  /// Rounds a number to tenths; nil for one that is not from 0 to 10.
  package init?(_ number: Double) {
    guard (0...10).contains(number) else { return nil }
    tenths = Int64((number * 10).rounded())
  }

  /// Creates a rating from a JSON number; nil for another value.
  package init?(_ value: JSONValue) {
    switch value {
    case .integer(let number): self.init(Double(number))
    case .double(let number): self.init(number)
    default: return nil
    }
  }
}

extension Rating: FieldValue {
  package static let expected = "a number from 0 to 10"

  package static func decode(_ value: some JSONSource, in context: RecordContext) -> Rating? {
    Rating(value.value)
  }

  package var json: JSONValue { .double(Double(tenths) / 10) }
}
