/// A section header or an entry of a settings file, with its position in the bytes of the file.
struct SettingsPiece: Sendable, Equatable {
  /// The content of a piece.
  enum Content: Sendable, Equatable {
    /// The header of a section.
    case section
    /// An entry with its value, nil for a key alone, and the bytes of the value as written. For a
    /// value without bytes the range is empty and lies where they would begin.
    case entry(String?, Range<Int>)
  }

  /// The content.
  let content: Content
  /// `section` or `section.subsection`; for an entry with the key after it.
  let name: String
  /// The line on which the piece begins, from 1.
  let line: Int
  /// The bytes of the header, or of the entry from its key to the end of its last line, without the
  /// line end.
  let range: Range<Int>

  /// Creates a piece.
  init(_ content: Content, _ name: String, line: Int, range: Range<Int>) {
    self.content = content
    self.name = name
    self.line = line
    self.range = range
  }

  /// The value of an entry; nil for a key alone and for a header.
  var value: String? { if case .entry(let value, _) = content { value } else { nil } }
  /// Whether it is the header of a section.
  var isSection: Bool { content == .section }
}
