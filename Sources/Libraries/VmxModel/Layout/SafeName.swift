/// Converts untrusted text to a safe path component for Linux, SMB and exFAT.
///
/// Removes control and invisible characters and collapses white space to single spaces. Replaces
/// characters that those file systems reject by similar ones. The result has no leading dot or
/// hyphen, no trailing dot or space, and is not a reserved DOS name. Lengths are bytes of UTF-8;
/// truncation never splits a character.
package enum SafeName {
  /// The maximum length of a component in bytes on the supported file systems.
  package static let maxLength = 255

  /// Whether a text can be a file extension: one to eight ASCII letters and digits.
  package static func isExtension(_ text: String) -> Bool {
    (1...8).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isASCIIAlphanumeric }
  }

  /// Returns the text as a component; empty if no character remains.
  package static func component(_ text: String, limit: Int = maxLength) -> String {
    let cut = trimmed(prefix(of: trimmed(replaced(text)), bytes: limit))
    guard isReserved(cut) else { return cut }
    // A reserved name has at most seven bytes before its first dot, so one more byte fits.
    let dot = cut.firstIndex(of: ".") ?? cut.endIndex
    return cut[..<dot] + "_" + cut[dot...]
  }

  /// Returns the longest prefix of whole characters within the given number of bytes.
  package static func prefix(of text: String, bytes limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var kept = ""
    var room = limit
    for character in text {
      room -= character.utf8.count
      if room < 0 { break }
      kept.append(character)
    }
    return kept
  }

  private static func replaced(_ text: String) -> String {
    var name = ""
    var blank = false
    for scalar in text.unicodeScalars {
      guard !isDropped(scalar) else { continue }
      if isWhitespace(scalar) {
        blank = !name.isEmpty
        continue
      }
      if blank { name += " " }
      blank = false
      switch scalar {
      case "/", "\\", "|": name += "-"
      case "\"": name += "'"
      default: name.unicodeScalars.append(scalar)
      }
    }
    return dashes(name)
  }

  /// 'Show: Title' becomes 'Show - Title', and '12:30' becomes '12-30'. Works on scalars: a colon
  /// with a combining mark is another character, but the file system still sees a colon.
  private static func dashes(_ name: String) -> String {
    let parts = name.unicodeScalars.split(separator: ":", omittingEmptySubsequences: false)
    var whole = String.UnicodeScalarView(parts[0])
    for part in parts.dropFirst() {
      if part.first == " ", whole.last != " " { whole.append(" ") }
      whole.append("-")
      whole.append(contentsOf: part)
    }
    return String(whole)
  }

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "*", "?", "<", ">": true
    case "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{85}": false
    // The joiners occur in emoji and in Persian words.
    case "\u{200C}", "\u{200D}": false
    default: isInvisible(scalar)
    }
  }

  // Most names are ASCII. For these, the tables of Unicode took 2 % of the CPU of a small fetch.

  private static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return scalar < " " || scalar == "\u{7F}" }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate: true
    default: scalar.properties.isNoncharacterCodePoint
    }
  }

  private static func trimmed(_ name: String) -> String {
    var rest = Substring(name)
    while let first = rest.unicodeScalars.first,
      " .-".unicodeScalars.contains(first) || isMark(first)
    {
      rest.unicodeScalars.removeFirst()
    }
    while let last = rest.unicodeScalars.last, " .".unicodeScalars.contains(last) {
      rest.unicodeScalars.removeLast()
    }
    return String(rest)
  }

  /// A leading combining mark would combine with the slash before it.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII
      && (scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark)
  }

  private static func isReserved(_ name: String) -> Bool {
    var base = name.prefix { $0 != "." }.lowercased()
    while base.hasSuffix(" ") { base.removeLast() }
    if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(base) { return true }
    return base.count == 4 && (base.hasPrefix("com") || base.hasPrefix("lpt"))
      && base.last.map { "0123456789¹²³".contains($0) } == true
  }
}
