package import VmxModel

/// Escapes text from outside before it reaches a terminal.
///
/// A title or a file name may contain escape sequences, line breaks or bidirectional overrides.
/// These could rewrite the screen or imitate other output, so they are shown as visible escapes.
package enum TerminalText {
  /// Replaces control characters (C0, DEL, C1), line separators and bidirectional embeddings,
  /// overrides and isolates by `\n`, `\t`, `\r`, `\x1b` or `\u202e`.
  package static func escaped(_ text: String) -> String {
    guard mayNeedEscaping(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if let escape = escape(for: scalar) {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the escape of a character that must not reach a terminal; nil for all others.
  static func escape(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x09: #"\t"#
    case 0x0A: #"\n"#
    case 0x0D: #"\r"#
    case 0..<0x20, 0x7F: #"\x"# + Hex.text(of: [UInt8(scalar.value)])
    case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069:
      #"\u"# + Hex.text(of: [UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)])
    default: nil
    }
  }

  // Nearly all texts need no escapes; one pass over the bytes detects that without an allocation.
  // C2 is the lead byte of the C1 controls, E2 that of the separators and bidirectional controls.
  private static func mayNeedEscaping(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
  }
}

/// Measures the width of a text in terminal cells (UAX #11, and the usual width of emoji).
package enum DisplayWidth {
  /// Returns the width of a text in cells; control characters must be escaped first.
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Cuts a text to at most `width` cells, ending with `…` if anything was cut.
  package static func truncated(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let more = of(character)
      if used + more > width - 1 { break }
      result.append(character)
      used += more
    }
    return result + "…"
  }

  /// Shortens a text to at most `width` cells, with `…` in place of its middle.
  package static func shortened(_ text: String, to width: Int) -> String {
    guard of(text) > width, width > 2 else { return truncated(text, to: width) }
    var tail = ""
    var used = 0
    for character in text.reversed() {
      let more = of(character)
      if used + more > (width - 1) / 2 { break }
      tail.insert(character, at: tail.startIndex)
      used += more
    }
    return truncated(text, to: width - used) + tail
  }

  /// Pads a text with blanks on the right, or on the left, to a width in cells.
  package static func padded(_ text: String, to width: Int, rightAligned: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - of(text)))
    return rightAligned ? blanks + text : text + blanks
  }

  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    let isEmoji =
      first.properties.isEmojiPresentation
      || (first.properties.isEmoji && scalars.contains { $0.value == 0xFE0F })
    if isEmoji { return 2 }
    return scalars.reduce(0) { $0 + of($1) }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
    // The vowels and finals of Hangul share the cell of their initial consonant.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return wide.contains { $0.contains(value) }
  }

  // The blocks of East Asian Wide and Fullwidth characters; emoji are recognized by their property.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}

/// Formats times and durations for the user; records use `Timestamp.text`.
package enum TimeText {
  /// Formats a duration in its two largest units: `9s`, `1m32s`, `2h05m`, `3d04h`.
  package static func duration(milliseconds: Int64) -> String {
    let seconds = max(0, (milliseconds + 500) / 1000)
    let minutes = seconds / 60
    let hours = minutes / 60
    if seconds < 60 { return "\(seconds)s" }
    if minutes < 60 { return "\(minutes)m\(padded(seconds % 60))s" }
    if hours < 24 { return "\(hours)h\(padded(minutes % 60))m" }
    return "\(hours / 24)d\(padded(hours % 24))h"
  }

  /// Formats a time for the user: in local time for a terminal, otherwise as in records.
  ///
  /// - Parameter zone: the time zone of the user; nil for RFC 3339 in UTC.
  package static func absolute(_ moment: Timestamp, in zone: (any LocalZone)?) -> String {
    zone?.text(of: moment) ?? moment.text
  }

  /// Replaces the times of a message in RFC 3339 form and UTC by local times.
  ///
  /// Text in quotes, such as a path or a title, is not changed, and no time within a longer word.
  ///
  /// - Parameter zone: the time zone of the user; nil for the text as it is.
  package static func localised(_ text: String, in zone: (any LocalZone)?) -> String {
    guard let zone, text.utf8.contains(UInt8(ascii: "Z")) else { return text }
    var shown = ""
    var word = ""
    var isQuoted = false
    func flush() {
      shown += word.utf8.count == recordedTime ? Timestamp(word).map(zone.text) ?? word : word
      word = ""
    }
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      if index > 0 {
        shown.append("'")
        // An apostrophe between letters is no quote.
        isQuoted = isQuoted ? isLetter(piece.first) : !isLetter(pieces[index - 1].last)
      }
      guard !isQuoted else {
        shown += piece
        continue
      }
      for character in piece {
        guard " ,;()\n".contains(character) else {
          word.append(character)
          continue
        }
        flush()
        shown.append(character)
      }
      flush()
    }
    return shown
  }

  private static func isLetter(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber } ?? false
  }

  /// The length of `Timestamp.text` in bytes.
  private static let recordedTime = 24

  /// Formats a time relative to now: `in 5m00s`, `12s ago`; the date if it is 30 days or more away.
  package static func relative(
    _ moment: Timestamp, to now: Timestamp, in zone: any LocalZone = SystemZone()
  ) -> String {
    let distance = moment.milliseconds - now.milliseconds
    if abs(distance) >= month { return zone.day(of: moment) }
    let amount = duration(milliseconds: abs(distance))
    return distance > 0 ? "in \(amount)" : "\(amount) ago"
  }

  private static let month: Int64 = 30 * 86_400_000

  private static func padded(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
