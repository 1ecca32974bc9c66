import CXml
import VmxModel

/// Lays out the text of an HTML fragment from the callbacks of libxml2's HTML parser.
final class HTMLLayout {
  /// The maximum number of nested elements. A deeper element ends the text, since libxml2 searches
  /// all open elements at each end tag.
  static let maxDepth = 200

  private let context: htmlParserCtxtPtr
  private var scalars = String.UnicodeScalarView()
  /// The number of elements, including the one around the fragment.
  private var count = 0
  /// The number of open elements, and of open elements within a dropped one.
  private var (depth, skipped) = (0, 0)
  /// The white space to add before the next character.
  private var (breaks, needsSpace) = (0, false)
  private var isItem = false

  private init(_ context: htmlParserCtxtPtr) { self.context = context }

  /// Parses a fragment.
  ///
  /// - Returns: the text, and whether the fragment contained elements. If memory is exhausted, the
  ///   fragment itself.
  static func read(_ html: String) -> (text: String, hasElements: Bool) {
    MarkupLibrary.prepare()
    guard let context = htmlNewParserCtxt(), let handler = context.pointee.sax else {
      return (html, false)
    }
    defer { htmlFreeParserCtxt(context) }
    let layout = HTMLLayout(context)
    handler.pointee = saxHandler()
    context.pointee.userData = Unmanaged.passUnretained(layout).toOpaque()
    let options = [
      HTML_PARSE_RECOVER, HTML_PARSE_NONET, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING,
      HTML_PARSE_NOIMPLIED, HTML_PARSE_IGNORE_ENC,
    ].reduce(0) { $0 | Int32($1.rawValue) }
    withExtendedLifetime(layout) {
      // Text outside of all elements would get an implied paragraph next to each element.
      var html = "<div>" + html
      html.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          let length = Int32(clamping: bytes.count)
          xmlFreeDoc(
            htmlCtxtReadMemory(context, bytes.baseAddress, length, nil, "UTF-8", options))
        }
      }
    }
    return (String(layout.scalars), layout.count > 1)
  }

  private static func saxHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = 1
    handler.startElement = { context, name, _ in
      HTMLLayout.of(context)?.begin(HTMLLayout.name(name))
    }
    handler.endElement = { context, name in HTMLLayout.of(context)?.end(HTMLLayout.name(name)) }
    handler.characters = { context, text, length in
      HTMLLayout.of(context)?.add(UnsafeBufferPointer(start: text, count: Int(length)))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    return handler
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> HTMLLayout? {
    pointer.map { Unmanaged<HTMLLayout>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func name(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  private func begin(_ name: String) {
    count += 1
    depth += 1
    if depth > Self.maxDepth { return xmlStopParser(context) }
    if skipped > 0 || Self.skippedElements.contains(name) { skipped += 1 }
    separate(name)
    if name == "li" { isItem = true }
  }

  private func end(_ name: String) {
    depth -= 1
    if skipped > 0 { skipped -= 1 }
    separate(name)
    if name == "li" { isItem = false }
  }

  /// Schedules the white space before and after an element.
  private func separate(_ name: String) {
    switch name {
    case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "table":
      breaks = 2
    case "br", "div", "li", "tr", "dt", "dd", "hr", "pre", "center", "address", "article",
      "section", "figure", "figcaption", "header", "footer", "aside":
      breaks = max(breaks, 1)
    case "td", "th", "img": needsSpace = true
    default: break
    }
  }

  private func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard skipped == 0, depth <= Self.maxDepth else { return }
    for character in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      // libxml2 decodes references to C1 control characters literally.
      let isControl = (0x80...0x9F).contains(character.value)
      let scalar = isControl ? Windows1252.scalar(UInt8(character.value)) : character
      if Self.isWhitespace(scalar) {
        needsSpace = true
      } else if scalar != "\u{AD}" && scalar != "\u{FEFF}" {
        space()
        scalars.append(scalar)
      }
    }
  }

  /// The properties of a scalar are found by a search, which takes longer than all else here.
  private static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isWhitespace }
    return scalar == " " || (0x09...0x0D).contains(scalar.value)
  }

  private func space() {
    if !scalars.isEmpty {
      if breaks > 0 {
        scalars.append(contentsOf: repeatElement("\n", count: breaks))
      } else if needsSpace {
        scalars.append(" ")
      }
    }
    if isItem { scalars.append(contentsOf: "- ".unicodeScalars) }
    (breaks, needsSpace, isItem) = (0, false, false)
  }

  /// The elements whose text is not content.
  private static let skippedElements: Set<String> = [
    "script", "style", "template", "svg", "math", "noscript", "iframe", "object",
  ]
}
