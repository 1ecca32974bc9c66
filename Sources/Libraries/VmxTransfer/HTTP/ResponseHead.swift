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

/// One version of a source, as described by its server.
struct SourceVersion: Sendable, Equatable {
  /// The validators that distinguish it from other versions.
  var validators = Validators()
  /// The size of the whole in bytes.
  var total: Int64?
  /// The published digest of the whole.
  var published: Digest?
  /// The media type.
  var contentType: String?
  /// The character encoding of a text, if given.
  var charset: String?

  /// Whether another response describes the same version; sizes and digests are compared as well.
  func agreement(with other: SourceVersion) -> Validators.Agreement {
    if let total, let theirs = other.total, total != theirs { return .different }
    if let published, let theirs = other.published, published.algorithm == theirs.algorithm,
      published != theirs
    {
      return .different
    }
    return validators.agreement(with: other.validators)
  }
}
