/// Converts text of any script to words of a-z, 0-9, '.' and '_', joined by hyphens.
///
/// Latin, Greek and Cyrillic letters follow the table of this module, full-width letters become
/// their ASCII equivalents. Combining marks, apostrophes and invisible characters are removed; all
/// other characters separate words. A full stop or underscore stays if it stands alone between two
/// letters or digits.
enum Transliteration {
  /// Returns the words of the text joined by hyphens; empty if no word remains.
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
      // The one digraph that depends on two letters: omicron upsilon is 'ou'.
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

/// Joins letters to words, and words with one separator between each two.
private struct WordJoiner {
  private(set) var text = ""
  /// The separator to insert before the next letter.
  private var pending: Unicode.Scalar?

  mutating func append(letters: String) {
    guard !letters.isEmpty else { return }
    if let pending, !text.isEmpty { text.unicodeScalars.append(pending) }
    pending = nil
    text += letters
  }

  /// Appends a separator that is kept unless another one stands beside it.
  mutating func appendInner(_ separator: Unicode.Scalar) {
    pending = pending == nil ? separator : "-"
  }

  mutating func separate() {
    pending = "-"
  }
}
