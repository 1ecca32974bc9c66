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
