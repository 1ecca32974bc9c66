package import VmxModel

/// A parsed text that is valid as long as its object, for values that are decoded one at a time. As
/// trees, all of them take several times the memory of the text.
///
///     let document = JSONDocument(bytes)
///     document?.withRoot { root in root.forEachElement { _ in … } }
///
/// Used by one thread at a time.
package final class JSONDocument {
  private let parser: JSONParser
  private let root: JSONTape

  /// Parses a text; nil if it is not JSON or repeats a key. A `\u0000` is accepted.
  ///
  /// The text is released after the call. A uniquely referenced text is not copied if its array has
  /// room for `JSONParser.padding` more bytes.
  package init?(_ text: consuming [UInt8]) {
    let parser = JSONParser()
    let count = text.count
    text.reserveCapacity(count + JSONParser.padding)
    text.append(contentsOf: repeatElement(0, count: JSONParser.padding))
    // The tape has copies of all strings, so it is valid without the text.
    let root = text.withUnsafeBytes { bytes in
      parser.withTape(ofPadded: UnsafeRawBufferPointer(rebasing: bytes[..<count])) { $0 }
    }
    guard let root else { return nil }
    self.parser = parser
    self.root = root
  }

  /// Calls the body with the value of the text, which is valid only during the call.
  package func withRoot<R>(_ body: (JSONTape) throws -> R) rethrows -> R {
    try withExtendedLifetime(self) { try body(root) }
  }
}
