extension Substring {
  /// The text without leading and trailing white space, including that of Unicode.
  package var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }
}

extension String {
  /// The text without leading and trailing white space, including that of Unicode.
  package var trimmed: String { String(self[...].trimmed) }
}
