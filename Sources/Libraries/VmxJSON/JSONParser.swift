import CSimdjson
import Glibc
package import VmxModel

/// Reads JSON (RFC 8259) strictly: no key twice in an object at any depth, no NUL, no byte order
/// mark, nothing after the value, nesting of 512 at most, whole numbers within 64 bits.
///
/// It keeps its memory from one text to the next and belongs to one thread at a time.
package final class JSONParser {
  /// Readable bytes that must follow a text given to `tape(ofPadded:)`.
  package static let padding = Int(vmx_json_padding)
  /// Containers within containers that are still read.
  package static let deepest = Int(vmx_json_deepest)

  /// Made when it is first needed: most look-ups in the store get by without.
  private var handle: OpaquePointer?
  private var padded: [UInt8] = []

  /// A parser that holds no memory until it is used.
  package init() {}

  deinit { vmx_json_parser_free(handle) }

  /// Reads one value.
  ///
  /// - Throws: the first fault, with its offset in bytes.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> JSONValue {
    guard let tape = tape(copying: bytes, refusingNULs: true) else {
      throw JSONFaultFinder.firstFault(in: bytes)
    }
    return tape.value
  }

  /// Reads one value.
  ///
  /// - Throws: the first fault, with its offset in bytes.
  package func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONSyntaxError) in try parse(bytes) }
    }.get()
  }

  /// Reads one value.
  ///
  /// - Throws: the first fault, with its offset in bytes of UTF-8.
  package func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try parse(Array(text.utf8))
  }

  /// Looks at the tape of a text that is followed by `padding` readable bytes.
  ///
  /// - Parameter body: gets the tape, which is valid only while it runs and while it parses
  ///   nothing else.
  /// - Returns: what the body returns; nil if the text is not JSON or names a key twice. A
  ///   `\u0000` is let through.
  package func withTape<R>(
    ofPadded bytes: UnsafeRawBufferPointer, _ body: (JSONTape) -> R?
  ) -> R? {
    // The tape is ours: we must not go away before the body is done with it.
    withExtendedLifetime(self) { tape(bytes, refusingNULs: false).flatMap(body) }
  }

  /// The same for any text, by way of a copy.
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
