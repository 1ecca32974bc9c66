/// A scenario in one text file: the commands that a user types, and their expected results.
///
/// Each line is a comment (`#`), a step that begins with a word of `StoryStep`, or a shell line. A
/// shell line must exit with status 0, or fail if `!` precedes it. A line that ends with `\`
/// continues on the next line. The files that exist at the start follow the first line `-- NAME
/// --`.
struct Story: Sendable, Equatable {
  /// A step, and the number of its first line.
  struct Line: Sendable, Equatable {
    let number: Int
    let step: StoryStep
  }

  /// A file that exists in the folder of the story at the start.
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
      // `status N` refines the expectation of the previous command.
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
      // The empty text after the last newline of the story is not a line of its last file.
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

/// A problem in a story or in its results, with its line.
struct StoryProblem: Error, Equatable {
  let line: Int
  let text: String

  init(line: Int, _ text: String) {
    self.line = line
    self.text = text
  }
}
