/// A subtitle format, detected from the text; the raw value is the usual file extension.
package enum SubtitleFormat: String, Sendable, CaseIterable {
  case srt, vtt, ass, ssa, ttml, sbv, smi, sub
  /// A transcript as JSON or plain text: accepted only if the publisher declares it, because any
  /// error message of a server can look the same.
  case json, txt

  /// The number of leading bytes to inspect.
  private static let front = 64 << 10

  /// Detects the format of UTF-8 text; nil if it is not a subtitle format.
  ///
  /// - Parameter declared: the media type that the publisher declares for the file.
  package init?(of text: some Collection<UInt8>, declared: String? = nil) {
    let front = Array(text.prefix(Self.front))
    let kind = MediaKind.sniff(front)
    let lines = String(decoding: front, as: UTF8.self).split(whereSeparator: \.isNewline)
    if kind == .html || lines.isEmpty { return nil }
    let found = Self.named(lines[0]) ?? (kind == .xml ? Self.markup(lines) : Self.timed(lines))
    switch declared {
    case _ where found != nil: break
    case "application/json" where kind == .json:
      self = .json
      return
    case "text/plain" where kind == nil:
      self = .txt
      return
    default: return nil
    }
    guard let found else { return nil }
    self = found == .ass && Self.isOldScript(lines) ? .ssa : found
  }

  /// Returns the format that the first line names.
  private static func named(_ line: Substring) -> SubtitleFormat? {
    if line == "WEBVTT" || line.hasPrefix("WEBVTT ") || line.hasPrefix("WEBVTT\t") { return .vtt }
    return line.lowercased().hasPrefix("[script info]") ? .ass : nil
  }

  private static func isOldScript(_ lines: [Substring]) -> Bool {
    let type = lines.first { $0.lowercased().hasPrefix("scripttype:") }
    return type.map { !$0.contains("+") } ?? false
  }

  /// Returns the format that the root element determines.
  private static func markup(_ lines: [Substring]) -> SubtitleFormat? {
    let text = lines.joined(separator: " ").lowercased()
    if text.contains("<sami") { return .smi }
    let roots = ["<tt ", "<tt>", ":tt ", ":tt>"]
    return roots.contains(where: text.contains) ? .ttml : nil
  }

  /// Returns the format that the first line with times determines.
  private static func timed(_ lines: [Substring]) -> SubtitleFormat? {
    for line in lines {
      if isTimingLine(line, between: "-->") { return .srt }
      if isTimingLine(line, between: ",") { return .sbv }
      if isFrameLine(line) { return .sub }
    }
    return nil
  }

  /// Whether the line has two times with a mark between them: `00:01:02,500 --> 00:01:04,000`,
  /// possibly with text after them.
  private static func isTimingLine(_ line: Substring, between mark: String) -> Bool {
    guard let range = line.firstRange(of: mark) else { return false }
    let before = line[..<range.lowerBound].filter { $0 != " " && $0 != "\t" }
    let after = line[range.upperBound...].split { $0 == " " || $0 == "\t" }.first
    if mark == "-->" { return isTime(before[...]) && isTime(after ?? "") }
    // With a comma as separator, the times themselves contain a decimal point.
    return !line.contains("-->") && isTime(before[...]) && isTime(after ?? "")
      && before.contains(".")
  }

  /// Whether the line begins with two frame numbers: `{120}{180}Text`.
  private static func isFrameLine(_ line: Substring) -> Bool {
    let pieces = line.split(separator: "}", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3 else { return false }
    return pieces[..<2].allSatisfy { piece in
      piece.first == "{" && piece.count > 1 && piece.dropFirst().allSatisfy(\.isASCIIDigit)
    }
  }

  /// `1:02:03,456`, `02:03.4`, `0:0:0.0`: the hours and leading digits are optional.
  private static func isTime(_ text: Substring) -> Bool {
    let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "," || $0 == "."
    }
    let numbers = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    let isNumber = { (piece: Substring) in
      !piece.isEmpty && piece.count < 10 && piece.allSatisfy(\.isASCIIDigit)
    }
    return (2...3).contains(numbers.count) && numbers.allSatisfy(isNumber)
      && halves.dropFirst().allSatisfy(isNumber)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
