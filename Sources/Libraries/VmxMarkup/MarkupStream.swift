package import VmxModel
import VmxSystem

/// A lenient parser for large untrusted XML documents, as tolerant as feed readers are.
///
/// The text is repaired and parsed in pieces (`LenientMarkup`), so memory use does not grow with
/// the document. It opens no file or connection, and ignores all declarations.
///
/// ```swift
/// let hasRoot = try MarkupStream.parse(bytes, charset: "utf-8") { event in
///   reader.receive(event)
///   return !reader.isDone
/// }
/// ```
package enum MarkupStream {
  /// Parses a document up to the end of its root element.
  ///
  /// - Parameters:
  ///   - charset: the encoding declared by the server, in lower case.
  ///   - receive: receives the events in order; returns false to stop parsing.
  /// - Returns: whether the document contains an element.
  /// - Throws: `resources-short` if memory is exhausted.
  package static func parse(
    _ bytes: [UInt8], charset: String?, _ receive: (MarkupEvent) -> Bool
  ) throws(Failure) -> Bool {
    let text = decoded(bytes, charset)
    var shouldContinue = true
    let form = try MarkupParser.parse { event in
      if shouldContinue { shouldContinue = receive(event) }
    } pieces: { feed in
      withoutActuallyEscaping(feed) { feed in
        text.withUnsafeBufferPointer { text in
          var markup = LenientMarkup(text) { feed($0) && shouldContinue }
          markup.run()
        }
      }
    }
    return form != .empty
  }

  /// Returns the document without its byte order mark, as UTF-8 that may contain malformed bytes.
  ///
  /// The byte order mark has precedence, then the encodings declared by server and document (RFC
  /// 7303). Valid UTF-8 is read as UTF-8, regardless of declarations.
  private static func decoded(_ bytes: [UInt8], _ charset: String?) -> [UInt8] {
    let marked = TextEncoding.marked(bytes)
    let wide = [[0x3C, 0]: "utf-16le", [0, 0x3C]: "utf-16be"][Array(bytes.prefix(2))]
    let rest = bytes[(marked?.mark ?? 0)...]
    if let name = marked?.name ?? wide, name != "utf-8" {
      let whole = rest.prefix(rest.count - rest.count % (name.hasPrefix("utf-32") ? 4 : 2))
      return convertedToUTF8(whole, from: name) ?? Array(rest)
    }
    let named = [charset, MarkupText.declaration(rest)].compactMap { $0?.lowercased() }
    for name in named.compactMap(TextEncoding.known)
    where !name.hasPrefix("utf-") && name != "windows-1252" {
      guard !isUTF8(rest) else { break }
      if let text = convertedToUTF8(rest, from: name) { return text }
    }
    return marked == nil ? bytes : Array(rest)
  }

  private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}
