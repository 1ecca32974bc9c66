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
