/// The possible encodings of external text, by their iconv names.
package enum TextEncoding {
  /// The fallback, which accepts any western European text.
  private static let fallback = "windows-1252"

  /// Returns the encoding and the length in bytes of a byte order mark; nil without one.
  package static func marked(_ bytes: some Collection<UInt8>) -> (name: String, mark: Int)? {
    // The UTF-32 mark begins with the UTF-16 mark.
    let marks: [(bytes: [UInt8], name: String)] = [
      ([0xEF, 0xBB, 0xBF], "utf-8"), ([0xFF, 0xFE, 0, 0], "utf-32le"),
      ([0, 0, 0xFE, 0xFF], "utf-32be"), ([0xFF, 0xFE], "utf-16le"), ([0xFE, 0xFF], "utf-16be"),
    ]
    return marks.first { bytes.starts(with: $0.bytes) }.map { ($0.name, $0.bytes.count) }
  }

  /// Returns the candidate encodings of a text that is not UTF-8, the most likely first.
  ///
  /// - Parameters:
  ///   - charset: the charset that the server declared; unknown names are ignored.
  ///   - language: the language of the text as a BCP 47 tag.
  package static func guesses(charset: String?, language: String?) -> [String] {
    let primary = language?.split(separator: "-").first.map { $0.lowercased() }
    let isTraditional = language.map { ["zh-TW", "zh-HK", "zh-Hant"].contains($0) } ?? false
    let byLanguage = isTraditional ? "big5" : primary.flatMap { languages[$0] }
    var names: [String] = []
    for name in [charset.flatMap { iconvName($0.lowercased()) }, byLanguage, fallback] {
      if let name, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Returns the iconv name of a declared charset in lower case; declared Latin-1 means its
  /// superset.
  package static func iconvName(_ charset: String) -> String? {
    switch charset {
    case "iso-8859-1", "latin1", "us-ascii", "cp1252": fallback
    case "gb2312", "gbk", "gb18030": "gb18030"
    case "shift_jis", "shift-jis", "sjis", "windows-31j": "shift_jis"
    case "utf-16le", "utf-16be", "utf-16", "big5", "euc-jp", "euc-kr", "koi8-r", "koi8-u": charset
    case _ where isNumbered(charset, prefix: "windows-125", in: 0...8): charset
    case _ where isNumbered(charset, prefix: "iso-8859-", in: 2...16): charset
    default: nil
    }
  }

  private static func isNumbered(
    _ charset: String, prefix: String, in numbers: ClosedRange<Int>
  ) -> Bool {
    guard charset.hasPrefix(prefix), let number = Int(charset.dropFirst(prefix.count)) else {
      return false
    }
    return numbers.contains(number)
  }

  private static let languages: [String: String] = [
    "cs": "windows-1250", "pl": "windows-1250", "hu": "windows-1250", "sk": "windows-1250",
    "sl": "windows-1250", "hr": "windows-1250", "ro": "windows-1250", "ru": "windows-1251",
    "uk": "windows-1251", "bg": "windows-1251", "sr": "windows-1251", "el": "windows-1253",
    "tr": "windows-1254", "he": "windows-1255", "ar": "windows-1256", "zh": "gb18030",
    "ja": "shift_jis", "ko": "euc-kr",
  ]
}

/// Language tags as used in file names and records (BCP 47).
package enum LanguageTag {
  /// Whether a text is a tag, in any case of its letters.
  ///
  /// Only the form is checked: two or three letters (up to eight for registered languages), then
  /// subtags of one to eight letters and digits, at most 35 bytes in all.
  package static func isTag(_ text: some Collection<UInt8>) -> Bool {
    guard text.count <= 35 else { return false }
    let subtags = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let language = subtags.first, (2...8).contains(language.count) else { return false }
    return language.allSatisfy { $0.isASCIIAlphanumeric && $0 > UInt8(ascii: "9") }
      && subtags.allSatisfy {
        (1...8).contains($0.count) && $0.allSatisfy { $0.isASCIIAlphanumeric }
      }
  }

  /// Returns the tag in its usual spelling: `pt-BR`, `zh-Hans`, `en`; nil if the text is not a tag.
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
