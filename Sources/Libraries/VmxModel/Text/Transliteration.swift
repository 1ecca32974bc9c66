/// Converts text of any script to words of a-z, 0-9, '.' and '_', joined by hyphens.
///
/// Latin, Greek and Cyrillic letters follow the table of this module, full-width letters become
/// their ASCII equivalents. Combining marks, apostrophes and invisible characters are removed; all
/// other characters separate words. A full stop or underscore stays if it stands alone between two
/// letters or digits.
enum Transliteration {
  /// Returns the words of the text joined by hyphens; empty if no word remains.
  static func hyphenated(of text: String) -> String {
    var words = WordJoiner()
    // A loop over bytes is several times as fast as one over characters.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 { append(ascii: byte, to: &words) }
      return words.text
    }
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
    if let letter = lower.first, lower.count == 1, let ascii = Self.ascii[letter] {
      // The one digraph that depends on two letters: omicron upsilon is 'ou'.
      let isDigraph = ["υ", "ύ"].contains(letter) && ["ο", "Ο"].contains(previous)
      words.append(letters: isDigraph ? "u" : ascii)
      return
    }
    for scalar in lower.unicodeScalars {
      append(scalar, to: &words)
    }
  }

  private static func append(ascii byte: UInt8, to words: inout WordJoiner) {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): words.append(letter: UnicodeScalar(byte | 0x20))
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      words.append(letter: UnicodeScalar(byte))
    case UInt8(ascii: "."), UInt8(ascii: "_"): words.appendInner(UnicodeScalar(byte))
    case UInt8(ascii: "'"), UInt8(ascii: "`"): break
    default: words.separate()
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
      if let ascii = Self.ascii[Character(scalar)] {
        words.append(letters: ascii)
      } else if !isIgnorable(scalar) {
        words.separate()
      }
    }
  }

  private static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
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
    appendPending()
    text += letters
  }

  mutating func append(letter: Unicode.Scalar) {
    appendPending()
    text.unicodeScalars.append(letter)
  }

  private mutating func appendPending() {
    if let pending, !text.isEmpty { text.unicodeScalars.append(pending) }
    pending = nil
  }

  /// Appends a separator that is kept unless it is adjacent to another one.
  mutating func appendInner(_ separator: Unicode.Scalar) {
    pending = pending == nil ? separator : "-"
  }

  mutating func separate() {
    pending = "-"
  }
}

// The letters with a transliteration to a-z and 0-9, grouped by their result.
//
// The rows contain lower-case letters only, with one result per letter regardless of the language:
// an id must not depend on a guess. The tables follow the usual romanisations where Unicode does
// not decompose a letter into an ASCII letter and marks.
extension Transliteration {
  private typealias Row = (ascii: String, letters: String)

  /// The transliteration of each letter. A composed letter and its decomposed form are one key,
  /// because characters compare by canonical equivalence.
  private static let ascii: [Character: String] = {
    var table: [Character: String] = [:]
    for row in latin + greek + cyrillic {
      for letter in row.letters { table[letter] = row.ascii }
    }
    return table
  }()

  /// Latin-1, Latin Extended-A, -B and Additional (Vietnamese), digits and ligatures.
  private static let latin: [Row] = [
    ("0", "⁰₀"),
    ("1", "¹₁"),
    ("2", "²₂"),
    ("3", "³₃"),
    ("4", "⁴₄"),
    ("5", "⁵₅"),
    ("6", "⁶₆"),
    ("7", "⁷₇"),
    ("8", "⁸₈"),
    ("9", "⁹₉"),
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặẚⱥª"),
    ("ae", "æǣǽ"),
    ("b", "ḃḅḇƀɓƃ"),
    ("c", "çćĉċčḉƈȼɕ"),
    ("d", "ďḋḍḏḑḓðđɖɗƌȡ"),
    ("dz", "ǆǳ"),
    ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệǝəɛɇ"),
    ("f", "ḟƒ"),
    ("ff", "ﬀ"),
    ("ffi", "ﬃ"),
    ("ffl", "ﬄ"),
    ("fi", "ﬁ"),
    ("fl", "ﬂ"),
    ("g", "ĝğġģǧǵḡǥɠɣ"),
    ("h", "ĥȟḣḥḧḩḫħⱨẖ"),
    ("hv", "ƕ"),
    ("i", "ìíîïĩīĭįǐȉȋḭḯỉịıɨɩ"),
    ("ij", "ĳ"),
    ("j", "ĵǰȷɉ"),
    ("k", "ķǩḱḳḵĸƙ"),
    ("l", "ĺļľḷḹḻḽłŀƚȴɫ"),
    ("lj", "ǉ"),
    ("m", "ḿṁṃ"),
    ("n", "ñńņňǹṅṇṉṋŋŉɲƞȵ"),
    ("nj", "ǌ"),
    ("no", "№"),
    ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿɔɵƣº"),
    ("oe", "œ"),
    ("ou", "ȣ"),
    ("p", "ṕṗƥ"),
    ("q", "ɋ"),
    ("r", "ŕŗřȑȓṙṛṝṟɍ"),
    ("s", "śŝşšſșṡṣṥṧṩẛȿƨʃ"),
    ("ss", "ßẞ"),
    ("st", "ﬅﬆ"),
    ("t", "ţťțṫṭṯṱẗŧƫƭʈȶ"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữựʉʊ"),
    ("v", "ṽṿʋ"),
    ("w", "ŵẁẃẅẇẉẘƿ"),
    ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹƴɏȝ"),
    ("z", "źżžẑẓẕƶȥɀʒǯ"),
  ]

  /// Greek, modern and polytonic, by its modern pronunciation.
  private static let greek: [Row] = [
    ("a", "αάἀἁἂἃἄἅἆἇὰᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ"),
    ("ch", "χ"),
    ("d", "δ"),
    ("e", "εϵέἐἑἒἓἔἕὲ"),
    ("f", "φϕ"),
    ("g", "γ"),
    ("i", "ηιΐήίϊἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὴὶᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇῐῑῒ"),
    ("i", "ῖῗ"),
    ("k", "κϰ"),
    ("l", "λ"),
    ("m", "μµ"),
    ("n", "ν"),
    ("o", "οωόώὀὁὂὃὄὅὠὡὢὣὤὥὦὧὸὼᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ"),
    ("p", "πϖ"),
    ("ps", "ψ"),
    ("q", "ϙ"),
    ("r", "ρϱῤῥ"),
    ("s", "σςϲϡ"),
    ("t", "τ"),
    ("th", "θϑ"),
    ("v", "βϐ"),
    ("w", "ϝ"),
    ("x", "ξ"),
    ("y", "υΰϋύὐὑὒὓὔὕὖὗὺῠῡῢῦῧ"),
    ("z", "ζ"),
  ]

  /// Cyrillic: Russian first, then additional letters of other languages.
  private static let cyrillic: [Row] = [
    ("a", "а"),
    ("ae", "ә"),
    ("b", "б"),
    ("c", "ћ"),
    ("ch", "чӵҷ"),
    ("d", "д"),
    ("dj", "ђ"),
    ("dz", "ѕ"),
    ("dzh", "џ"),
    ("e", "еёэѐѣӭ"),
    ("f", "фѳ"),
    ("g", "гґғ"),
    ("gj", "ѓ"),
    ("i", "иіѝӣӥ"),
    ("j", "ј"),
    ("k", "кқҝ"),
    ("kh", "хҳһ"),
    ("kj", "ќ"),
    ("l", "л"),
    ("lj", "љ"),
    ("m", "м"),
    ("n", "нң"),
    ("nj", "њ"),
    ("o", "оөӧ"),
    ("p", "п"),
    ("r", "р"),
    ("s", "с"),
    ("sh", "ш"),
    ("shch", "щ"),
    ("t", "т"),
    ("ts", "ц"),
    ("u", "уўүұӯӱ"),
    ("v", "в"),
    ("y", "йы"),
    ("", "ьъ"),
    ("ya", "я"),
    ("ye", "є"),
    ("yi", "ї"),
    ("yu", "ю"),
    ("z", "зӟ"),
    ("zh", "жӂӝ"),
  ]
}
