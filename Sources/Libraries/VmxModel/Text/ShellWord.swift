/// Words of a command line for a POSIX shell.
package enum ShellWord {
  /// Returns a text as one word, in which a shell expands nothing. It is in single quotes if it
  /// needs any.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0.isASCIIAlphanumeric || "/._-+,:@%=".utf8.contains($0)
    }
    if isPlain, !text.isEmpty { return text }
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.joined(separator: "'\\''") + "'"
  }
}

extension ShellWord {
  /// Splits a command line into words as a POSIX shell does, without any expansion: blanks separate
  /// words; `'…'` is literal; within `"…"` a backslash precedes `"`, `\`, `$` or `` ` ``; outside
  /// quotes it precedes any character.
  ///
  /// - Returns: the words; nil if a quote is open or the text ends with a backslash.
  package static func words(in text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      switch (scalar, quote) {
      case ("'", nil), ("\"", nil):
        quote = scalar
        word = word ?? ""
      case (_, scalar): quote = nil
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { return nil }
        if quote != nil, !"\"\\$`".unicodeScalars.contains(next) {
          word?.unicodeScalars.append(scalar)
        }
        word = word ?? ""
        word?.unicodeScalars.append(next)
      case (" ", nil), ("\t", nil), ("\n", nil):
        if let word { words.append(word) }
        word = nil
      default:
        word = word ?? ""
        word?.unicodeScalars.append(scalar)
      }
    }
    guard quote == nil else { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}
