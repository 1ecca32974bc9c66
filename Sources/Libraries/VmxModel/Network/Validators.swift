/// The validators that distinguish two versions of a source or document (RFC 9110, section 8.8).
package struct Validators: Sendable, Equatable {
  /// The `ETag` as received.
  package var etag: String?
  /// The `Last-Modified` as received; dates are compared as text, not as moments.
  package var lastModified: String?
  /// The `Date` of the same response; nil for a document, which is only fetched as a whole.
  package var date: String?

  /// Creates validators; without any, the version is unknown.
  package init(etag: String? = nil, lastModified: String? = nil, date: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.date = date
  }
}
