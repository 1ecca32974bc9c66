import VmxModel

/// Status and fields of one answer.
struct ResponseHead: Sendable, Equatable {
  /// One field: its name in lower case, its value without blanks around it.
  struct Field: Sendable, Equatable {
    let name: String
    var value: String
  }

  /// Such as `1.0`, `1.1` or `2`.
  let version: String
  /// Three digits.
  let status: Int
  /// The fields in the order in which they came; those of the trailer follow.
  var fields: [Field]

  /// The value of a field, several of one name joined by commas (RFC 9110, section 5.3).
  subscript(name: String) -> String? {
    var found: String?
    for field in fields where field.name == name {
      found = found.map { "\($0), \(field.value)" } ?? field.value
    }
    return found
  }

  /// Bytes of this answer's body; nil if not told, or told in two ways that differ.
  var contentLength: Int64? {
    guard let value = self["content-length"] else { return nil }
    let values = Set(value.split { $0 == "," || $0 == " " })
    return values.count == 1 ? values.first.flatMap { Decimal.number($0) } : nil
  }

  /// Whether it tells two lengths, so that nobody can say where the body ends.
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

  /// How a text is encoded, as the media type says; in lower case, without quotes.
  var charset: String? {
    let parameters = self["content-type"]?.split(separator: ";").dropFirst() ?? []
    for parameter in parameters {
      let halves = parameter.lowercased().split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].filter({ $0 != " " }) == "charset" else { continue }
      return halves[1].filter { !" \"'".contains($0) }
    }
    return nil
  }

  /// Whether only the end of the connection says where the body ends, so that nobody can tell a
  /// whole body from a cut one.
  var endsWithConnection: Bool {
    guard version.hasPrefix("1"), contentLength == nil else { return false }
    return !(self["transfer-encoding"]?.lowercased().contains("chunked") ?? false)
  }

  /// Bytes of the whole source, if they are told.
  var total: Int64? {
    guard status == 206 || status == 416 else { return contentCoding == nil ? contentLength : nil }
    return switch self["content-range"].flatMap(ContentRange.init) {
    case .sent(_, _, let total): total
    case .unsatisfied(let total): total
    case nil: nil
    }
  }

  /// What version of the source this answer speaks of.
  var sourceVersion: SourceVersion {
    SourceVersion(
      validators: Validators(
        etag: self["etag"], lastModified: self["last-modified"], date: self["date"]),
      total: total, published: DigestField.published(self),
      contentType: contentType, charset: charset)
  }
}

/// One version of a source, as far as its server tells.
struct SourceVersion: Sendable, Equatable {
  /// What tells it from others.
  var validators = Validators()
  /// Bytes of the whole.
  var total: Int64?
  /// Digest of the whole, as the server publishes it.
  var published: Digest?
  /// Its media type.
  var contentType: String?
  /// How its text is encoded, if that is told.
  var charset: String?

  /// Whether another answer speaks of the same version; lengths and digests count as well.
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
