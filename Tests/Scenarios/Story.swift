/// A story told in one text file: what a person types, and what must come of it.
///
/// A line is a comment (`#`), one of the words of `StoryStep`, or a shell line, which must end
/// with status 0, or fail when `!` stands before it. A line that ends with `\` goes on in the
/// next. After the first line `-- NAME --` come the files that the story begins with.
struct Story: Sendable, Equatable {
  /// A step, and the line on which it begins.
  struct Line: Sendable, Equatable {
    let number: Int
    let step: StoryStep
  }

  /// A file that stands in the story's folder from the start.
  struct File: Sendable, Equatable {
    let name: String
    let text: String
  }

  let lines: [Line]
  let files: [File]

  init(_ text: String) throws(StoryProblem) {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let end = all.firstIndex { Self.fileName($0) != nil } ?? all.endIndex
    lines = try Self.steps(all[..<end])
    files = Self.files(all[end...])
  }

  private static func steps(_ texts: ArraySlice<String>) throws(StoryProblem) -> [Line] {
    var lines: [Line] = []
    var rest = texts
    while let first = rest.popFirst() {
      let number = rest.startIndex
      var text = first
      while text.hasSuffix("\\"), let next = rest.popFirst() {
        text = text.dropLast() + next
      }
      guard let found = try StoryStep(text, line: number) else { continue }
      guard case .status(let status) = found else {
        lines.append(Line(number: number, step: found))
        continue
      }
      // `status N` says more of the command before it.
      guard let last = lines.popLast(), let exact = last.step.expecting(status) else {
        throw StoryProblem(line: number, "'status' must follow a command")
      }
      lines.append(Line(number: last.number, step: exact))
    }
    return lines
  }

  private static func files(_ texts: ArraySlice<String>) -> [File] {
    var files: [(name: String, lines: [String])] = []
    for text in texts {
      if let name = fileName(text) {
        files.append((name, []))
      } else {
        files[files.endIndex - 1].lines.append(text)
      }
    }
    return files.enumerated().map { index, file in
      // The empty text after the last newline of the story is no line of its last file.
      let ends = index == files.count - 1 && file.lines.last == ""
      let lines = ends ? file.lines.dropLast() : file.lines[...]
      return File(name: file.name, text: lines.map { $0 + "\n" }.joined())
    }
  }

  private static func fileName(_ line: String) -> String? {
    guard line.hasPrefix("-- "), line.hasSuffix(" --"), line.count > 6 else { return nil }
    return String(line.dropFirst(3).dropLast(3))
  }
}

/// A problem of a story or of its results, with its line.
struct StoryProblem: Error, Equatable {
  let line: Int
  let text: String

  init(line: Int, _ text: String) {
    self.line = line
    self.text = text
  }
}
