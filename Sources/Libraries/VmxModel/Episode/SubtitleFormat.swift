/// A subtitle format, detected from the bytes; the raw value is the usual file extension.
package enum SubtitleFormat: String, Sendable, CaseIterable {
  /// `sub` is the text of MicroDVD, or the pictures of VobSub.
  case srt, vtt, ass, ssa, ttml, sbv, smi, sub
  /// The index of VobSub, the pictures of Blu-ray (PGS), and Matroska with subtitle tracks.
  case idx, sup, mks
  /// A transcript as JSON or plain text: accepted only if the publisher declares it, because any
  /// error message of a server can look the same.
  case json, txt

  /// The number of leading bytes to inspect.
  private static let prefixLength = 64 << 10

  /// The extensions of subtitle files in lower case. Those of transcripts have other meanings too.
  package static let fileExtensions = Set(
    allCases.filter { $0 != .json && $0 != .txt }.map(\.rawValue) + ["sami", "dfxp"])

  /// Returns the format that a file extension names, in any case and without its dot; nil for none.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "sami": self = .smi
    case "dfxp": self = .ttml
    case let ending: self.init(rawValue: ending)
    }
  }

  /// Detects a format that is stored as it is; nil for text.
  ///
  /// - Parameter file: the file, or at least its first 64 KiB.
  package init?(ofBinary file: some Collection<UInt8>) {
    let front = Array(file.prefix(Self.prefixLength))
    switch MediaKind.sniff(front) {
    case .matroska where Self.hasOnlySubtitleTracks(front): self = .mks
    case .mpegPS where Self.hasPicturesFirst(front): self = .sub
    case nil where front.starts(with: "# VobSub index file".utf8): self = .idx
    case nil where Self.isPictureSegment(front): self = .sup
    default: return nil
    }
  }

  /// Whether all track entries of a Matroska file have codec ids (0x86) of subtitles:
  /// `S_TEXT/UTF8`.
  private static func hasOnlySubtitleTracks(_ bytes: [UInt8]) -> Bool {
    let kinds = bytes.indices.dropLast(4).compactMap { index -> UInt8? in
      guard bytes[index] == 0x86, bytes[index + 1] & 0x80 != 0,
        bytes[index + 3] == UInt8(ascii: "_")
      else { return nil }
      return bytes[index + 2]
    }
    return kinds.contains(UInt8(ascii: "S")) && !kinds.contains(UInt8(ascii: "V"))
      && !kinds.contains(UInt8(ascii: "A"))
  }

  /// Whether the first packet after the header of an MPEG-2 pack is of private stream 1, which
  /// holds the pictures of VobSub. A video begins with a system header or a video packet.
  private static func hasPicturesFirst(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 13, bytes[4] & 0xC0 == 0x40 else { return false }
    return bytes.dropFirst(14 + Int(bytes[13] & 7)).starts(with: [0, 0, 1, 0xBD])
  }

  /// Whether the bytes begin with a segment of PGS: `PG`, two times of 4 bytes, a type, a length.
  private static func isPictureSegment(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 13 && bytes.starts(with: "PG".utf8)
      && [0x14, 0x15, 0x16, 0x17, 0x80].contains(bytes[10])
  }

  /// Detects the format of UTF-8 text; nil if it is not a subtitle format.
  ///
  /// - Parameter declared: the media type that the publisher declares for the file.
  package init?(of text: some Collection<UInt8>, declared: String? = nil) {
    let front = Array(text.prefix(Self.prefixLength))
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
