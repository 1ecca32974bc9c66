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
  subscript(_ position: Int) -> Character? {
    lower.indices.contains(position) ? lower[position] : nil
  }

  /// Whether a letter or digit is at a position.
  func isWord(_ position: Int) -> Bool {
    kinds.indices.contains(position) && kinds[position] != .other
  }

  /// Whether an ASCII digit is at a position.
  func digit(_ position: Int) -> Bool {
    kinds.indices.contains(position) && kinds[position] == .digit
  }

  /// Whether an upper-case letter is at a position.
  func isUppercase(_ position: Int) -> Bool {
    characters.indices.contains(position) && characters[position].isUppercase
  }

  /// Whether the word before a position has ended there.
  func isBoundary(_ position: Int) -> Bool { !isWord(position - 1) || !isWord(position) }

  /// Returns the whole number at a position, all of its ASCII digits; nil if it has another length
  /// or exceeds `Int64`.
  func number(at position: Int, digits: ClosedRange<Int> = 1...19) -> (value: Int64, end: Int)? {
    var end = position
    var value: Int64 = 0
    while let digit = self[end].flatMap(Self.digit) {
      let (product, isOver) = value.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(digit)
      guard !isOver, !isBeyond else { return nil }
      value = sum
      end += 1
    }
    return digits.contains(end - position) ? (value, end) : nil
  }

  /// Returns the letters that begin at a position, in lower case; empty if there are none.
  func letters(at position: Int) -> String {
    var last = min(max(position, 0), end)
    while last < end, kinds[last] == .letter { last += 1 }
    return String(lower[min(max(position, 0), end)..<last])
  }

  /// Returns the first position, from a given one on, that has no separator.
  func skipSeparators(from position: Int) -> Int {
    var position = position
    while let next = self[position], Self.separators.contains(next) { position += 1 }
    return position
  }

  /// Whether a hyphen between two spaces, underscores or full stops is at a position.
  func isSpacedHyphen(_ position: Int) -> Bool {
    guard let space = self[position], " _.".contains(space), let mark = self[position + 1] else {
      return false
    }
    return "-–—".contains(mark) && self[position + 2] == space
  }

  /// Returns the end of the bracketed group that begins at a position; nil if none does.
  func groupEnd(at position: Int) -> Int? {
    guard let close = self[position].flatMap({ Self.brackets[$0] }) else { return nil }
    return (position..<end).first { self[$0] == close }.map { $0 + 1 }
  }

  /// Returns the position after the groups in square brackets at the beginning, such as `[Group]`
  /// and `[BD][1080p]`; 0 if nothing follows them.
  func endOfLeadingGroups() -> Int {
    var position = 0
    while let mark = self[position], "[【".contains(mark), let end = groupEnd(at: position) {
      position = skipSeparators(from: end)
    }
    return position < end ? position : 0
  }

  /// Whether a year begins at a position, after separators and an opening bracket.
  func isYear(after position: Int) -> Bool {
    var start = skipSeparators(from: position)
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
    var position = 0
    for wanted in folded {
      while let next = self[position], !isWord(position), next != wanted { position += 1 }
      guard self[position] == wanted else { return nil }
      position += 1
    }
    return position > 0 && isBoundary(position) ? position : nil
  }

  /// Returns the letters and digits of a name in lower case, to compare titles.
  static func folded(_ text: some StringProtocol) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  private static func digit(_ character: Character) -> Int64? {
    character.isASCII ? character.wholeNumberValue.map { Int64($0) } : nil
  }
}
