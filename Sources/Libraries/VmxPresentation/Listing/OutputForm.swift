import Synchronization
package import VmxModel

/// The output forms of rows.
package enum OutputForm<Field: ListingField>: Sendable, Equatable {
  /// A table on a terminal, tab-separated lines elsewhere.
  case columns([Field])
  /// A table, in a pipe too.
  case table([Field])
  /// JSON Lines, complete or with only these fields.
  case json([Field]?)
  /// The user's output template.
  case template(OutputTemplate<Field>)
  /// The first field of each row, terminated by NUL.
  case nul([Field])
}

extension OutputForm {
  /// Whether neither fields nor a form for programs were requested.
  package func isDefault(_ usual: [Field] = Field.defaultFields) -> Bool {
    self == .columns(usual) || self == .table(usual)
  }

  /// Whether the rows are a table in a stream.
  func isTable(on terminal: TerminalFacts) -> Bool {
    switch self {
    case .columns: terminal.isTerminal
    case .table: true
    default: false
    }
  }

  /// Returns the form with other fields if it is a table of the default fields on fewer than 100
  /// columns.
  package func narrowed(to fields: [Field], on terminal: TerminalFacts) -> OutputForm {
    guard isDefault(), isTable(on: terminal), terminal.width < 100 else { return self }
    return .table(fields)
  }

  /// Whether the rows show a field; false for complete JSON records.
  package func shows(_ field: Field) -> Bool {
    switch self {
    case .columns(let fields), .nul(let fields), .table(let fields): fields.contains(field)
    case .json(let fields): fields?.contains(field) ?? false
    case .template(let template): template.shows(field)
    }
  }
}

extension ListingField {
  /// Parses the value of `--fields`: names separated by commas.
  ///
  /// - Throws: `usage` for an unknown field; the hint lists the known ones.
  package static func fields(from text: String) throws(Failure) -> [Self] {
    var fields: [Self] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      fields.append(try field(named: String(name)))
    }
    return fields
  }

  /// Returns the field with a name.
  ///
  /// - Throws: `usage` for an unknown field; the hint lists the known ones.
  package static func field(named name: String) throws(Failure) -> Self {
    if let field = Self(rawValue: name) { return field }
    let names = allCases.map(\.rawValue)
    throw Failure(
      .usage, "unknown field '\(name)'", hint: "available fields: \(names.joined(separator: ", "))"
    )
  }
}

/// The value of `--format`: text with `{field}`, `{{` and `}}` for braces, and the escapes `\t`,
/// `\n`, `\0` and `\\`.
///
/// A line end follows each row unless the template ends with a line end or NUL of its own.
package struct OutputTemplate<Field: ListingField>: Sendable, Equatable {
  private enum Piece: Sendable, Equatable {
    case text(String)
    case field(Field)
  }

  private let pieces: [Piece]

  /// Whether the template has a field.
  func shows(_ field: Field) -> Bool { pieces.contains(.field(field)) }

  /// Parses a template.
  ///
  /// - Throws: `usage` for an unknown field, an unmatched brace, an unknown escape, or words
  ///   without a field, such as a format of another program.
  package init(_ text: String) throws(Failure) {
    var reader = TemplateReader(text)
    var pieces: [Piece] = []
    var plain = ""
    while let token = try reader.next() {
      switch token {
      case .text(let character): plain.append(character)
      case .name(let name):
        if !plain.isEmpty { pieces.append(.text(plain)) }
        plain = ""
        pieces.append(.field(try Field.field(named: name)))
      }
    }
    let isWords =
      pieces.isEmpty && !text.contains("\\") && text.contains { $0.isLetter || $0.isNumber }
    guard !isWords else {
      throw Failure(
        .usage, "the template '\(text)' has no field",
        hint: "give fields in braces, such as '{id} {title}'; 'vmx fetch --quality' selects a video"
      )
    }
    if !plain.hasSuffix("\n") && !plain.hasSuffix("\0") { plain.append("\n") }
    pieces.append(.text(plain))
    self.pieces = pieces
  }

  /// Returns the text of a row; control characters in its values are escaped.
  func text<Row: ListingRow>(of row: Row) -> String where Row.Field == Field {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let plain): text += plain
      case .field(let field): text += TerminalText.escaped(row.exact(field))
      }
    }
    return text
  }
}

/// Splits a template into characters and field names.
private struct TemplateReader {
  enum Token {
    case text(Character)
    case name(String)
  }

  private let text: String
  private var rest: Substring

  init(_ text: String) {
    self.text = text
    rest = text[...]
  }

  mutating func next() throws(Failure) -> Token? {
    guard let character = rest.popFirst() else { return nil }
    switch character {
    case "\\": return .text(try escape())
    case "{":
      if rest.first == "{" { return .text(rest.removeFirst()) }
      guard let end = rest.firstIndex(of: "}") else { throw syntaxError("'{' without '}'") }
      let name = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      return .name(name)
    case "}":
      guard rest.popFirst() == "}" else { throw syntaxError("'}' without '{'") }
      return .text("}")
    default: return .text(character)
    }
  }

  private mutating func escape() throws(Failure) -> Character {
    switch rest.popFirst() {
    case "t": return "\t"
    case "n": return "\n"
    case "0": return "\0"
    case "\\": return "\\"
    default: throw syntaxError(#"'\' before something else than t, n, 0 or \"#)
    }
  }

  private func syntaxError(_ what: String) -> Failure {
    Failure(
      .usage, "the template '\(text)' has \(what)",
      hint: #"write {field}, {{ and }} for braces, \t, \n, \0 and \\"#)
  }
}

/// The reason why bytes could not be written to a stream.
package enum OutputError: CodedError, Equatable {
  /// The reader has closed its end of the pipe; SIGPIPE then terminates the command silently.
  case closed
  /// The write failed; the reason is the system's error text.
  case failed(reason: String)

  package var code: ErrorCode { .outputFailed }
  package var summary: String {
    switch self {
    case .closed: "cannot write to standard output: broken pipe"
    case .failed(let reason): "cannot write to standard output: \(reason)"
    }
  }
}

/// The destination to which renderers write their bytes.
package protocol ByteSink: AnyObject, Sendable {
  /// Writes all bytes, in order; they may stay in a buffer until `flush`.
  func write(_ bytes: [UInt8]) throws(OutputError)
  /// Writes the buffered bytes.
  func flush() throws(OutputError)
  /// The file descriptor, for detecting that the reader has closed its end before anything is
  /// written; nil if there is none.
  var descriptor: Int32? { get }
}

extension ByteSink {
  package var descriptor: Int32? { nil }

  /// Writes a text as UTF-8.
  package func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }
}

/// Collects the bytes in memory, for tests and for composing a text before it is printed.
package final class ByteBuffer: ByteSink {
  private let bytes = Mutex<[UInt8]>([])

  /// Creates an empty buffer.
  package init() {}

  /// All bytes written so far, as text.
  package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  package func write(_ more: [UInt8]) throws(OutputError) {
    bytes.withLock { $0.append(contentsOf: more) }
  }

  package func flush() throws(OutputError) {}
}
