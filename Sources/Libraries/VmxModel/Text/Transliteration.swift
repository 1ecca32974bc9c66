/// Turns text of any script into words of a-z, 0-9, '.' and '_' joined by hyphens.
///
/// Latin, Greek and Cyrillic letters go by our own table, full-width letters as their ASCII twins.
/// Combining marks, apostrophes and invisible characters vanish; everything else parts words.
/// A full stop or underscore stays where it stands alone between two letters or digits.
enum Transliteration {
  /// The words of the text joined by hyphens; empty where nothing is left.
  static func words(of text: String) -> String {
    var words = WordJoiner()
    var previous: Character = " "
    for character in text {
      append(character, after: previous, to: &words)
      previous = character
    }
    return words.text
  }

  private static func append(
    _ character: Character, after previous: Character, to words: inout WordJoiner
  ) {
    let lower = character.lowercased()
    if let letter = lower.first, lower.count == 1, let ascii = TransliterationTable.ascii[letter] {
      // The one digraph that cannot be told letter by letter: omicron upsilon is 'ou'.
      let isDigraph = ["υ", "ύ"].contains(letter) && ["ο", "Ο"].contains(previous)
      words.append(letters: isDigraph ? "u" : ascii)
      return
    }
    for scalar in lower.unicodeScalars {
      append(scalar, to: &words)
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to words: inout WordJoiner) {
    let plain = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
    switch plain {
    case 0x30...0x39, 0x61...0x7A:
      words.append(letters: String(UnicodeScalar(UInt8(plain))))
    case 0x2E, 0x5F:
      words.appendInner(UnicodeScalar(UInt8(plain)))
    default:
      if let ascii = TransliterationTable.ascii[Character(scalar)] {
        words.append(letters: ascii)
      } else if !vanishes(scalar) {
        words.separate()
      }
    }
  }

  private static func vanishes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format, .modifierLetter: true
    default: "'’‘`´＇".unicodeScalars.contains(scalar)
    }
  }
}

/// Joins letters to words and words by one separator each.
private struct WordJoiner {
  private(set) var text = ""
  /// What stands before the next letter, if one comes.
  private var pending: Unicode.Scalar?

  mutating func append(letters: String) {
    guard !letters.isEmpty else { return }
    if let pending, !text.isEmpty { text.unicodeScalars.append(pending) }
    pending = nil
    text += letters
  }

  /// A separator that is kept as it is unless another one stands beside it.
  mutating func appendInner(_ separator: Unicode.Scalar) {
    pending = pending == nil ? separator : "-"
  }

  mutating func separate() {
    pending = "-"
  }
}
