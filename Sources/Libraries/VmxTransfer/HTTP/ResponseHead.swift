import CCurl
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

  /// Whether it has contradictory lengths, so that the end of the body is undefined.
  var contradictsItself: Bool {
    self["content-length"] != nil && contentLength == nil
  }

  /// The codings of the body other than identity; nil if there are none.
  var contentCoding: String? {
    guard let value = self["content-encoding"] else { return nil }
    let codings = value.lowercased().split { $0 == "," || $0 == " " }.filter { $0 != "identity" }
    return codings.isEmpty ? nil : codings.joined(separator: ", ")
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

  /// Whether only the end of the connection marks the end of the body. A whole body then looks like
  /// a cut one.
  var endsWithConnection: Bool {
    guard version.hasPrefix("1"), contentLength == nil else { return false }
    return !(self["transfer-encoding"]?.lowercased().contains("chunked") ?? false)
  }

  /// The size of the whole source in bytes, if the response contains it.
  var total: Int64? {
    guard status == 206 || status == 416 else { return contentCoding == nil ? contentLength : nil }
    return switch self["content-range"].flatMap(ContentRange.init) {
    case .sent(_, _, let total): total
    case .unsatisfied(let total): total
    case nil: nil
    }
  }

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
  /// The milliseconds to wait that the server requests (RFC 9110, section 10.2.3), from 0 to the
  /// cap; nil if the field is missing or contains neither seconds nor a date.
  ///
  /// A date is relative to the `Date` of the same response, because the two clocks may disagree.
  func retryAfter(now: Timestamp, cap: Int64) -> Int64? {
    guard let value = self["retry-after"] else { return nil }
    if let seconds = Decimal.number(value) {
      return min(cap, seconds > cap / 1000 ? cap : seconds * 1000)
    }
    guard let until = Timestamp(httpDate: value) else { return nil }
    let sent = self["date"].flatMap(Timestamp.init(httpDate:)) ?? now
    return min(cap, max(0, until.milliseconds - sent.milliseconds))
  }
}

extension Timestamp {
  /// Parses a date of HTTP (RFC 9110, section 5.6.7) by libcurl; nil for any other text.
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
}
