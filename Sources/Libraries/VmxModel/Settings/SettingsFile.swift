/// The entries of a settings file in git's syntax, not yet validated.
///
/// The syntax has `[section]`, `[section "subsection"]`, `key = value`, and a key alone for true.
/// `#` and `;` begin a comment outside quotes. Values may contain `\"`, `\\`, `\n`, `\t` and `\b`.
/// A backslash at the end of a line continues it on the next. Sections and keys ignore case,
/// subsections do not. Includes are not followed: `include.path` is an ordinary, unknown setting.
package struct SettingsFile: Sendable, Equatable {
  /// One line `key = value`.
  package struct Entry: Sendable, Equatable {
    /// `section.key` or `section.subsection.key`, section and key in lower case.
    package let key: String
    /// The value without quotes and escapes; nil for a key alone.
    package let value: String?
    /// The position of the key in the file.
    package let origin: SettingOrigin
  }

  /// All entries in the order of the file; a key may occur more than once.
  package let entries: [Entry]

  /// Parses the bytes of a file.
  ///
  /// - Parameter path: the name of the file for messages.
  /// - Throws: `bad-setting` naming file and line.
  package init(_ bytes: some Sequence<UInt8>, path: String) throws(Failure) {
    var parser = SettingsParser(Array(bytes), path: path)
    entries = try parser.entries()
  }
}
