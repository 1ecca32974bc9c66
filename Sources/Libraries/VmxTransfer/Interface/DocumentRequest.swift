package import VmxModel

/// A request for one small document: a feed, a list of digests, a licence.
package struct DocumentRequest: Sendable {
  /// The URL of the document, with its credentials and the reach of its addresses.
  package var source: TransferSource
  /// The maximum size of the document, decoded.
  package var limit: ByteCount
  /// The validators of the version that the caller has; that version is not sent again. Only for a
  /// GET.
  package var validators: Validators?
  /// The method and the body.
  package var content = RequestContent()

  /// Creates a GET.
  package init(_ source: TransferSource, limit: ByteCount, validators: Validators? = nil) {
    self.source = source
    self.limit = limit
    self.validators = validators
  }
}

/// A document that a server has sent.
package struct FetchedDocument: Sendable, Equatable {
  /// The decoded bytes.
  package let bytes: [UInt8]
  /// The URL after all redirects, which relative references in the document refer to. It may
  /// contain tokens: messages show it only redacted.
  package let finalURL: String
  /// The validators for the next request of the document.
  package let validators: Validators
  /// The media type in lower case, without parameters.
  package let contentType: String?
  /// The character encoding of a text, in lower case.
  package let charset: String?
}
