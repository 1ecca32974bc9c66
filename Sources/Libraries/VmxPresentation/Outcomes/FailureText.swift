package import VmxModel

/// Where in the input a failure was found; both numbers count from 1, columns in characters.
package struct InputPlace: Sendable, Equatable, CustomStringConvertible {
  /// The stream: `stdin`, or the path of a file.
  package let stream: String
  /// The line.
  package let line: Int
  /// The character within the line.
  package let column: Int

  /// A place in a stream.
  package init(_ stream: String, line: Int, column: Int) {
    self.stream = stream
    self.line = line
    self.column = column
  }

  /// `stdin:3:17`.
  package var description: String { "\(stream):\(line):\(column)" }
}

/// The one place where failures become text and JSON.
package enum FailureText {
  /// `vmx-fetch: error[disk-full]: …` and, on a second line, `hint: …`.
  ///
  /// - Parameters:
  ///   - place: where in the input it was found.
  ///   - id: the item that failed, where it is one of several; shown redacted.
  ///   - isWarning: whether the tool goes on nevertheless.
  package static func lines(
    _ failure: Failure, of tool: String, at place: InputPlace? = nil, id: String? = nil,
    isWarning: Bool = false, _ palette: Palette
  ) -> String {
    let subject = place?.description ?? id.map(URLRedaction.redacted(operand:))
    let whose = TerminalText.escaped(subject.map { "\(tool): \($0)" } ?? tool)
    let failure = failure.redacting([id ?? ""])
    let word = isWarning ? "warning" : "error"
    let label = palette.paint("\(word)[\(failure.code.rawValue)]", isWarning ? .held : .bad)
    var text = "\(whose): \(label): \(TerminalText.escaped(failure.summary))\n"
    if !failure.hint.isEmpty {
      text += "\(palette.paint("hint", .busy)): \(TerminalText.escaped(failure.hint))\n"
    }
    return text
  }

  /// The same as one object of JSON.
  package static func object(
    _ failure: Failure, of tool: String, at place: InputPlace? = nil, id: String? = nil
  ) -> JSONObject {
    var object = JSONObject()
    object.append("schema", .integer(EpisodeJSON.schema))
    object.append("id", id.map(URLRedaction.redacted(operand:)))
    object.append("tool", tool)
    if let place {
      object.append("stream", place.stream)
      object.append("line", .integer(Int64(place.line)))
      object.append("column", .integer(Int64(place.column)))
    }
    object.append("error", .object(record(of: failure.redacting([id ?? ""]))))
    return object
  }

  /// A row of kind `warning`: something that a tool passed over and went on.
  package static func warning(_ failure: Failure, of tool: String) -> JSONObject {
    var object = JSONObject()
    object.append("schema", .integer(EpisodeJSON.schema))
    object.append("row", EpisodeJSON.warning)
    object.append("tool", tool)
    object.append("error", .object(record(of: failure)))
    return object
  }

  /// `{code, message, hint, retry, retry_at}`: the value of `error` in every record.
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
