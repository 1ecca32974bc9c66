/// The letters with a transliteration to a-z and 0-9, grouped by their result.
///
/// The rows contain lower-case letters only, with one result per letter whatever the language: an
/// id must not depend on a guess. The tables follow the usual romanisations where Unicode does not
/// decompose a letter into an ASCII letter and marks.
enum TransliterationTable {
  typealias Row = (ascii: String, letters: String)

  /// The transliteration of each letter. A composed letter and its decomposed form are one key,
  /// because characters compare by canonical equivalence.
  static let ascii: [Character: String] = {
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
