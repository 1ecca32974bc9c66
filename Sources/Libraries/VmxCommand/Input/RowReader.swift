import Synchronization
import VmxJSON
package import VmxModel
package import VmxPresentation
package import VmxSystem

/// An operand, or a row of standard input, before a tool interprets it.
package struct InputRow: Sendable, Equatable {
  /// The operand, the text of a plain line, or the `id` of an object; nil for an object without
  /// one.
  package let text: String?
  /// The object; nil for an operand or a plain line.
  package let object: JSONObject?
  /// The position in the input; nil for an operand.
  package let position: InputPosition?

  /// The received object, whose unknown fields are passed on; empty for text.
  package var received: JSONObject { object ?? JSONObject() }

  /// Returns the episode that the row names; the tool reads everything else from the store.
  ///
  /// - Throws: `bad-line` for a row, `no-such-episode` for an operand that is not an id.
  package func episodeID() throws(Failure) -> EpisodeID {
    if let position, let object {
      let fields = FieldReader(object, of: position.description, code: .badLine)
      _ = try fields.integer("rev")
      guard try fields.string("id") != nil else {
        throw Failure(.badLine, "the row has no field 'id'")
      }
    }
    if let id = text.flatMap({ EpisodeID(typed: $0) }) { return id }
    throw position == nil
      ? Failure.noSuchEpisode(text ?? "") : Failure.notAnID(text ?? "", .badLine)
  }
}

/// Reads rows from a stream, one for each line, on demand.
///
/// A line that begins with `{` is a JSON object. Any other line is text, up to its first tab. Blank
/// lines are skipped. An invalid line is returned as such, and reading continues. On request,
/// objects may follow each other in one line and extend over several lines.
package struct RowReader {
  /// One line.
  package enum Line: Sendable, Equatable {
    /// An object, or a text up to its first tab, never empty.
    case row(InputRow)
    /// An invalid line, with the position of its first error.
    case invalid(Failure, InputPosition)
  }

  private let stream: String
  private let parser = JSONParser()
  private var lines: LineReader
  /// Whether objects need not have a line each.
  private let readsValues: Bool
  private let document: RowDocument?
  /// The rest of a line after an object.
  private var rest: LineReader.Line?
  private var isFirst = true
  /// The rows of a document that are still to be returned, in reverse order.
  private var rows: [InputRow] = []

  /// Reads the rows of a source.
  ///
  /// - Parameters:
  ///   - stream: the name of the source in messages.
  ///   - readsValues: whether objects need not have a line each.
  ///   - document: reads a source that begins with `<`; nil if such a source has lines too.
  package init(
    _ source: any ByteSource, named stream: String = "stdin", readsValues: Bool = false,
    document: RowDocument? = nil
  ) {
    self.stream = stream
    self.readsValues = readsValues
    self.document = document
    lines = LineReader(source)
  }

  /// Whether another complete line is buffered, so that `next` will not block.
  package var hasCompleteLine: Bool { !rows.isEmpty || lines.hasCompleteLine }

  /// Returns the next row; nil at the end.
  ///
  /// - Throws: `input-missing` if reading the stream fails.
  package mutating func next() throws(Failure) -> Line? {
    if let row = rows.popLast() { return .row(row) }
    while let line = try nextLine() {
      let blank: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
      guard let first = line.bytes.firstIndex(where: { !blank.contains($0) }) else { continue }
      if line.isTruncated {
        let position = InputPosition(stream, line: line.number, column: 1)
        return .invalid(Failure(.badLine, "the line is longer than 16 MiB"), position)
      }
      if readsValues, line.bytes[first] == UInt8(ascii: "{") {
        return object(try value(beginning: line, at: first))
      }
      if let document, isFirst, line.bytes[first] == UInt8(ascii: "<") {
        rows = try document(lines.rest(after: line)).reversed().map {
          InputRow(
            text: $0.text, object: nil, position: InputPosition(stream, line: $0.line, column: 1))
        }
        return rows.popLast().map(Line.row)
      }
      isFirst = false
      return row(line, from: first)
    }
    return nil
  }

  private mutating func nextLine() throws(Failure) -> LineReader.Line? {
    defer { rest = nil }
    if let rest { return rest }
    return try lines.next()
  }

  /// Returns the object that begins in a line, with the lines to its end, and keeps what follows
  /// it.
  private mutating func value(
    beginning line: LineReader.Line, at first: Int
  ) throws(Failure) -> LineReader.Line {
    var scan = ObjectScan()
    var bytes = Array(line.bytes[first...])
    var position = 0
    while true {
      if let end = scan.end(in: bytes[position...]) {
        let more = Array(bytes[end...])
        if more.contains(where: { $0 > 0x20 }) {
          rest = LineReader.Line(number: line.number, bytes: more, isTruncated: false)
        }
        return LineReader.Line(
          number: line.number, bytes: Array(bytes[..<end]), isTruncated: false)
      }
      position = bytes.count
      guard bytes.count < LineReader.maxLineLength, let next = try lines.next() else {
        return LineReader.Line(number: line.number, bytes: bytes, isTruncated: false)
      }
      bytes.append(UInt8(ascii: "\n"))
      bytes += next.bytes
    }
  }

  private func row(_ line: LineReader.Line, from first: Int) -> Line {
    guard line.bytes[first] != UInt8(ascii: "{") else { return object(line) }
    let end = line.bytes[first...].firstIndex(of: UInt8(ascii: "\t")) ?? line.bytes.count
    var text = line.bytes[first..<end]
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    guard let text = String(validating: text, as: UTF8.self) else {
      return .invalid(Failure(.badLine, "the line is not UTF-8"), position(line, first))
    }
    return .row(InputRow(text: text, object: nil, position: position(line, first)))
  }

  private func object(_ line: LineReader.Line) -> Line {
    do throws(JSONSyntaxError) {
      guard case .object(let object) = try parser.parse(line.bytes) else {
        return .invalid(Failure(.badLine, "the line is not a JSON object"), position(line, 0))
      }
      return .row(InputRow(text: object["id"]?.string, object: object, position: position(line, 0)))
    } catch {
      return .invalid(Failure(.badLine, error.reason), position(line, error.offset))
    }
  }

  private func position(_ line: LineReader.Line, _ offset: Int) -> InputPosition {
    let before = line.bytes.prefix(offset)
    // UTF-8 continuation bytes are not columns of their own.
    let column = before.reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    return InputPosition(stream, line: line.number, column: column)
  }
}

/// Returns the rows of a document that is no list of lines, each with its line in the document.
package typealias RowDocument =
  @Sendable ([UInt8]) throws(Failure) -> [(text: String, line: Int)]

/// Finds the end of a JSON object by its braces, outside of strings.
private struct ObjectScan {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Continues with further bytes; returns the index after the object, nil if it does not end
  /// there.
  mutating func end(in bytes: ArraySlice<UInt8>) -> Int? {
    for index in bytes.indices {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }
}

/// Splits a byte source into lines and returns each as soon as it is complete.
struct LineReader {
  /// The maximum length of a line in bytes. Longer lines are truncated, so that no input exhausts
  /// the memory.
  static let maxLineLength = 16 << 20
  /// The maximum length of a document in bytes.
  static let maxDocumentLength = 64 << 20

  /// One line without its terminator.
  struct Line: Equatable {
    let number: Int
    let bytes: [UInt8]
    /// Whether the line was too long and was cut.
    let isTruncated: Bool
  }

  private let source: any ByteSource
  private var buffer: [UInt8] = []
  private var start = 0
  private var number = 0
  private var isAtEnd = false

  init(_ source: any ByteSource) {
    self.source = source
  }

  /// Whether the buffer contains the end of another line.
  var hasCompleteLine: Bool { buffer[start...].contains(UInt8(ascii: "\n")) }

  /// Returns the next line; nil at the end. A last line without a terminator counts; `\r\n` also
  /// ends a line.
  mutating func next() throws(Failure) -> Line? {
    var line: [UInt8] = []
    var isCut = false
    while true {
      let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n"))
      let piece = buffer[start..<(end ?? buffer.count)]
      let room = Self.maxLineLength - line.count
      line.append(contentsOf: piece.prefix(room))
      isCut = isCut || piece.count > room
      if let end {
        start = end + 1
        break
      }
      start = buffer.count
      if !isAtEnd { try refill() }
      guard isAtEnd else { continue }
      if line.isEmpty { return nil }
      break
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    number += 1
    // Programs of Windows begin a list with a byte order mark.
    if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    return Line(number: number, bytes: line, isTruncated: isCut)
  }

  /// Returns the whole source, of which only this line and blank ones before it were read.
  ///
  /// - Throws: `bad-line` if it is larger than 64 MiB, `input-missing` if reading fails.
  mutating func rest(after line: Line) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: line.number - 1)
    bytes += line.bytes + [UInt8(ascii: "\n")]
    while true {
      bytes += buffer[start...]
      guard bytes.count <= Self.maxDocumentLength else {
        throw Failure(.badLine, "the document is larger than 64 MiB")
      }
      try refill()
      if isAtEnd { return bytes }
    }
  }

  private mutating func refill() throws(Failure) {
    buffer = try source.read()
    start = 0
    isAtEnd = buffer.isEmpty
  }
}

// A tool whose default is the whole library must not wait for standard input: a pipe without a
// writer would block it forever (ssh, launchers), and rows in it may belong to the next command
// (shell loops). So it reads rows only for the operand '-', and reports at once a pipe that it does
// not read, even an empty one: the stage before it may write after this tool has ended.

/// Notifies the user once of rows on a pipe that the tool does not read.
package final class UnreadInput: Sendable {
  private enum State { case off, watching, notified }

  private let input: any ByteSource
  private let messages: Messages
  private let state = Mutex(State.off)

  init(_ input: any ByteSource, _ messages: Messages) {
    self.input = input
    self.messages = messages
  }

  /// Starts watching, for a tool without operands, filters and other selecting options.
  func watch() {
    state.withLock { if $0 == .off { $0 = .watching } }
    check()
  }

  /// Reports a pipe with a writer or with rows that have arrived; consumes none and never blocks.
  /// Also called at the end of the tool, because a writer may connect late.
  func check() {
    guard state.withLock({ $0 == .watching }), input.hasWaitingBytes || input.isOpenPipe else {
      return
    }
    state.withLock { $0 = .notified }
    messages.note("ignoring the rows on standard input; give the operand '-' to read them")
  }
}

extension CommandContext {
  /// Prints once what the tool waits for, if nothing arrives on standard input for `inputTimeout`.
  package func noteAwaitedInput(
    _ awaited: String = "ids or rows on standard input; give ids or filters to read none"
  ) {
    guard !input.isReady(within: inputTimeout) else { return }
    messages.note("waiting for \(awaited)")
  }

  /// Returns a closure for the reader of a pipe that prints once what the tool waits for.
  ///
  /// Its parameter is the time without input in milliseconds; it returns whether to keep waiting.
  package func waiting(
    for awaited: String, until interruption: Interruption
  ) -> @Sendable (Int64) -> Bool {
    let told = Atomic(false)
    return { [inputTimeout, messages] silence in
      if silence >= inputTimeout, !told.exchange(true, ordering: .relaxed) {
        messages.note("waiting for \(awaited)")
      }
      return !interruption.isRequested
    }
  }
}
