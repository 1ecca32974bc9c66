/// The rule of a feed that selects the wanted episodes among new ones.
package enum WantRule: Sendable, Hashable {
  /// None.
  case none
  /// All, including those that the feed has when it is added.
  case all
  /// Those that appear after the feed was added.
  case new
  /// Those that are among this many newest items of the feed when they appear.
  case latest(Int)

  /// The accepted values, worded for messages and the manual.
  package static let allowed = "none, all, new, or latest:N such as latest:5"

  /// Parses `none`, `all`, `new` or `latest:N`, N from 1 to 99999; nil for any other text.
  package init?(text: String) {
    switch text {
    case "none": self = .none
    case "all": self = .all
    case "new": self = .new
    default:
      guard text.hasPrefix("latest:"), let number = Int(text.dropFirst(7)), 1...99_999 ~= number
      else { return nil }
      self = .latest(number)
    }
  }

  /// The rule in the syntax of options and records.
  package var text: String {
    switch self {
    case .none: "none"
    case .all: "all"
    case .new: "new"
    case .latest(let number): "latest:\(number)"
    }
  }

  /// Whether a new episode is wanted.
  ///
  /// - Parameters:
  ///   - rank: its position among the items of the feed, 0 for the newest.
  ///   - isFirstReading: whether the feed is being added.
  package func wants(rank: Int, isFirstReading: Bool) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .new: !isFirstReading
    case .latest(let number): rank < number
    }
  }
}

extension WantRule: FieldValue {
  package static let expected = allowed

  package static func decode(_ value: some JSONSource, in context: RecordContext) -> WantRule? {
    value.string.flatMap(WantRule.init(text:))
  }

  package var json: JSONValue { .string(text) }
}
