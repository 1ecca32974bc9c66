import CXml
import VmxModel

/// An element of a document with the data of its start tag.
package struct MarkupElement: Equatable {
  /// The name without its prefix.
  package var name: String
  /// The prefix of the name; empty for none.
  package var prefix = ""
  /// The URI of the namespace; empty for none.
  package var namespace = ""
  /// The attribute values by attribute name without prefix. The attributes of vmx's own namespace
  /// (`SubscriptionList.namespace`) have the prefix `vmx:`.
  package var attributes: [String: String] = [:]
  /// The line of its start tag; 0 in a document that is parsed in pieces, whose comments are left
  /// out.
  package var line = 0
}

/// An event while parsing a document.
package enum MarkupEvent: Equatable {
  /// The start of an element.
  case begin(MarkupElement)
  /// A piece of text. One text may be reported in several pieces.
  case text(String)
  /// The end of the innermost element.
  case end
}

/// The only parser of untrusted XML: libxml2's SAX interface, configured so that a hostile document
/// costs time and memory only in proportion to its length.
///
/// It never opens a file or a connection, and expands no entity that a document declares
/// (`MarkupText`). It nests at most 256 elements (libxml2's limit) and continues after syntax
/// errors.
///
///     var position = 0
///     let text = MarkupText.prepared(bytes)
///     let document = try MarkupParser.parse(text, from: &position) { event in … }
enum MarkupParser {
  /// The well-formedness of a parsed document.
  enum Form: Equatable {
    case wellFormed
    /// The parser recovered from errors, or the root element has no end tag.
    case damaged
    /// There is no element.
    case empty
  }

  /// Parses the document at a position of the prepared text, up to the end of its root element.
  ///
  /// - Parameter position: the start. It is set to the position after the root element, or to the
  ///   end of the text if the element has no end tag.
  /// - Throws: `resources-short` if memory is exhausted.
  static func parse(
    _ text: [UInt8], from position: inout Int, _ receive: (MarkupEvent) -> Void
  ) throws(Failure) -> Form {
    MarkupLibrary.prepare()
    guard let context = xmlNewParserCtxt(), let handler = context.pointee.sax else {
      throw Failure(.resourcesShort, "there is no memory for an XML document")
    }
    defer { xmlFreeParserCtxt(context) }
    handler.pointee = saxHandler()
    let start = position
    return withoutActuallyEscaping(receive) { receive in
      let session = MarkupSession(context, countsLines: true, receive)
      context.pointee.userData = Unmanaged.passUnretained(session).toOpaque()
      text.withUnsafeBytes { bytes in
        let front = bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
        let length = Int32(clamping: bytes.count - start)
        xmlFreeDoc(xmlCtxtReadMemory(context, front, length, nil, nil, options))
      }
      position = session.end.map { min(start + max(0, $0), text.count) } ?? text.count
      return session.form
    }
  }

  /// Parses a document that arrives in pieces, up to the end of its root element.
  ///
  /// - Parameter pieces: passes the pieces of the prepared text to its argument in order, until
  ///   that returns false at the end of the root element.
  /// - Throws: `resources-short` if memory is exhausted, the errors of the closure.
  static func parse(
    _ receive: (MarkupEvent) -> Void,
    pieces: ((UnsafeBufferPointer<UInt8>) -> Bool) throws(Failure) -> Void
  ) throws(Failure) -> Form {
    MarkupLibrary.prepare()
    var handler = saxHandler()
    guard let context = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else {
      throw Failure(.resourcesShort, "there is no memory for an XML document")
    }
    defer {
      xmlFreeDoc(context.pointee.myDoc)
      context.pointee.myDoc = nil
      xmlFreeParserCtxt(context)
    }
    _ = xmlCtxtUseOptions(context, options)
    // withoutActuallyEscaping does not support typed throws, so the error leaves it in a Result.
    let form = withoutActuallyEscaping(receive) { receive in
      let session = MarkupSession(context, countsLines: false, receive)
      context.pointee.userData = Unmanaged.passUnretained(session).toOpaque()
      return Result { () throws(Failure) in
        try pieces { piece in
          piece.withMemoryRebound(to: CChar.self) { piece in
            _ = xmlParseChunk(context, piece.baseAddress, Int32(clamping: piece.count), 0)
          }
          return session.end == nil
        }
        _ = xmlParseChunk(context, nil, 0, 1)
        return session.form
      }
    }
    return try form.get()
  }

  private static let options = [
    XML_PARSE_RECOVER, XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING,
    XML_PARSE_IGNORE_ENC,
  ].reduce(0) { $0 | Int32($1.rawValue) }

  /// Returns the handlers for elements and text. Declarations have no handler and thus no effect.
  static func saxHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startElementNs = { context, name, prefix, uri, _, _, count, _, attributes in
      let values = (0..<Int(count)).map { MarkupSession.attribute(attributes, at: $0) }
      MarkupSession.of(context)?.begin(
        MarkupElement(
          name: MarkupSession.text(name), prefix: MarkupSession.text(prefix),
          namespace: MarkupSession.text(uri),
          attributes: Dictionary(values) { first, _ in first }))
    }
    handler.endElementNs = { context, _, _, _ in MarkupSession.of(context)?.finish() }
    handler.characters = { context, text, length in
      MarkupSession.of(context)?.add(text, length)
    }
    handler.cdataBlock = handler.characters
    handler.ignorableWhitespace = handler.characters
    return handler
  }
}

/// The state of one parser run for the C callbacks.
final class MarkupSession {
  private let context: xmlParserCtxtPtr
  private let countsLines: Bool
  private let receive: (MarkupEvent) -> Void
  private var depth = 0
  private var hasBegun = false
  /// The number of bytes up to the end of the root element.
  private(set) var end: Int?
  private var isWellFormed = false
  /// The well-formedness of the document so far.
  var form: MarkupParser.Form {
    guard hasBegun else { return .empty }
    return isWellFormed ? .wellFormed : .damaged
  }

  init(
    _ context: xmlParserCtxtPtr, countsLines: Bool, _ receive: @escaping (MarkupEvent) -> Void
  ) {
    self.context = context
    self.countsLines = countsLines
    self.receive = receive
  }

  static func of(_ pointer: UnsafeMutableRawPointer?) -> MarkupSession? {
    pointer.map { Unmanaged<MarkupSession>.fromOpaque($0).takeUnretainedValue() }
  }

  func begin(_ element: MarkupElement) {
    guard end == nil else { return }
    hasBegun = true
    depth += 1
    var element = element
    if countsLines, let input = context.pointee.input { element.line = Int(input.pointee.line) }
    receive(.begin(element))
  }

  func add(_ text: UnsafePointer<xmlChar>?, _ length: Int32) {
    guard end == nil, depth > 0 else { return }
    let bytes = UnsafeBufferPointer(start: text, count: Int(length))
    receive(.text(String(decoding: bytes, as: UTF8.self)))
  }

  func finish() {
    guard end == nil, depth > 0 else { return }
    depth -= 1
    receive(.end)
    guard depth == 0 else { return }
    end = Int(xmlByteConsumed(context))
    isWellFormed = context.pointee.wellFormed == 1
    xmlStopParser(context)
  }

  static func text(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  /// Returns name and value of an attribute, which is five pointers: name, prefix, URI, and the
  /// bounds of the value.
  static func attribute(
    _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, at index: Int
  ) -> (String, String) {
    guard let list, let start = list[index * 5 + 3], let end = list[index * 5 + 4] else {
      return (text(list?[index * 5]), "")
    }
    var rest = UnsafeBufferPointer(start: start, count: end - start)[...]
    var value: [UInt8] = []
    // Without entity substitution, libxml2 passes each ampersand of a value as `&#38;`.
    while let byte = rest.first {
      value.append(byte)
      let isReference = byte == UInt8(ascii: "&") && rest.starts(with: "&#38;".utf8)
      rest = rest.dropFirst(isReference ? 5 : 1)
    }
    let isOwn = text(list[index * 5 + 2]) == SubscriptionList.namespace
    let name = (isOwn ? SubscriptionList.prefix : "") + text(list[index * 5])
    return (name, String(decoding: value, as: UTF8.self))
  }
}
