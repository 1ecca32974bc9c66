package import VmxModel

/// One version of a source, as described by its server.
package struct SourceVersion: Sendable, Equatable {
  /// The validators that distinguish it from other versions.
  package var validators = Validators()
  /// The size of the complete file in bytes.
  package var total: Int64?
  /// The published digest of the complete file.
  package var published: Digest?
  /// The media type.
  package var contentType: String?
  /// The character encoding of a text, if given.
  package var charset: String?

  /// Creates a version; without arguments it is unknown.
  package init(
    validators: Validators = Validators(), total: Int64? = nil, published: Digest? = nil,
    contentType: String? = nil, charset: String? = nil
  ) {
    self.validators = validators
    self.total = total
    self.published = published
    self.contentType = contentType
    self.charset = charset
  }
}

/// The validators that distinguish two versions of a source (RFC 9110, section 8.8).
package struct Validators: Sendable, Equatable {
  /// The `ETag` as received.
  package var etag: String?
  /// The `Last-Modified` as received; dates are compared as text, not as moments.
  package var lastModified: String?
  /// The `Date` of the same response.
  package var date: String?

  /// Creates validators; without any, the version is unknown.
  package init(etag: String? = nil, lastModified: String? = nil, date: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }
}
