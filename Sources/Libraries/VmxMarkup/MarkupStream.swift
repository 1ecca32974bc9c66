package import VmxModel

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
  ///   - charset: the encoding declared by the server; nil if unknown.
  ///   - receive: receives the events in order; returns false to stop parsing.
  /// - Returns: whether the document contains an element.
  /// - Throws: `resources-short` if memory is exhausted.
  package static func parse(
    _ bytes: [UInt8], charset: String?, _ receive: (MarkupEvent) -> Bool
  ) throws(Failure) -> Bool {
    let text = MarkupEncoding.decoded(bytes, charset: charset)
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
}
