import Testing
import VmxModel
import VmxTestSupport

struct SlugTests {
  @Test(arguments: [
    ("Girls", "girls"), ("The Meadow: Part 1?", "the-meadow-part-1"),
    ("  --Hello,   World!--  ", "hello-world"), ("Don't Look Up’s", "dont-look-ups"),
    ("Café Ærø ßtraße Þór Łódź", "cafe-aero-sstrasse-thor-lodz"),
    ("Đặng Thị Ngọc Ước mơ", "dang-thi-ngoc-uoc-mo"),
    ("Ηλέκτρα Ούζο Ψυχή Ὀδύσσεια", "ilektra-ouzo-psychi-odysseia"),
    ("Щука и Жёлтый подъезд", "shchuka-i-zheltyy-podezd"),
    ("Їжак Ґанок Європа", "yizhak-ganok-yevropa"),
    ("Љубав Њега Ђурђевдан Џеп", "ljubav-njega-djurdjevdan-dzhep"),
    ("ＦＵＬＬ　Ｗｉｄｔｈ ２", "full-width-2"), ("ﬁnal oﬃce № 5", "final-office-no-5"),
    ("example.org", "example.org"), ("127.0.0.1", "127.0.0.1"), ("S.H.I.E.L.D.", "s.h.i.e.l.d"),
    ("snake_case - x", "snake_case-x"), ("a...b", "a-b"), ("_x.", "x"), ("İstanbul", "istanbul"),
    ("co\u{AD}op\u{200B}s", "coops"), ("x² + y²", "x2-y2"), ("日本 2", "2"),
    ("🚲 Bikes 👩‍👩‍👧 in the city", "bikes-in-the-city"), ("tab\tnew\nline\0nul", "tab-new-line-nul"),
  ])
  func `a title becomes ASCII words`(title: String, slug: String) {
    #expect(Slug(transliterating: title, fallback: "").description == slug)
  }

  // A text of ASCII alone is converted byte by byte.
  @Test func `an ASCII text has the slug that its characters have beside others`() {
    for byte in UInt8(1)..<0x80 {
      let text = "A\(UnicodeScalar(byte))b \(UnicodeScalar(byte))"
      let slug = Slug(transliterating: text, fallback: "").description
      #expect(Slug(transliterating: "ü" + text, fallback: "").description == "u" + slug)
    }
  }

  @Test(arguments: ["ế Й ё ї ά ώ", "Ångström ǭ"])
  func `composed and decomposed letters have one slug`(title: String) {
    let decomposed = title.unicodeScalars.map { Decomposition.of($0) }.joined()
    #expect(decomposed.unicodeScalars.count > title.unicodeScalars.count)
    #expect(
      Slug(transliterating: decomposed, fallback: "")
        == Slug(transliterating: title, fallback: ""))
  }

  @Test func `a title without any known letter is named by its identity key`() {
    let slug = Slug(transliterating: "日本語", fallback: "http://a.example/1").description
    #expect(slug.count == 9)
    #expect(slug.first == "x")
    #expect(slug.dropFirst().allSatisfy { $0.isHexDigit })
    #expect(slug != Slug(transliterating: "日本語", fallback: "http://a.example/2").description)
    #expect(Slug(transliterating: "日本語", fallback: "日本語").description == "x26ca0d32")
    #expect(slug == Slug(transliterating: "…!", fallback: "http://a.example/1").description)
  }

  @Test func `a long title is cut at a word, within a hundred bytes`() {
    let words = Slug(
      transliterating: String(repeating: "word ", count: 40), fallback: ""
    ).description
    #expect(words == String(repeating: "word-", count: 19) + "word")
    let letters = Slug(transliterating: String(repeating: "щ", count: 99), fallback: "").description
    #expect(letters.utf8.count == 100)
  }

  @Test func `a numbered slug stays within the limit`() {
    #expect(Slug(transliterating: "Pilot", fallback: "").numbered(2).description == "pilot-2")
    let long = Slug(transliterating: String(repeating: "x", count: 200), fallback: "")
    #expect(long.numbered(12).description == String(repeating: "x", count: 97) + "-12")
  }

  @Test func `seasons and numbers have at least two digits`() {
    #expect(Slug.episode(season: 1, number: 2).description == "s01e02")
    #expect(Slug.episode(season: 2017, number: 368).description == "s2017e368")
    #expect(Slug.episode(season: 0, number: -3).description == "s00e00")
    #expect(CalendarDay("2024-05-20").map { Slug.day($0).description } == "2024-05-20")
  }

  @Test func `any text yields a valid slug`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<3000 {
      let text = random.text(upTo: 150)
      let slug = Slug(transliterating: text, fallback: text)
      #expect(Slug(valid: slug.description) == slug, "\(text.debugDescription)")
      #expect(Slug(valid: slug.numbered(2).description) != nil)
      #expect(Slug(transliterating: slug.description, fallback: "") == slug)
    }
  }
}

/// Decomposes the few letters that the test above needs.
private enum Decomposition {
  static func of(_ scalar: Unicode.Scalar) -> String {
    let parts: [Unicode.Scalar: String] = [
      "ế": "e\u{302}\u{301}", "Й": "И\u{306}", "ё": "е\u{308}", "ї": "і\u{308}",
      "ά": "α\u{301}", "ώ": "ω\u{301}", "Å": "A\u{30A}", "ö": "o\u{308}", "ǭ": "o\u{328}\u{304}",
    ]
    return parts[scalar] ?? String(Character(scalar))
  }
}
