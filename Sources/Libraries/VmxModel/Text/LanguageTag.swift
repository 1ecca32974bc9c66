/// Language tags as used in file names and records (BCP 47).
package enum LanguageTag {
  /// Whether a text is a tag, however its letters are spelled.
  ///
  /// Only the form is checked: two or three letters (up to eight for registered languages), then
  /// subtags of one to eight letters and digits, at most 35 bytes in all.
  package static func isTag(_ text: some Collection<UInt8>) -> Bool {
    guard text.count <= 35 else { return false }
    let subtags = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let language = subtags.first, (2...8).contains(language.count) else { return false }
    return language.allSatisfy { PercentCoding.isAlphanumeric($0) && $0 > UInt8(ascii: "9") }
      && subtags.allSatisfy {
        (1...8).contains($0.count) && $0.allSatisfy(PercentCoding.isAlphanumeric)
      }
  }

  /// The tag in its usual spelling: `pt-BR`, `zh-Hans`, `en`; nil if the text is none.
  package static func normalised(_ text: String) -> String? {
    guard isTag(text.utf8) else { return nil }
    let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    var isExtension = false
    return subtags.enumerated().map { index, subtag in
      let lower = String(Substring(subtag)).lowercased()
      // After a singleton (`en-x-ab`) the length of a subtag has no special meaning.
      defer { isExtension = isExtension || subtag.count == 1 }
      guard index > 0, !isExtension else { return lower }
      switch subtag.count {
      case 2: return lower.uppercased()
      case 4: return lower.prefix(1).uppercased() + lower.dropFirst()
      default: return lower
      }
    }.joined(separator: "-")
  }
}
