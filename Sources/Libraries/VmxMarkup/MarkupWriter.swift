import CXml
import VmxModel

/// Initialises libxml2, once per process and before the first call from any thread.
///
/// Without it, libxml2 initialises its tables on first use and without a lock: a second thread read
/// an entry of the encoding table before it was set.
enum MarkupLibrary {
  private static let isReady: Void = xmlInitParser()

  /// Returns once libxml2 is ready for calls from any thread.
  static func prepare() { isReady }
}

/// A writer of a small XML document in memory, through libxml2's xmlTextWriter.
struct MarkupWriter: ~Copyable {
  private let buffer: xmlBufferPtr
  private let writer: xmlTextWriterPtr

  /// Creates an empty document in UTF-8, indented by two spaces.
  ///
  /// - Throws: `resources-short` if memory is exhausted.
  init() throws(Failure) {
    MarkupLibrary.prepare()
    guard let buffer = xmlBufferCreate() else { throw Self.outOfMemory }
    guard let writer = xmlNewTextWriterMemory(buffer, 0) else {
      xmlBufferFree(buffer)
      throw Self.outOfMemory
    }
    self.buffer = buffer
    self.writer = writer
  }

  /// Begins the document.
  func start() throws(Failure) {
    try Self.check(xmlTextWriterSetIndent(writer, 1))
    try Self.check(xmlTextWriterSetIndentString(writer, Self.bytes("  ")))
    try Self.check(xmlTextWriterStartDocument(writer, nil, "UTF-8", "yes"))
  }

  deinit {
    xmlFreeTextWriter(writer)
    xmlBufferFree(buffer)
  }

  /// Begins an element with its attributes; following content is nested in it.
  func begin(_ name: String, _ attributes: [(name: String, value: String)] = []) throws(Failure) {
    try Self.check(xmlTextWriterStartElement(writer, Self.bytes(name)))
    for (name, value) in attributes {
      try Self.check(
        xmlTextWriterWriteAttribute(writer, Self.bytes(name), Self.bytes(Self.allowed(value))))
    }
  }

  /// Ends the innermost open element.
  func end() throws(Failure) {
    try Self.check(xmlTextWriterEndElement(writer))
  }

  /// Writes an element with a text; nothing if the text is nil.
  func element(
    _ name: String, _ text: String?, attributes: [(name: String, value: String)] = []
  ) throws(Failure) {
    guard let text = text.map(Self.allowed), !text.isEmpty else { return }
    try begin(name, attributes)
    try self.text(text)
    try end()
  }

  /// Writes a text into the innermost open element.
  func text(_ text: String) throws(Failure) {
    try Self.check(xmlTextWriterWriteString(writer, Self.bytes(Self.allowed(text))))
  }

  /// Ends the document with a newline and returns its bytes.
  func finish() throws(Failure) -> [UInt8] {
    try Self.check(xmlTextWriterEndDocument(writer))
    try Self.check(xmlTextWriterFlush(writer))
    guard let start = xmlBufferContent(buffer) else { throw Self.outOfMemory }
    return Array(UnsafeBufferPointer(start: start, count: Int(xmlBufferLength(buffer))))
  }

  /// Removes characters that XML cannot represent, not even escaped (XML 1.0, section 2.2).
  private static func allowed(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: kept.append(scalar)
      default: break
      }
    }
    return String(kept)
  }

  private static func bytes(_ text: String) -> [xmlChar] { Array(text.utf8) + [0] }

  private static func check(_ count: Int32) throws(Failure) {
    if count < 0 { throw outOfMemory }
  }

  private static var outOfMemory: Failure {
    Failure(.resourcesShort, "there is no memory for an XML document")
  }
}
