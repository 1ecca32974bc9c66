import VmxModel

/// The characters of a file or folder name, for the parsers of names. Positions are indices into
/// `characters`.
struct NameText {
  /// Characters between the words of a name.
  static let separators: Set<Character> = [" ", ".", "_", "-", "–", "—", ","]

  /// The characters as written.
  let characters: [Character]
  /// The characters in lower case, with `x` for `×`.
  private let lower: [Character]
  /// The kind of each character, since Unicode properties are slow to look up.
  private let kinds: [Kind]

  private enum Kind { case letter, digit, otherNumber, other }

  init(_ text: some StringProtocol) {
    characters = Array(text)
    lower = characters.map { character in
      if character == "×" { return "x" }
      if let byte = character.asciiValue, !(0x41...0x5A).contains(byte) { return character }
      let lower = character.lowercased()
      return lower.count == 1 ? lower.first ?? character : character
    }
    kinds = lower.map { character in
      if let byte = character.asciiValue {
        return byte.isASCIIDigit ? .digit : byte.isASCIIAlphanumeric ? .letter : .other
      }
      return character.isLetter ? .letter : character.isNumber ? .otherNumber : .other
    }
  }

  /// The number of characters.
  var end: Int { characters.count }

  /// Returns the text of a range.
  func text(_ range: Range<Int>) -> String { String(characters[range]) }

  /// Returns the text of a range in lower case.
  func lowercased(_ range: Range<Int>) -> String { String(lower[range]) }

  /// Returns the character at a position, in lower case; nil outside of the name.
  subscript(_ place: Int) -> Character? { lower.indices.contains(place) ? lower[place] : nil }

  /// Whether a letter or digit is at a position.
  func isWord(_ place: Int) -> Bool { kinds.indices.contains(place) && kinds[place] != .other }

  /// Whether an ASCII digit is at a position.
  func digit(_ place: Int) -> Bool { kinds.indices.contains(place) && kinds[place] == .digit }

  /// Whether an upper-case letter is at a position.
  func isUppercase(_ place: Int) -> Bool {
    characters.indices.contains(place) && characters[place].isUppercase
  }

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
    var last = min(max(place, 0), end)
    while last < end, kinds[last] == .letter { last += 1 }
    return String(lower[min(max(place, 0), end)..<last])
  }

  /// Returns the first position, from a given one on, that has no separator.
  func skipSeparators(from place: Int) -> Int {
    var place = place
    while let next = self[place], Self.separators.contains(next) { place += 1 }
    return place
  }

  /// Whether a hyphen between two spaces, underscores or full stops is at a position.
  func isSpacedHyphen(_ place: Int) -> Bool {
    guard let space = self[place], " _.".contains(space), let mark = self[place + 1] else {
      return false
    }
    return "-–—".contains(mark) && self[place + 2] == space
  }

  /// Returns the end of the bracketed group that begins at a position; nil if none does.
  func groupEnd(at place: Int) -> Int? {
    guard let close = self[place].flatMap({ Self.brackets[$0] }) else { return nil }
    return (place..<end).first { self[$0] == close }.map { $0 + 1 }
  }

  /// Returns the position after the groups in square brackets at the beginning, such as `[Group]`
  /// and `[BD][1080p]`; 0 if nothing follows them.
  func endOfLeadingGroups() -> Int {
    var place = 0
    while let mark = self[place], "[【".contains(mark), let end = groupEnd(at: place) {
      place = skipSeparators(from: end)
    }
    return place < end ? place : 0
  }

  /// Whether a year begins at a position, after separators and an opening bracket.
  func isYear(after place: Int) -> Bool {
    var start = skipSeparators(from: place)
    if let mark = self[start], "([".contains(mark) { start += 1 }
    guard let year = number(at: start, digits: 4...4) else { return false }
    return CalendarDay.isYear(year.value) && !isWord(year.end)
  }

  private static let brackets: [Character: Character] = [
    "[": "]", "(": ")", "{": "}", "【": "】",
  ]

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
