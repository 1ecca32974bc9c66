import CXml
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
    MarkupLibrary.prepare()
    var handler = MarkupParser.saxHandler()
    guard let context = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else {
      throw Failure(.resourcesShort, "there is no memory for an XML document")
    }
    defer { xmlFreeParserCtxt(context) }
    let options = [
      XML_PARSE_RECOVER, XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING,
      XML_PARSE_IGNORE_ENC,
    ].reduce(0) { $0 | Int32($1.rawValue) }
    _ = xmlCtxtUseOptions(context, options)
    let text = MarkupEncoding.decoded(bytes, charset: charset)
    return withoutActuallyEscaping(receive) { receive in
      var shouldContinue = true
      let session = MarkupSession(context) { event in
        if shouldContinue { shouldContinue = receive(event) }
      }
      context.pointee.userData = Unmanaged.passUnretained(session).toOpaque()
      text.withUnsafeBufferPointer { text in
        var markup = LenientMarkup(text) { piece in
          piece.withMemoryRebound(to: CChar.self) { piece in
            _ = xmlParseChunk(context, piece.baseAddress, Int32(piece.count), 0)
          }
          return shouldContinue && session.end == nil
        }
        markup.run()
      }
      _ = xmlParseChunk(context, nil, 0, 1)
      freeDocument(context)
      return session.hasBegun
    }
  }

  private static func freeDocument(_ context: xmlParserCtxtPtr) {
    guard let document = context.pointee.myDoc else { return }
    context.pointee.myDoc = nil
    xmlFreeDoc(document)
  }
}
