/// A settings file in git's syntax, read but not yet understood.
///
/// `[section]`, `[section "subsection"]`, `key = value`, a key alone for true; `#` and `;` begin a
/// comment outside quotes; `\"`, `\\`, `\n`, `\t`, `\b` in values; a backslash at the end of a
/// line goes on with the next. Sections and keys ignore case, subsections do not. Includes are
/// not followed: `include.path` is a setting like any other, and unknown.
package struct SettingsFile: Sendable, Equatable {
  /// One line `key = value`.
  package struct Entry: Sendable, Equatable {
    /// `section.key` or `section.subsection.key`, section and key in lower case.
    package let key: String
    /// The value without quotes and escapes; nil for a key alone.
    package let value: String?
    /// The line on which the key stands.
    package let origin: SettingOrigin
  }

  /// Everything that is set, in the order of the file; a key may stand more than once.
  package let entries: [Entry]

  /// Reads the bytes of a file.
  ///
  /// - Parameter path: as messages name the file.
  /// - Throws: `bad-setting` naming file and line.
  package init(_ bytes: some Sequence<UInt8>, path: String) throws(Failure) {
    var parser = SettingsParser(Array(bytes), path: path)
    entries = try parser.entries()
  }
}
