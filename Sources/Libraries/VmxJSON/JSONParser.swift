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
  package static let deepest = Int(vmx_json_deepest)

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
    guard let tape = tape(copying: bytes, refusingNULs: true) else {
      throw JSONFaultFinder.firstFault(in: bytes)
    }
    return tape.value
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
