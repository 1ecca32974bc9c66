package import VmxModel

/// The value of a field of a row, from which the cell of a table, the exact text for scripts and
/// the JSON value are derived.
///
/// ```swift
/// let id = RowValue.text("girls/s01e02").styled(.strong)
/// let used = RowValue.bytes(1_048_576)
/// let last = RowValue.time(checked, relativeTo: now, absent: "never").styled(.dim)
/// ```
package struct RowValue {
  private enum Content {
    case none
    case text(String)
    case number(Int64)
    case time(Timestamp, now: Timestamp?)
    case bytes(Int64)
    case duration(Int64)
    case flag(Bool)
    case list([String], separator: String)
    case object(JSONValue?, text: () -> String)
  }

  private let content: Content
  private var style = TextStyle.plain
  /// Returns the cell, if it is not derived from the content.
  private var shownCell: (() -> Cell)?

  private init(_ content: Content?) {
    self.content = content ?? .none
  }

  /// No value: an empty text, and no key in JSON.
  package static var none: RowValue { RowValue(nil) }

  /// A text; an empty one is a value.
  package static func text(_ text: String?) -> RowValue { RowValue(text.map(Content.text)) }

  /// A text; an empty one is no value.
  package static func text(nonEmpty text: String?) -> RowValue {
    RowValue(text.flatMap { $0.isEmpty ? nil : .text($0) })
  }

  /// A word of a fixed set.
  package static func word(_ word: String?, _ style: TextStyle = .plain) -> RowValue {
    text(word).styled(style)
  }

  /// A number.
  package static func number(_ number: Int64?) -> RowValue { RowValue(number.map(Content.number)) }

  /// A count.
  package static func number(_ count: Int?) -> RowValue { number(count.map { Int64($0) }) }

  /// A rating, which may have a decimal.
  package static func decimal(_ rating: Rating?) -> RowValue {
    guard let value = rating?.json else { return .none }
    return .object(value, text: value.text)
  }

  /// A time.
  ///
  /// - Parameters:
  ///   - now: the time to which a cell shows it relatively; nil for a cell with the full time.
  ///   - absent: the text of a cell without a time.
  package static func time(
    _ time: Timestamp?, relativeTo now: Timestamp? = nil, absent: String = ""
  ) -> RowValue {
    let value = RowValue(time.map { .time($0, now: now) })
    return time == nil && !absent.isEmpty ? value.shown(Cell(absent)) : value
  }

  /// A size.
  package static func bytes(_ size: ByteCount?) -> RowValue { bytes(size?.bytes) }

  /// A size as a number of bytes.
  package static func bytes(_ size: Int64?) -> RowValue { RowValue(size.map(Content.bytes)) }

  /// A duration in milliseconds; a cell shows it as a playing time.
  package static func duration(_ milliseconds: Int64?) -> RowValue {
    RowValue(milliseconds.map(Content.duration))
  }

  /// A Boolean.
  package static func flag(_ flag: Bool?) -> RowValue { RowValue(flag.map(Content.flag)) }

  /// A Boolean whose key is absent in JSON if it is false.
  package static func flag(omittingFalse flag: Bool) -> RowValue {
    flag ? .flag(true) : .object(nil, text: "false")
  }

  /// A list of texts; nil for none, and an empty list is a value.
  package static func list(_ texts: [String]?, separator: String = ",") -> RowValue {
    RowValue(texts.map { .list($0, separator: separator) })
  }

  /// A list of texts; an empty one is no value.
  package static func list(nonEmpty texts: [String], separator: String = ",") -> RowValue {
    list(texts.isEmpty ? nil : texts, separator: separator)
  }

  /// A JSON value whose text is not derived from it.
  package static func object(
    _ value: JSONValue?, text: @autoclosure @escaping () -> String
  ) -> RowValue {
    RowValue(.object(value, text: text))
  }

  /// Returns the value with this meaning of the text of its cell.
  package func styled(_ style: TextStyle) -> RowValue {
    var value = self
    value.style = style
    return value
  }

  /// Returns the value with another cell; a plain one has the style of the value.
  package func shown(_ cell: @autoclosure @escaping () -> Cell) -> RowValue {
    var value = self
    value.shownCell = cell
    return value
  }
}

extension RowValue {
  /// The text for the user.
  package var cell: Cell {
    guard let shownCell else { return Cell(text, style) }
    let cell = shownCell()
    return cell.style == .plain ? Cell(cell.text, style) : cell
  }

  private var text: String {
    switch content {
    case .time(let time, let now?): TimeText.relative(time, to: now)
    case .bytes(let bytes): ByteCount(clamping: bytes).forPeople
    case .duration(let milliseconds): PlayingTime.text(of: milliseconds)
    case .none, .text, .number, .time, .flag, .list, .object: exact
    }
  }

  /// The text for scripts: full times, sizes in bytes, `true` and `false`, empty if there is no
  /// value.
  package var exact: String {
    switch content {
    case .none: ""
    case .text(let text): text
    case .number(let number), .bytes(let number), .duration(let number): String(number)
    case .time(let time, _): time.text
    case .flag(let flag): String(flag)
    case .list(let texts, let separator): texts.joined(separator: separator)
    case .object(_, let text): text()
    }
  }

  /// The value in a record; nil if its key is absent.
  package var json: JSONValue? {
    switch content {
    case .none: nil
    case .text(let text): .string(text)
    case .number(let number), .bytes(let number), .duration(let number): .integer(number)
    case .time(let time, _): .string(time.text)
    case .flag(let flag): .bool(flag)
    case .list(let texts, _): .array(texts.map { .string($0) })
    case .object(let value, _): value
    }
  }
}
