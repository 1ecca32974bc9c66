import CSimdjson
import Glibc
package import VmxModel

/// A strict parser of JSON (RFC 8259). It rejects duplicate keys in an object at any depth, NULs, a
/// byte order mark, trailing data, nesting above 512, and integers beyond 64 bits.
///
/// It reuses its memory for the next text and belongs to one thread at a time.
package final class JSONParser {
  /// The number of readable bytes that must follow a text given to `tape(ofPadded:)`.
  package static let padding = Int(vmx_json_padding)
  /// The maximum nesting depth.
  package static let maxDepth = Int(vmx_json_deepest)

  /// Created on first use: most look-ups in the store do not need it.
  private var handle: OpaquePointer?
  private var padded: [UInt8] = []

  /// Creates a parser that allocates memory on first use.
  package init() {}

  deinit { vmx_json_parser_free(handle) }

  /// Parses one value.
  ///
  /// - Throws: the first error, with its offset in bytes.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> JSONValue {
    if let tape = tape(copying: bytes, refusingNULs: true) { return tape.value }
    throw JSONSyntaxError(in: Array(bytes))
  }

  /// Parses one value.
  ///
  /// - Throws: the first error, with its offset in bytes.
  package func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONSyntaxError) in try parse(bytes) }
    }.get()
  }

  /// Parses one value.
  ///
  /// - Throws: the first error, with its offset in bytes of UTF-8.
  package func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try parse(Array(text.utf8))
  }

  /// Parses one value and returns it if it is an object; nil also if the bytes are not JSON.
  package func object(in bytes: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) { return try parse(bytes).object } catch { return nil }
  }

  /// Parses a text that is followed by `padding` readable bytes, and passes its tape to the body.
  ///
  /// - Parameter body: receives the tape, which is valid only during the call and until the parser
  ///   parses another text.
  /// - Returns: the value that the body returns; nil if the text is not JSON or repeats a key. A
  ///   `\u0000` is accepted.
  package func withTape<R>(
    ofPadded bytes: UnsafeRawBufferPointer, _ body: (JSONTape) -> R?
  ) -> R? {
    // The tape belongs to the parser, which must outlive the call of the body.
    withExtendedLifetime(self) { tape(bytes, refusingNULs: false).flatMap(body) }
  }

  /// Parses any text, by copying it, and passes its tape to the body.
  package func withTape<R>(
    copying bytes: UnsafeRawBufferPointer, _ body: (JSONTape) -> R?
  ) -> R? {
    withExtendedLifetime(self) { tape(copying: bytes, refusingNULs: false).flatMap(body) }
  }

  private func tape(copying bytes: UnsafeRawBufferPointer, refusingNULs: Bool) -> JSONTape? {
    if padded.count < bytes.count + Self.padding {
      padded = [UInt8](repeating: 0, count: (bytes.count + Self.padding) * 3 / 2)
    }
    return padded.withUnsafeMutableBytes { copy in
      copy.copyMemory(from: bytes)
      let text = UnsafeRawBufferPointer(copy)[..<bytes.count]
      return tape(UnsafeRawBufferPointer(rebasing: text), refusingNULs: refusingNULs)
    }
  }

  private func tape(_ bytes: UnsafeRawBufferPointer, refusingNULs: Bool) -> JSONTape? {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
    if handle == nil { handle = vmx_json_parser_new() }
    guard let handle else { fatalError("no memory for a JSON parser") }
    var tape = vmx_json_tape()
    let result = vmx_json_parse(
      handle, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count),
      refusingNULs ? 1 : 0, &tape)
    guard result == Int32(VMX_JSON_OK), let words = tape.words,
      let strings = tape.strings
    else { return nil }
    return JSONTape(words: words, strings: strings, index: 1)
  }
}

/// The position and reason of the first error in a JSON text.
package struct JSONSyntaxError: Error, Equatable {
  /// The number of bytes before the first invalid one, or before the value that it belongs to.
  package let offset: Int
  /// The error, in lower case, without a full stop.
  package let reason: String

  /// Creates an error at an offset in bytes.
  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// Finds the first error of a text that the parser rejected.
  fileprivate init(in text: [UInt8]) {
    var found: UInt64 = 0
    let fault = Int(vmx_json_fault(text, UInt64(text.count), &found))
    let offset = Int(found)
    switch fault {
    case _ where text.starts(with: [0xEF, 0xBB, 0xBF]):
      self.init(offset: 0, reason: "a byte order mark")
    case VMX_JSON_UTF8: self.init(offset: Self.lengthOfUTF8(text), reason: "not UTF-8")
    case VMX_JSON_CONTROL where text[offset] == 0: self.init(offset: offset, reason: "a NUL")
    case VMX_JSON_DUPLICATE:
      let key = text[offset...].dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      let name = String(decoding: key, as: UTF8.self)
      self.init(offset: offset, reason: "duplicate key '\(name)'")
    default: self.init(offset: offset, reason: Self.reasons[fault] ?? "not JSON")
    }
  }

  private static let reasons = [
    VMX_JSON_END: "unexpected end of the text",
    VMX_JSON_SYNTAX: "expected a key, a value, ',', ':' or a bracket",
    VMX_JSON_NUL: "a NUL",
    VMX_JSON_NUMBER: "a number that is malformed or out of range",
    VMX_JSON_ESCAPE: "an invalid escape",
    VMX_JSON_VALUE: "expected a value",
    VMX_JSON_CONTROL: "a control character in a string",
    VMX_JSON_DEPTH: "nested more than \(JSONParser.maxDepth) levels deep",
    VMX_JSON_TRAILING: "trailing data after the value",
  ]

  /// Returns the number of bytes before the first that is not UTF-8.
  private static func lengthOfUTF8(_ text: [UInt8]) -> Int {
    var decoder = UTF8()
    var rest = text.makeIterator()
    var length = 0
    while case .scalarValue(let scalar) = decoder.decode(&rest) { length += UTF8.width(scalar) }
    return length
  }
}
