import SystemPackage

/// The source of a page of the manual.
struct ManualPage {
  /// A command in an EXAMPLES section, of one or more lines.
  struct Example {
    let line: Int
    let text: String
    /// The shell lines that are true after it: the comments `then: LINE` that follow it.
    var effects: [String] = []
  }

  /// The name of its file, such as `vmx-add.1`.
  let file: String
  private let lines: [String]

  /// Reads the page with a name and section, from its source or as installed.
  init(_ name: String, _ section: Int, in folder: String = "man") throws {
    file = "\(name).\(section)"
    lines = try ProjectFile.text("\(folder)/\(file)").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// Its first line: name, section, date and version.
  var title: String { lines.first ?? "" }

  /// The text of the NAME section, as printed.
  var summary: String {
    lines.firstIndex(of: ".SH NAME").map { Self.plain(lines[$0 + 1]) } ?? ""
  }

  /// Returns the lines of a section as printed, without requests such as `.PP`.
  func text(of section: String) -> [String] {
    self.section(section).filter { !$0.element.hasPrefix(".") }.map { Self.plain($0.element) }
  }

  /// Returns the tags of the paragraphs in a section: options, settings, codes.
  func tags(in section: String) -> [String] {
    let lines = Array(self.section(section).map(\.element))
    return zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map { Self.plain($0.1) }
  }

  /// Returns the first paragraph of each tag in a section, as one line.
  func texts(in section: String) -> [String: String] {
    let lines = self.section(section).map(\.element)
    var texts: [String: String] = [:]
    for index in lines.indices.dropLast(2) where lines[index] == ".TP" {
      let paragraph = lines[(index + 2)...].prefix { !$0.hasPrefix(".") }.map(Self.plain)
      texts[Self.plain(lines[index + 1])] = paragraph.joined(separator: " ")
    }
    return texts
  }

  /// All words of the page, as printed.
  var words: Set<String> {
    let isApart = { (character: Character) in
      !character.isLetter && !character.isNumber && !"-_".contains(character)
    }
    return Set(lines.flatMap { Self.plain($0).split(whereSeparator: isApart).map(String.init) })
  }

  /// Returns the source lines between the comments `BEGIN` and `END` with this name.
  func part(_ name: String) -> String {
    let start = lines.firstIndex(of: ".\\\" BEGIN \(name)") ?? lines.endIndex - 1
    let end = lines.firstIndex(of: ".\\\" END \(name)") ?? lines.endIndex
    return lines[(start + 1)..<max(start + 1, end)].map { $0 + "\n" }.joined()
  }

  /// The commands under EXAMPLES.
  var examples: [Example] {
    var examples: [Example] = []
    var open: (line: Int, text: [String])?
    for (index, line) in section("EXAMPLES") {
      if line == ".EX" {
        open = (index + 2, [])
      } else if line == ".EE", let (line, text) = open {
        examples.append(Example(line: line, text: text.joined(separator: "\n")))
        open = nil
      } else if open == nil, let effect = line.wholeMatch(of: /\.\\" then: (.*)/)?.1 {
        examples[examples.count - 1].effects.append(String(effect))
      } else {
        open?.text.append(Self.plain(line))
      }
    }
    return examples
  }

  private func section(_ name: String) -> [(offset: Int, element: String)] {
    let heading = ".SH \(name)"
    return lines.enumerated().drop { $0.element != heading }.dropFirst()
      .prefix { !$0.element.hasPrefix(".SH ") }
  }

  private static let escapes = [
    #"\fB"#: "", #"\fI"#: "", #"\fP"#: "", #"\fR"#: "", #"\&"#: "", #"\-"#: "-", #"\e"#: #"\"#,
    #"\(aq"#: "'", #"\(ga"#: "`", #"\(ha"#: "^", #"\(ti"#: "~",
  ]

  /// Returns a line without the escapes of roff and without a request such as `.B` at its start.
  static func plain(_ line: String) -> String {
    var rest = Substring(line)
    if rest.hasPrefix(".B ") { rest.removeFirst(3) }
    var text = ""
    while let first = rest.first {
      if first == "\\", let escape = escapes.keys.first(where: rest.hasPrefix) {
        text += escapes[escape] ?? ""
        rest = rest.dropFirst(escape.count)
      } else {
        text.append(first)
        rest.removeFirst()
      }
    }
    return text
  }
}

/// Files of the project itself, for tests of their texts.
enum ProjectFile {
  /// The top folder of the project.
  static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().removingLastComponent()

  /// Whether a file exists below the top folder.
  static func exists(_ path: String) -> Bool { (try? text(path)) != nil }

  /// Returns the text of a file below the top folder, or at an absolute path.
  static func text(_ path: String) throws -> String {
    let file = try FileDescriptor.open(root.pushing(FilePath(path)), .readOnly)
    return try file.closeAfter {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += piece[..<count]
      }
    }
  }
}
