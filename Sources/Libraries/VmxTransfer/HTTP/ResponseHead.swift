import CCurl
import VmxDigest
import VmxLibrary
import VmxModel

/// The status and fields of one response.
struct ResponseHead: Sendable, Equatable {
  /// One field: its name in lower case, its value without surrounding blanks.
  struct Field: Sendable, Equatable {
    let name: String
    var value: String
  }

  /// The HTTP version, such as `1.0`, `1.1` or `2`.
  let version: String
  /// The status code of three digits.
  let status: Int
  /// The fields in the order of arrival, followed by those of the trailer.
  var fields: [Field]

  /// The value of a field; several fields of one name are joined by commas (RFC 9110, section 5.3).
  subscript(name: String) -> String? {
    var found: String?
    for field in fields where field.name == name {
      found = found.map { "\($0), \(field.value)" } ?? field.value
    }
    return found
  }

  /// The size of this response's body in bytes; nil if missing or contradictory.
  var contentLength: Int64? {
    guard let value = self["content-length"] else { return nil }
    let values = Set(value.split { $0 == "," || $0 == " " })
    return values.count == 1 ? values.first.flatMap { Decimal.number($0) } : nil
  }

  /// The reason for which the end of the body is undefined, as text for a message; nil if it is
  /// defined.
  ///
  /// Contradictory framings may result from an attempt to split responses (RFC 9112, section 6.3).
  var contradiction: String? {
    guard self["content-length"] != nil else { return nil }
    if contentLength == nil { return "conflicting lengths" }
    guard let coding = self["transfer-encoding"], coding.lowercased() != "identity" else {
      return nil
    }
    return "both Transfer-Encoding and Content-Length are sent"
  }

  /// The registered content codings (RFC 9110, section 16.6.1), without identity.
  private static let codings: Set<Substring> = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip",
    "x-compress", "x-gzip", "zstd",
  ]

  /// The words of `Content-Encoding`.
  private var codingWords: [Substring] {
    self["content-encoding"]?.lowercased().split { $0 == "," || $0 == " " }.map { $0 } ?? []
  }

  /// The codings of the body; nil if there are none.
  ///
  /// Words that are no coding count as identity, because no request names them: object stores keep
  /// and repeat `utf-8`, `binary` or `aws-chunked`. The container or the parser checks the bytes.
  var contentCoding: String? {
    let codings = codingWords.filter { Self.codings.contains($0) }
    return codings.isEmpty ? nil : codings.joined(separator: ", ")
  }

  /// The first word of `Content-Encoding` that is no coding, for which libcurl refuses to decode
  /// the body; nil if there is none.
  var unknownCoding: String? {
    codingWords.first { !Self.codings.contains($0) && !["identity", "none"].contains($0) }
      .map(String.init)
  }

  /// The media type in lower case, without parameters.
  var contentType: String? {
    guard let value = self["content-type"] else { return nil }
    let type = value.prefix { $0 != ";" && $0 != "," }.filter { $0 != " " }.lowercased()
    return type.isEmpty ? nil : type
  }

  /// The character encoding of a text from the media type, in lower case, without quotes.
  var charset: String? {
    let parameters = self["content-type"]?.split(separator: ";").dropFirst() ?? []
    for parameter in parameters {
      let halves = parameter.lowercased().split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].filter({ $0 != " " }) == "charset" else { continue }
      return halves[1].filter { !" \"'".contains($0) }
    }
    return nil
  }

  /// Whether a length or the last chunk marks the end of the body.
  ///
  /// Otherwise a cut body may look like a complete one. Its end is then that of the connection or
  /// of an HTTP/2 stream. libcurl does not distinguish END_STREAM from RST_STREAM without an error.
  var hasFramedEnd: Bool {
    contentLength != nil || isChunked
  }

  /// Whether the body is sent in chunks (RFC 9112, section 7.1).
  var isChunked: Bool {
    version.hasPrefix("1")
      && self["transfer-encoding"]?.lowercased().contains("chunked") ?? false
  }

  /// The size of the whole source in bytes, if the response contains it.
  var total: Int64? {
    guard status == 206 || status == 416 else { return contentCoding == nil ? contentLength : nil }
    return switch contentRange {
    case .sent(_, _, let total): total
    case .unsatisfied(let total): total
    case nil: nil
    }
  }

  /// Whether a range response contains all bytes of the source.
  var isRangeOfAll: Bool {
    guard status == 206, case .sent(0, let end, let total?) = contentRange else { return false }
    return end == total
  }

  /// The range that the response says to contain.
  var contentRange: ContentRange? { self["content-range"].flatMap(ContentRange.init) }

  /// The version of the source that this response describes.
  var sourceVersion: SourceVersion {
    SourceVersion(
      validators: Validators(
        etag: self["etag"], lastModified: self["last-modified"], date: self["date"]),
      total: total, published: DigestField.published(self),
      contentType: contentType, charset: charset)
  }
}

// Times.
extension ResponseHead {
  /// The time at the server: `Date`, and the time since then that a cache adds as `Age` (RFC 9111,
  /// section 5.1). Nil without a valid `Date`.
  var serverTime: Timestamp? {
    let age = self["age"].flatMap { Decimal.clamped($0) } ?? 0
    return self["date"].flatMap(Timestamp.init(httpDate:))?
      .adding(milliseconds: age.multipliedClamped(by: 1000))
  }

  /// The milliseconds to wait that the server requests (RFC 9110, section 10.2.3), from 1 to the
  /// cap; nil if the field is missing or contains neither seconds nor a date in the future.
  ///
  /// A date is relative to the `Date` of the same response, because the two clocks may disagree.
  func retryAfter(now: Timestamp, cap: Int64) -> Int64? {
    guard let value = self["retry-after"] else { return nil }
    if let seconds = Decimal.clamped(value) { return Self.wait(ofSeconds: seconds, cap: cap) }
    guard let until = Timestamp(httpDate: value) else { return nil }
    let sent = self["date"].flatMap(Timestamp.init(httpDate:)) ?? now
    let wait = until.milliseconds - sent.milliseconds
    return wait > 0 ? min(cap, wait) : nil
  }

  /// The wait of a number of seconds in milliseconds, up to the cap; nil for 0, which requests no
  /// wait.
  private static func wait(ofSeconds seconds: Int64, cap: Int64) -> Int64? {
    guard seconds > 0 else { return nil }
    return seconds > cap / 1000 ? cap : seconds * 1000
  }
}

extension ResponseHead {
  /// Whether the response states a policy for all requests of the client: a 429 with the fields of
  /// the RateLimit draft (draft-ietf-httpapi-ratelimit-headers) or of its earlier versions.
  var namesRateLimit: Bool {
    guard status == 429 else { return false }
    return ["ratelimit", "ratelimit-policy", "ratelimit-limit", "ratelimit-reset"].contains {
      self[$0] != nil
    }
  }

  /// The milliseconds until the quota of a RateLimit policy is restored, from 1 to the cap; nil if
  /// the response states none: `"default";r=0;t=50`, or `limit=10, remaining=0, reset=50`.
  func rateLimitReset(cap: Int64) -> Int64? {
    guard namesRateLimit else { return nil }
    let words = (self["ratelimit"] ?? "").split { ";, ".contains($0) }
    let named = words.compactMap { word -> Int64? in
      let halves = word.split(separator: "=")
      guard halves.count == 2, ["t", "reset"].contains(halves[0].lowercased()) else { return nil }
      return Decimal.clamped(halves[1])
    }
    let seconds = named.max() ?? self["ratelimit-reset"].flatMap { Decimal.clamped($0) }
    return seconds.flatMap { Self.wait(ofSeconds: $0, cap: cap) }
  }
}

extension Timestamp {
  /// Parses an HTTP date (RFC 9110, section 5.6.7) with libcurl; nil for any other text.
  init?(httpDate text: String) {
    // libcurl returns -1 for a failure, and one second later for the second before 1970.
    let seconds = curl_getdate(text, nil)
    guard seconds != -1 else { return nil }
    self.init(seconds: Int64(seconds))
  }
}

/// A `Content-Range` field of the unit bytes (RFC 9110, section 14.4).
enum ContentRange: Equatable, Sendable {
  /// `bytes N-M/T`: the first byte sent, the offset after the last one, and the size of the whole
  /// if given.
  case sent(start: Int64, end: Int64, total: Int64?)
  /// `bytes */T`: the requested range is not satisfiable.
  case unsatisfied(total: Int64)

  /// Parses a field value; nil for any other unit or form and for contradictory numbers.
  init?(_ value: String) {
    let words = value.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let total = Decimal.number(halves[1])
    if halves[0] == "*" {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Decimal.number(bounds[0]),
      let last = Decimal.number(bounds[1]), first <= last, last < Int64.max,
      total != nil || halves[1] == "*"
    else { return nil }
    if let total, last >= total { return nil }
    self = .sent(start: first, end: last + 1, total: total)
  }
}

/// Decimal numbers in header fields.
enum Decimal {
  /// Parses a number of digits only; nil for any other text and beyond `Int64`.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// Parses a number of digits only; the largest number for one beyond `Int64`.
  static func clamped(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text) ?? .max
  }
}

/// The reliable classes of `Content-Type` values.
///
/// Many servers send a wrong type, mostly by default. `application/octet-stream` and `text/plain`
/// stand for any unknown file, and one container format is named as another. So only classes that
/// servers never confuse are compared, and only with a declared type. In all other cases the bytes
/// themselves decide.
enum MediaType: Equatable {
  /// Audio or video.
  case stream
  /// A still image.
  case picture
  /// Text for people or programs.
  case text

  /// Classifies a type, with or without parameters; nil for types without a reliable class.
  init?(_ type: String) {
    let plain = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    switch plain.prefix(while: { $0 != "/" }) {
    case "video", "audio": self = .stream
    case "image": self = .picture
    case "text" where plain != "text/plain": self = .text
    case "application" where Self.isText(plain.dropFirst(12)): self = .text
    default: return nil
    }
  }

  /// Whether a type is that of a web page, as sent by a captive portal or a login page.
  static func isPage(_ type: String) -> Bool {
    ["text/html", "application/xhtml+xml"].contains(type)
  }

  /// Whether both types have a reliable class and these classes differ.
  static func contradict(declared: String?, found: String?) -> Bool {
    guard let declared = declared.flatMap(MediaType.init), let found = found.flatMap(MediaType.init)
    else { return false }
    return declared != found
  }

  private static func isText(_ subtype: Substring) -> Bool {
    ["json", "xml", "javascript"].contains(subtype) || subtype.hasSuffix("+json")
      || subtype.hasSuffix("+xml")
  }
}

/// The digest of the whole that a server publishes in its headers.
///
/// Only SHA-256 and SHA-512 count: the other functions of the registry are deprecated (RFC 9530,
/// section 5). SHA-256 is preferred, since it is computed in any case.
enum DigestField {
  /// The published digest of the whole; nil if there is none. It is read from:
  ///
  /// - `Repr-Digest` (RFC 9530: a dictionary of byte sequences between colons);
  /// - `Content-Digest`, if the content is the whole and has no coding;
  /// - the older `Digest` (RFC 3230: a list of base 64).
  static func published(_ head: ResponseHead) -> Digest? {
    guard head.contentCoding == nil else { return nil }
    var values = [head["repr-digest"], head["digest"]]
    if head.status == 200 || head.isRangeOfAll { values.insert(head["content-digest"], at: 1) }
    return digest(in: values.compactMap { $0 })
  }

  /// Finds the preferred digest in several fields.
  static func digest(in values: [String]) -> Digest? {
    for algorithm in DigestAlgorithm.allCases {
      for value in values {
        if let digest = digest(algorithm, in: value) { return digest }
      }
    }
    return nil
  }

  /// Finds a digest in a field of either form; skips unreadable members and those of other
  /// functions.
  static func digest(_ algorithm: DigestAlgorithm, in value: String) -> Digest? {
    for member in value.split(separator: ",") {
      let pair = member.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == algorithm.rawValue else {
        continue
      }
      // Parameters after a semicolon have no meaning here.
      let text = pair[1].prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
      let inner =
        text.hasPrefix(":") && text.hasSuffix(":") && text.count > 1
        ? text.dropFirst().dropLast() : text[...]
      if let digest = Digest(algorithm, base64: inner) { return digest }
    }
    return nil
  }
}
