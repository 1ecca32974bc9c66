/// Words of a command line for a POSIX shell.
package enum ShellWord {
  /// Returns a text as one word in single quotes, in which a shell expands nothing.
  package static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
