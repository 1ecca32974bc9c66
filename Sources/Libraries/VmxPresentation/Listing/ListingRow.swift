package import VmxModel

/// The layout of a field as a column of a table.
package struct Column: Sendable, Equatable {
  /// The alignment of a column.
  package enum Side: Sendable, Equatable { case left, right }

  /// The heading of the column.
  package let title: String
  /// The alignment of its text.
  package let side: Side
  /// The treatment of its text in a terminal that is too narrow.
  package let fitting: Fitting
  /// The importance: the column with the lowest one is omitted first, and among equals the last
  /// column.
  package let importance: Int

  /// The treatment of a text that does not fit into its column.
  package enum Fitting: Sendable, Equatable {
    /// The column keeps its width, or is omitted.
    case fixed
    /// The text is cut at its end.
    case end
    /// The middle of the text is cut: ids differ in their beginnings and ends.
    case middle
    /// The text continues on further lines.
    case wrapped
    /// The text is never cut, because other tools take it only whole: a row may exceed the width,
    /// and the terminal wraps it.
    case whole
  }

  /// The width in cells below which the text would be useless; no limit for a column that keeps its
  /// width.
  var minWidth: Int {
    switch fitting {
    case .fixed: .max
    case .end: 8
    case .middle, .whole: 16
    case .wrapped: 20
    }
  }

  /// Whether the column may be narrower than its texts.
  package var isFlexible: Bool { fitting != .fixed }

  /// Creates a column.
  package init(
    _ title: String, _ side: Side = .left, fitting: Fitting = .fixed, importance: Int = 0
  ) {
    self.title = title
    self.side = side
    self.fitting = fitting
    self.importance = importance
  }
}

/// The content of one cell of a table.
package struct Cell: Sendable, Equatable {
  /// The text for the user, not yet escaped.
  package let text: String
  /// The meaning of the text, which determines its colour.
  package let style: TextStyle

  /// Creates a cell.
  package init(_ text: String, _ tone: TextStyle = .plain) {
    self.text = text
    self.style = tone
  }
}

/// The named fields of a kind of row; `--fields` and templates accept these names.
package protocol ListingField: RawRepresentable, CaseIterable, Sendable, Equatable
where RawValue == String {
  /// The type and the meaning of the field, and its layout in a table.
  var key: FieldKey { get }
  /// The default fields of tables and tab-separated lines; the first one identifies the row.
  static var defaultFields: [Self] { get }
  /// The fields of a complete record, in their order.
  static var recorded: [Self] { get }
}

extension ListingField {
  package static var recorded: [Self] { Array(allCases) }

  /// The layout of the field in a table. Numbers are aligned to the right.
  var column: Column {
    let key = key
    return Column(
      key.heading ?? heading, key.side ?? (key.type.isNumber ? .right : .left),
      fitting: key.fitting,
      importance: key.importance)
  }

  /// The name as a heading: `show_title` becomes `SHOW TITLE`.
  private var heading: String { rawValue.uppercased().replacing("_", with: " ") }

  /// The name as a label: `duration_ms` becomes `duration`.
  package var label: String {
    let name = rawValue.hasSuffix("_ms") ? String(rawValue.dropLast(3)) : rawValue
    return name.replacing("_", with: " ")
  }
}

/// The type and the meaning of a field of a row, and its layout as a column of a table.
package struct FieldKey: Sendable {
  let type: JSONKeyType
  let meaning: String
  /// The keys within the value; their paths begin with that of the field.
  let keys: [JSONKey]
  fileprivate let heading: String?
  fileprivate let side: Column.Side?
  fileprivate let fitting: Column.Fitting
  fileprivate let importance: Int

  /// Whether its values are numbers, and are sorted as such.
  package var isNumeric: Bool { type.isNumber }

  /// Creates the description of a field.
  ///
  /// - Parameters:
  ///   - meaning: the meaning, as one phrase without a full stop.
  ///   - heading: the heading of the column; nil for one made of the name of the field.
  ///   - side: the alignment; nil for that of the type.
  ///   - keys: the keys within an object or within the objects of a list, with their full paths.
  package init(
    _ type: JSONKeyType, _ meaning: String, fitting: Column.Fitting = .fixed,
    heading: String? = nil, side: Column.Side? = nil, importance: Int = 0, keys: [JSONKey] = []
  ) {
    self.type = type
    self.meaning = meaning
    self.keys = keys
    self.heading = heading
    self.side = side
    self.fitting = fitting
    self.importance = importance
  }

  /// The kind of rows that are about no episode.
  package static func row(_ name: String) -> FieldKey { FieldKey(.word, name) }
  /// The result of an operation.
  package static let outcome = FieldKey(.word, "done, unchanged, waiting, failed or planned")
  /// The result of a dry run.
  static let planned =
    FieldKey(.word, "planned, for the state after the request of a dry run")
  /// The code of the error, which a record has within `error`.
  package static let errorCode = FieldKey(.word, "The error code, as in vmx-errors(7)")
  /// The message of the error, which a record has within `error`.
  package static let errorMessage = FieldKey(.text, "The message", fitting: .end)
}

/// A view model: one record, ready for every form of output.
package protocol ListingRow {
  associatedtype Field: ListingField

  /// The id of the record.
  var id: String { get }
  /// The kind of a row that is about no episode; nil for an episode.
  var kind: RowKind? { get }
  /// Returns a field; all forms of output are derived from it.
  func value(_ field: Field) -> RowValue
  /// Returns the record for pipes, beginning with `schema` and `id`. If fields are given, it
  /// contains only those in addition.
  func record(_ fields: [Field]?) -> JSONObject
  /// Returns the row as one line for a terminal, for rows that are printed as soon as they are
  /// known; nil for rows of tables.
  func line(_ terminal: TerminalFacts) -> String?
}

extension ListingRow {
  package var kind: RowKind? { nil }

  /// Returns a field as text for the user.
  package func cell(_ field: Field) -> Cell { value(field).cell }

  /// Returns a field for scripts; empty if there is no value.
  package func exact(_ field: Field) -> String { value(field).exact }

  package func record(_ fields: [Field]?) -> JSONObject {
    var object = EpisodeJSON.head(id, kind)
    append(fields, to: &object)
    return object
  }

  /// Appends fields that a record does not have yet; all recorded ones if none are given.
  package func append(_ fields: [Field]?, to object: inout JSONObject) {
    for field in fields ?? Field.recorded where object[field.rawValue] == nil {
      object.append(field.rawValue, value(field).json)
    }
  }

  package func line(_ terminal: TerminalFacts) -> String? { nil }

  /// Formats a line: one word in a column of its own, then texts. Cuts it to the width of the
  /// terminal.
  package static func line(
    _ word: Cell, width: Int, texts: [String?], on terminal: TerminalFacts
  ) -> String {
    let text = TerminalText.escaped(
      texts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  "))
    let rest = DisplayWidth.truncated(text, to: max(20, terminal.width - width - 2))
    let head = terminal.palette.paint(DisplayWidth.padded(word.text, to: width), word.style)
    return terminal.shown("\(head)  \(rest)\n")
  }
}

/// A row with the result of an operation.
package protocol ResultRow: ListingRow {
  /// The result; nil in a listing.
  var result: OperationResult? { get }
  /// The name of the tool without `vmx-`.
  var stage: String { get }
  /// The row received from the pipe; its unknown fields are passed on.
  var received: JSONObject { get }
  /// The received keys that are not passed on.
  static var known: Set<String> { get }
}

extension ResultRow {
  package var received: JSONObject { JSONObject() }
  package static var known: Set<String> {
    EpisodeJSON.known.union(Field.allCases.map(\.rawValue))
  }

  /// The value of the field `outcome`.
  package var outcome: RowValue { .word(result?.name, result?.style ?? .plain) }
  /// The value of the field `code`.
  package var errorCode: RowValue { .word(result?.failure?.code.rawValue) }
  /// The value of the field `message`.
  package var errorMessage: RowValue { .text(result?.failure?.summary) }

  /// Returns the recorded fields, the received ones that are unknown, and the result.
  package func record(_ fields: [Field]?) -> JSONObject {
    var object = EpisodeJSON.head(id, kind)
    append(nil, to: &object)
    if !received.fields.isEmpty {
      for field in received.without(Self.known).fields { object.append(field.key, field.value) }
    }
    result?.append(to: &object, stage: stage)
    return object.selecting(fields)
  }
}

extension JSONObject {
  /// Returns `schema`, `id`, `row` and the given fields; all fields if none are given.
  package func selecting<Field: ListingField>(_ fields: [Field]?) -> JSONObject {
    guard let fields else { return self }
    let wanted = Set(fields.map(\.rawValue)).union(["schema", "id", "row"])
    return JSONObject(distinct: self.fields.filter { wanted.contains($0.key) })
  }
}

extension OperationResult {
  /// The meaning of the result, from which its colour is derived.
  package var style: TextStyle {
    switch self {
    case .done: .success
    case .unchanged, .planned: .plain
    case .waiting: .warning
    case .failed: .failure
    }
  }

  /// The keys of a result in a record.
  static let keys = [
    JSONKey("stage", .text, meaning: "The name of the tool that printed the row, without vmx-"),
    JSONKey("outcome", .word, meaning: "done, unchanged, waiting, failed or planned"),
    JSONKey("reason", .word, meaning: "The reason if it is unchanged, as in vmx-states(7)"),
    JSONKey("hint", .text, meaning: "The next step for the user, if it is unchanged"),
  ]

  /// Appends the stage and the result to a record: `stage`, `outcome`, `hint` and `error`.
  package func append(to object: inout JSONObject, stage: String) {
    object.append("stage", stage)
    object.append("outcome", name)
    if case .unchanged(let reason, let hint) = self {
      object.append("hint", hint)
      // It replaces the reason for which the episode waits.
      object["reason"] = .string(reason.rawValue)
    }
    object.append("error", failure.map { .object(FailureText.record(of: $0)) })
  }
}
