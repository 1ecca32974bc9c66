import CXml
import VmxModel

// Titles and summaries of feeds and catalogues are untrusted HTML. Many are encoded twice, and many
// are plain text that contains a `<` or an `&`. libxml2's HTML parser accepts all of them; it never
// fails and loads no external resources.

/// Converts the HTML of titles and summaries to plain text.
///
///     HTMLText.plainText("<p>Tom &amp;amp; Ann</p><p>Two</p>")  // "Tom & Ann\n\nTwo"
///     HTMLText.line("Part 1<br/>The&nbsp;End")               // "Part 1 The End"
package enum HTMLText {
  /// The maximum number of bytes that are parsed, 256 KiB; the rest is ignored.
  package static let maxBytes = 256 << 10

  /// Converts HTML to text: paragraphs are separated by an empty line, other blocks and `<br>` by a
  /// newline, list items begin with `- `. White space collapses, scripts and styles are dropped.
  ///
  /// A text that was encoded twice is decoded twice. The second pass removes elements only if the
  /// first one found none.
  package static func plainText(_ html: String) -> String {
    let once = HTMLLayout.read(readable(html))
    guard isEncoded(once.text, withTags: !once.hasElements) else { return once.text }
    let rest = once.hasElements ? once.text.replacing("<", with: "&lt;") : once.text
    return HTMLLayout.read(once.hasElements ? brokenLines(rest) : rest).text
  }

  /// Converts HTML to one line of text, for titles.
  package static func line(_ html: String) -> String {
    plainText(html).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the text up to the limit, without control characters and without the delimiters of
  /// CDATA sections, which HTML lacks.
  private static func readable(_ html: String) -> String {
    var text = html
    if html.utf8.count > maxBytes {
      // Truncation at the limit may split a character, which becomes U+FFFD.
      text = String(decoding: html.utf8.prefix(maxBytes), as: UTF8.self)
      if text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
    }
    if text.contains("<![CDATA[") {
      text = text.replacing("<![CDATA[", with: "").replacing("]]>", with: "")
    }
    let isClean = text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }
    if !isClean {
      text.unicodeScalars.removeAll { $0.value < 0x20 && !$0.properties.isWhitespace }
    }
    return text
  }

  /// Preserves line breaks of a text that is decoded a second time.
  private static func brokenLines(_ text: String) -> String {
    text.replacing("\n\n", with: "<p>").replacing("\n", with: "<br>")
  }

  /// Returns whether a text still contains character references, or HTML tags if `withTags`.
  private static func isEncoded(_ text: String, withTags: Bool) -> Bool {
    let bytes = Array(text.utf8)
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "&") where CharacterReference(bytes[index...]) != nil: return true
      case UInt8(ascii: "<") where withTags && isTag(bytes[(index + 1)...]): return true
      default: break
      }
    }
    return false
  }

  private static func isTag(_ text: ArraySlice<UInt8>) -> Bool {
    let rest = text.first == UInt8(ascii: "/") ? text.dropFirst() : text
    let name = rest.prefix(12).prefix { $0.isASCIIAlphanumeric }
    guard !name.isEmpty, name.endIndex < rest.endIndex,
      [UInt8(ascii: ">"), UInt8(ascii: "/"), 0x20, 0x0A].contains(rest[name.endIndex]),
      rest[name.endIndex...].prefix(4096).contains(UInt8(ascii: ">"))
    else { return false }
    return htmlTagLookup(name.map { $0 | 0x20 } + [0]) != nil
  }
}
