import VmxJSON
package import VmxModel
package import VmxPresentation

/// Reads rows from a stream, one for each line, and none before the caller asks for it.
///
/// A line that begins with `{` is a JSON object. Any other line is text, up to its first tab. Blank
/// lines are skipped. An invalid line is returned as such, and reading continues.
package struct RecordInput {
  /// One row.
  package enum Record: Sendable, Equatable {
    /// An object.
    case object(JSONObject, InputPlace)
    /// A text up to its first tab, never empty.
    case text(String, InputPlace)
    /// An invalid line, with the position of its first error.
    case bad(Failure, InputPlace)
  }

  private let stream: String
  private let parser = JSONParser()
  private var lines: LineReader

  /// Reads the rows of a source.
  ///
  /// - Parameter stream: the name of the source in messages.
  package init(_ source: any ByteSource, named stream: String = "stdin") {
    self.stream = stream
    lines = LineReader(source)
  }

  /// Whether a tool reads rows: the command line selects nothing, and standard input can hold rows.
  package static func isOffered(by source: any ByteSource, selectionTyped: Bool) -> Bool {
    !selectionTyped && source.isData
  }

  /// Whether another complete line is buffered, so that `next` will not block.
  package var hasWholeLine: Bool { lines.hasWholeLine }

  /// Returns the next row; nil at the end.
  ///
  /// - Throws: `input-missing` if the stream cannot be read any further.
  package mutating func next() throws(Failure) -> Record? {
    while let line = try lines.next() {
      let blank: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
      guard let first = line.bytes.firstIndex(where: { !blank.contains($0) }) else { continue }
      if line.isCut {
        let place = InputPlace(stream, line: line.number, column: 1)
        return .bad(Failure(.badLine, "the line is longer than 16 MiB"), place)
      }
      return record(line, from: first)
    }
    return nil
  }

  private func record(_ line: LineReader.Line, from first: Int) -> Record {
    guard line.bytes[first] != UInt8(ascii: "{") else { return object(line) }
    let end = line.bytes[first...].firstIndex(of: UInt8(ascii: "\t")) ?? line.bytes.count
    var text = line.bytes[first..<end]
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    guard let text = String(validating: text, as: UTF8.self) else {
      return .bad(Failure(.badLine, "the line is not UTF-8"), place(line, first))
    }
    return .text(text, place(line, first))
  }

  private func object(_ line: LineReader.Line) -> Record {
    do throws(JSONSyntaxError) {
      guard case .object(let object) = try parser.parse(line.bytes) else {
        return .bad(Failure(.badLine, "the line is not a JSON object"), place(line, 0))
      }
      return .object(object, place(line, 0))
    } catch {
      return .bad(Failure(.badLine, error.reason), place(line, error.offset))
    }
  }

  private func place(_ line: LineReader.Line, _ offset: Int) -> InputPlace {
    let before = line.bytes.prefix(offset)
    // UTF-8 continuation bytes are not columns of their own.
    let column = before.reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    return InputPlace(stream, line: line.number, column: column)
  }
}
