import CCurl

/// The codings of a body that libcurl decodes (RFC 9110, section 8.4), and their limits.
///
/// libcurl verifies the trailer of gzip if it is present, but reports a stream that ends before it
/// as complete. The trailer ends with the number of decoded bytes modulo 2^32 (RFC 1952, section
/// 2.3.1). So the last four bytes received distinguish a complete stream from a cut one.
struct CodedBody {
  /// The number of decoded bytes above which their ratio to the received bytes is checked.
  static let ratioThreshold: Int64 = 64 << 20
  /// The number of decoded bytes per received byte that no video reaches.
  static let highestRatio: Int64 = 100

  /// The number of bytes kept of a line with the size of a chunk. libcurl refuses a longer number;
  /// after the number there may be an extension of any length (RFC 9112, section 7.1.1).
  private static let maxSizeLine = 32

  private static let gzip = ["gzip", "x-gzip"]

  private let isGzip: Bool
  private var received: Int64 = 0
  private var decoded: Int64 = 0
  /// The last four bytes of the coded form.
  private var last: ArraySlice<UInt8> = []
  /// The bytes left of the current chunk.
  private var remaining: Int
  private let isChunked: Bool
  private var isLastChunk = false
  /// The beginning of the line with the size of the next chunk, as far as received.
  private var line: [UInt8] = []

  /// Creates the counters for a response; nil if its body has no coding.
  init?(_ head: ResponseHead) {
    guard let coding = head.contentCoding else { return nil }
    isGzip = Self.gzip.contains(coding)
    isChunked = head.isChunked
    remaining = isChunked ? 0 : .max
  }

  /// Whether libcurl knows each of the codings, as `ResponseHead.contentCoding` lists them.
  ///
  /// - Parameter isChecked: whether size or digest will verify the decoded bytes. Only gzip
  ///   verifies itself: a cut or forged stream of another coding may decode without an error.
  static func decodes(_ codings: String, isChecked: Bool) -> Bool {
    guard isChecked || gzip.contains(codings) else { return false }
    let features = curl_version_info(CURLVERSION_FIRST).pointee.features
    return codings.split(separator: ", ").allSatisfy { coding in
      switch coding {
      case "gzip", "x-gzip", "deflate": features & CURL_VERSION_LIBZ != 0
      case "br": features & CURL_VERSION_BROTLI != 0
      case "zstd": features & CURL_VERSION_ZSTD != 0
      default: false
      }
    }
  }

  /// Whether the decoded bytes are too many for the received ones: a bomb.
  var isBomb: Bool { decoded > Self.ratioThreshold && decoded / Self.highestRatio > received }

  /// Whether the stream has reached the end of its coding; nil if the coding has no end mark.
  var isComplete: Bool? {
    guard isGzip else { return nil }
    let size = last.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return last.count == 4 && size == UInt32(truncatingIfNeeded: decoded)
  }

  /// Counts decoded bytes.
  mutating func decode(_ count: Int) { decoded += Int64(count) }

  /// Receives bytes as they arrived on the connection, including the framing of chunks (RFC 9112,
  /// section 7.1).
  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    received += Int64(bytes.count)
    guard isGzip else { return }
    var rest = bytes[...]
    while !rest.isEmpty, !isLastChunk {
      if remaining > 0 {
        let piece = rest.prefix(remaining)
        last = (last + piece.suffix(4)).suffix(4)
        if isChunked { remaining -= piece.count }
        rest = rest.dropFirst(piece.count)
        continue
      }
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line += rest[..<(end ?? rest.endIndex)].prefix(Self.maxSizeLine - line.count)
      guard let end else { return }
      rest = rest[(end + 1)...]
      let digits = line.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: ";") }
      // The line break after the bytes of a chunk appears as an empty line here.
      if !digits.isEmpty {
        remaining = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
        isLastChunk = remaining == 0
      }
      line = []
    }
  }
}
