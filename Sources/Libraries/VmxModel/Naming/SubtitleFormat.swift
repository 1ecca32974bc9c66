/// A format of subtitles, as their text tells; the raw value is the usual ending of such files.
package enum SubtitleFormat: String, Sendable, CaseIterable {
  case srt, vtt, ass, ssa, ttml, sbv, smi, sub
  /// A transcript as JSON or as plain text: only where its publisher says that it is one, since
  /// any message of a server may look so.
  case json, txt

  /// Bytes of the front that are looked at.
  private static let front = 64 << 10

  /// The format of a text in UTF-8; nil for one that is none.
  ///
  /// - Parameter declared: the media type that the publisher gives the file.
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

  /// What the first line says.
  private static func named(_ line: Substring) -> SubtitleFormat? {
    if line == "WEBVTT" || line.hasPrefix("WEBVTT ") || line.hasPrefix("WEBVTT\t") { return .vtt }
    return line.lowercased().hasPrefix("[script info]") ? .ass : nil
  }

  private static func isOldScript(_ lines: [Substring]) -> Bool {
    let type = lines.first { $0.lowercased().hasPrefix("scripttype:") }
    return type.map { !$0.contains("+") } ?? false
  }

  /// What the root element says.
  private static func markup(_ lines: [Substring]) -> SubtitleFormat? {
    let text = lines.joined(separator: " ").lowercased()
    if text.contains("<sami") { return .smi }
    let roots = ["<tt ", "<tt>", ":tt ", ":tt>"]
    return roots.contains(where: text.contains) ? .ttml : nil
  }

  /// What the first line with times says.
  private static func timed(_ lines: [Substring]) -> SubtitleFormat? {
    for line in lines {
      if CueTimes.isLine(line, between: "-->") { return .srt }
      if CueTimes.isLine(line, between: ",") { return .sbv }
      if CueTimes.isFrameLine(line) { return .sub }
    }
    return nil
  }
}

/// The lines of subtitles that say when a text is shown, in all the ways in which they are written.
enum CueTimes {
  /// Two times with a mark between them: `00:01:02,500 --> 00:01:04,000`, and what may follow.
  static func isLine(_ line: Substring, between mark: String) -> Bool {
    guard let range = line.firstRange(of: mark) else { return false }
    let before = line[..<range.lowerBound].filter { $0 != " " && $0 != "\t" }
    let after = line[range.upperBound...].split { $0 == " " || $0 == "\t" }.first
    if mark == "-->" { return isTime(before[...]) && isTime(after ?? "") }
    // With a comma between them, the times themselves have a point.
    return !line.contains("-->") && isTime(before[...]) && isTime(after ?? "")
      && before.contains(".")
  }

  /// Two numbers of frames: `{120}{180}Text`.
  static func isFrameLine(_ line: Substring) -> Bool {
    let pieces = line.split(separator: "}", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3 else { return false }
    return pieces[..<2].allSatisfy { piece in
      piece.first == "{" && piece.count > 1 && piece.dropFirst().allSatisfy(\.isASCIIDigit)
    }
  }

  /// `1:02:03,456`, `02:03.4`, `0:0:0.0`: hours may be missing, and so may digits.
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
