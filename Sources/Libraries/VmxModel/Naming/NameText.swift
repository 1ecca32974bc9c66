/// The characters of a file or folder name, for the parsers of names. Positions are indices into
/// `characters`.
struct NameText {
  /// Characters between the words of a name.
  static let separators: Set<Character> = [" ", ".", "_", "-", "–", "—", ","]

  /// The characters as written.
  let characters: [Character]
  private let lower: [Character]

  init(_ text: some StringProtocol) {
    characters = Array(text)
    lower = characters.map { character in
      let lower = character.lowercased()
      return lower.count == 1 ? lower.first ?? character : character
    }
  }

  /// The number of characters.
  var end: Int { characters.count }

  /// Returns the text of a range.
  func text(_ range: Range<Int>) -> String { String(characters[range]) }

  /// Returns the character at a position, in lower case; nil outside of the name.
  subscript(_ place: Int) -> Character? { lower.indices.contains(place) ? lower[place] : nil }

  /// Whether a letter or digit is at a position.
  func isWord(_ place: Int) -> Bool { self[place].map { $0.isLetter || $0.isNumber } ?? false }

  /// Whether the word before a position has ended there.
  func isBoundary(_ place: Int) -> Bool { !isWord(place - 1) || !isWord(place) }

  /// Returns the whole number at a position, all of its ASCII digits; nil if it has another length
  /// or exceeds `Int64`.
  func number(at place: Int, digits: ClosedRange<Int> = 1...19) -> (value: Int64, end: Int)? {
    var end = place
    var value: Int64 = 0
    while let digit = self[end].flatMap(Self.digit) {
      let (product, isOver) = value.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(digit)
      guard !isOver, !isBeyond else { return nil }
      value = sum
      end += 1
    }
    return digits.contains(end - place) ? (value, end) : nil
  }

  /// Returns the letters that begin at a position, in lower case; empty if there are none.
  func letters(at place: Int) -> String {
    String(lower[min(place, end)...].prefix { $0.isLetter })
  }

  /// Returns the first position, from a given one on, that has no separator.
  func skipSeparators(from place: Int) -> Int {
    var place = place
    while let next = self[place], Self.separators.contains(next) { place += 1 }
    return place
  }

  /// Whether a hyphen between two spaces or underscores is at a position.
  func isSpacedHyphen(_ place: Int) -> Bool {
    guard let space = self[place], " _".contains(space), let mark = self[place + 1] else {
      return false
    }
    return "-–—".contains(mark) && self[place + 2] == space
  }

  /// Returns the position after a text with the same letters and digits, whatever separators the
  /// name has; nil if the name does not begin with it.
  func end(of folded: String) -> Int? {
    var place = 0
    for wanted in folded {
      while let next = self[place], !isWord(place), next != wanted { place += 1 }
      guard self[place] == wanted else { return nil }
      place += 1
    }
    return place > 0 && isBoundary(place) ? place : nil
  }

  /// Returns the letters and digits of a name in lower case, to compare titles.
  static func folded(_ text: some StringProtocol) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  private static func digit(_ character: Character) -> Int64? {
    character.isASCII ? character.wholeNumberValue.map { Int64($0) } : nil
  }
}
