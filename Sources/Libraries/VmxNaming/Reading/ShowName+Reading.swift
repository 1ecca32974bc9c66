import VmxModel

extension ShowName {
  /// Parses the name of a folder that vmx has not written. Without a blank, underscores stand for
  /// them.
  init(foreignFolder folder: String) {
    let words = folder.replacing("_", with: " ").trimmed.description
    self.init(folder.contains(" ") || words.isEmpty ? folder : words)
  }

  /// Parses the text before the place of an episode in a name. A release group in brackets is
  /// dropped; dots and underscores separate words if one of them, or a hyphen, precedes the place.
  init(inName text: String) {
    var text = text[...]
    while let first = text.first, "[【".contains(first),
      let end = text.firstIndex(of: first == "[" ? "]" : "】")
    {
      let rest = text[text.index(after: end)...].drop { NameText.separators.contains($0) }
      guard !rest.isEmpty else { break }
      text = rest
    }
    let isDotted = !text.contains(" ")
    let isSpaced = text.last == " " || text.last == "[" || text.last == "("
    while let last = text.last, NameText.separators.contains(last) || "[(".contains(last) {
      text.removeLast()
    }
    let name = isSpaced || !isDotted ? String(text) : Self.spaced(of: text)
    self.init(isDotted ? Self.withYearInBrackets(name) : name)
  }

  /// Returns `Show (2014)` for `Show 2014`: in names with dots the year tells shows apart.
  private static func withYearInBrackets(_ name: String) -> String {
    let words = name.split(separator: " ")
    guard words.count > 1, let last = words.last, last.count == 4, let year = Int64(last),
      (2000...2035).contains(year)
    else { return name }
    return words.dropLast().joined(separator: " ") + " (\(last))"
  }

  /// Returns the text with spaces for dots and underscores. The dots of an abbreviation stay:
  /// `The.Show`, but `S.H.O.W`.
  static func spaced(of text: some StringProtocol) -> String {
    let words = text.split { $0 == "_" || $0 == " " }.flatMap { part in
      part.split(separator: ".").reduce(into: [String]()) { words, word in
        let isAbbreviation = word.count == 1 && words.last?.split(separator: ".").last?.count == 1
        if isAbbreviation, let last = words.popLast() {
          words.append("\(last).\(word)")
        } else {
          words.append(String(word))
        }
      }
    }
    return words.joined(separator: " ")
  }
}
