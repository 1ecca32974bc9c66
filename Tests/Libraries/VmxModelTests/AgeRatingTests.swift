import Testing
import VmxModel

struct AgeRatingTests {
  @Test(
    arguments: [
      ("G", 0), ("PG", 10), ("PG-13", 13), ("Rated R for language", 17), ("NC-17", 18),
      ("TV-Y", 0), ("TV-Y7", 7), ("TV-Y7-FV", 7), ("tv-pg", 10), ("TV-14", 14), ("US:TV-MA", 17),
      ("FSK 12", 12), ("FSK-16", 16), ("fsk0", 0), ("de:18", 18), ("Germany:FSK 6", 6),
      ("ab 6", 6), ("PEGI 16", 16), ("USK-12", 12),
      ("U", 0), ("12A", 12), ("BBFC 15", 15), ("UK:R18", 18), ("MA15+", 15), ("M", 15),
      ("0", 0), ("12+", 12), ("  16 ", 16), ("21", 21), ("explicit", 18), ("adult", 18),
      ("US:PG-13 / DE:16", 16), ("US:R / US:Rated R", 17),
    ])
  func `a rating of each system has an age`(text: String, age: Int64) {
    #expect(AgeRating(text)?.age == age)
  }

  @Test(
    arguments: [
      "Not Rated", "unrated", "NR", "?", "22", "99", "120", "12 monkeys", "FSK", "PG13 or so",
      "A", "+", "/", "US:R / someone's own", "clean", "nonadult", "１２", "1e1", ":", "us:",
    ])
  func `a text that belongs to no system has no age`(text: String) {
    #expect(AgeRating(text)?.age == nil)
  }

  @Test func `the text is kept, as one line of limited length`() {
    #expect(AgeRating(" FSK\n\t12 ")?.text == "FSK 12")
    #expect(AgeRating(" \n ") == nil)
    #expect(AgeRating(String(repeating: "ä", count: 1000))?.text.utf8.count == 60)
  }
}

struct ParentalRuleTests {
  private func rule(_ limit: Int64, _ unrated: ParentalRule.Unrated = .hide) -> ParentalRule {
    ParentalRule(limit: limit, unrated: unrated, isUnlocked: false)
  }

  @Test func `the limit itself is allowed, a year more is not`() {
    #expect(rule(12).allows(AgeRating("12"), ofShow: nil))
    #expect(!rule(12).allows(AgeRating("13"), ofShow: nil))
    #expect(rule(0).allows(AgeRating("G"), ofShow: nil))
  }

  @Test func `the rating of an episode overrides that of its show`() {
    #expect(rule(12).allows(AgeRating("6"), ofShow: AgeRating("18")))
    #expect(!rule(12).allows(AgeRating("18"), ofShow: AgeRating("6")))
    #expect(!rule(12).allows(nil, ofShow: AgeRating("18")))
    #expect(rule(12).allows(nil, ofShow: AgeRating("6")))
  }

  @Test func `an unrated episode is hidden unless it is to be shown`() {
    #expect(!rule(18).allows(nil, ofShow: nil))
    #expect(!rule(18).allows(AgeRating("Not Rated"), ofShow: AgeRating("6")))
    #expect(rule(0, .show).allows(nil, ofShow: nil))
    #expect(rule(0, .show).allows(AgeRating("Not Rated"), ofShow: nil))
    #expect(!rule(0, .show).allows(AgeRating("6"), ofShow: nil))
  }

  @Test func `everything is allowed when unlocked`() {
    let rule = ParentalRule(limit: 0, unrated: .hide, isUnlocked: true)
    #expect(rule.allows(AgeRating("18"), ofShow: nil))
    #expect(rule.allows(nil, ofShow: nil))
    #expect(!ParentalRule.strictest.allows(nil, ofShow: nil))
  }
}
