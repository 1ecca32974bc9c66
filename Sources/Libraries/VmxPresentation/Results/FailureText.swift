package import VmxModel

/// The position of an error in the input; line and column start at 1, columns count characters.
package struct InputPosition: Sendable, Equatable, CustomStringConvertible {
  /// The name of the stream: `stdin`, or the path of a file.
  package let stream: String
  /// The line number.
  package let line: Int
  /// The position of the character in the line.
  package let column: Int

  /// Creates a position in a stream.
  package init(_ stream: String, line: Int, column: Int) {
    self.stream = stream
    self.line = line
    self.column = column
  }

  /// The position as `stdin:3:17`.
  package var description: String { "\(stream):\(line):\(column)" }
}

/// Formats failures as text and JSON; no other code does so.
package enum FailureText {
  /// Formats a failure as `vmx-fetch: error[disk-full]: …` and, on a second line, `hint: …`.
  ///
  /// - Parameters:
  ///   - position: the position of the error in the input.
  ///   - id: the item that failed, if it is one of several; shown redacted.
  ///   - isWarning: whether the command continues nevertheless.
  package static func lines(
    _ failure: Failure, of tool: String, at position: InputPosition? = nil, id: String? = nil,
    isWarning: Bool = false, _ palette: Palette
  ) -> String {
    let subject = position?.description ?? id.map(URLRedaction.redacted(operand:))
    let whose = TerminalText.escaped(subject.map { "\(tool): \($0)" } ?? tool)
    let failure = failure.redacting([id ?? ""])
    let word = isWarning ? "warning" : "error"
    let label = palette.paint("\(word)[\(failure.code.rawValue)]", isWarning ? .warning : .failure)
    var text = "\(whose): \(label): \(TerminalText.escaped(failure.summary))\n"
    if !failure.hint.isEmpty {
      text += "\(palette.paint("hint", .active)): \(TerminalText.escaped(failure.hint))\n"
    }
    return text
  }

  /// Returns the failure as one JSON object.
  package static func object(
    _ failure: Failure, of tool: String, at position: InputPosition? = nil, id: String? = nil
  ) -> JSONObject {
    var object = JSONObject()
    object.append("schema", .integer(EpisodeJSON.schema))
    object.append("id", id.map(URLRedaction.redacted(operand:)))
    object.append("tool", tool)
    if let position {
      object.append("stream", position.stream)
      object.append("line", .integer(Int64(position.line)))
      object.append("column", .integer(Int64(position.column)))
    }
    object.append("error", .object(record(of: failure.redacting([id ?? ""]))))
    return object
  }

  /// Returns a row of kind `warning`: a problem after which the command continued.
  package static func warning(_ failure: Failure, of tool: String) -> JSONObject {
    var object = JSONObject()
    object.append("schema", .integer(EpisodeJSON.schema))
    object.append("row", .string(RowKind.warning.rawValue))
    object.append("tool", tool)
    object.append("error", .object(record(of: failure)))
    return object
  }

  /// The keys of an error.
  static let keys = [
    JSONKey("error", .object, meaning: "The error"),
    JSONKey("error.code", .word, meaning: "The error code, as in vmx-errors(7)"),
    JSONKey("error.message", .text, meaning: "The message"),
    JSONKey("error.hint", .text, meaning: "The next step for the user"),
    JSONKey(
      "error.retry", .word, meaning: "The retry class: never, later or wait, as in vmx-errors(7)"),
    JSONKey("error.retry_at", .time, meaning: "The time when it can be retried"),
  ]

  /// The keys of the position of an error.
  static let placeKeys = [
    JSONKey("tool", .text, meaning: "The tool, with vmx-"),
    JSONKey("stream", .text, meaning: "The input with the error: stdin or a path"),
    JSONKey("line", .number, meaning: "The line of the input, counted from 1"),
    JSONKey("column", .number, meaning: "The character within the line, counted from 1"),
  ]

  /// Returns `{code, message, hint, retry, retry_at}`, the value of `error` in every record.
  package static func record(of failure: Failure) -> JSONObject {
    var object = JSONObject()
    object.append("code", failure.code.rawValue)
    object.append("message", failure.summary)
    object.append("hint", failure.hint)
    object.append("retry", failure.code.entry.retry.name)
    object.append("retry_at", failure.retryAt?.text)
    return object
  }
}
