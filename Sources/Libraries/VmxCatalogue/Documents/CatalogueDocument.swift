package import VmxModel

/// A document received from a server: a feed, a catalogue response, an image.
///
/// ```swift
/// let limit = ByteCount(clamping: 1 << 26)
/// let request = CatalogueRequest("https://example.org/feed.xml", limit: limit)
/// let document = try fetch(request)
/// if document.isUnchanged { return }
/// ```
package struct CatalogueDocument: Sendable, Equatable {
  /// The bytes, without any content coding; empty if the document is unchanged.
  package var bytes: [UInt8]
  /// Whether the server still has the version of the request's validators.
  package var isUnchanged = false
  /// The URL after all redirects, the base of relative references in the document. It may contain
  /// tokens, so messages show it only redacted.
  package var finalURL: String
  /// The new URL of the document; nil unless the first redirect was permanent (301 or 308).
  package var movedTo: String?
  /// The validators for the next request.
  package var validators = DocumentValidators()
  /// The character encoding declared by the server, in lower case.
  package var charset: String?
  /// Whether it came from a loopback or private address, so that its URLs may lead there too.
  package var isFromPrivate = false

  /// Creates a document without validators.
  package init(bytes: [UInt8], finalURL: String) {
    self.bytes = bytes
    self.finalURL = finalURL
  }
}

/// The validators of one version of a document (RFC 9110, section 8.8), as received.
package struct DocumentValidators: Sendable, Equatable {
  /// The `ETag`.
  package var etag: String?
  /// The `Last-Modified`.
  package var lastModified: String?

  /// Creates validators. Without any, the server always sends the document.
  package init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
}

/// A request for one document.
package struct CatalogueRequest: Sendable, Equatable {
  /// An absolute http or https URL; user and password in it are sent to its origin only.
  package var url: String
  /// The reference of the user and password in the secrets file, if any.
  package var secret: String?
  /// The maximum size of the document in bytes after decoding; a larger one fails with
  /// `body-too-large`.
  package var limit: ByteCount
  /// The media types for the field `Accept`, the preferred one first; empty for any.
  package var accepts: [String] = []
  /// The validators of the caller's version. The server does not send that version again.
  package var validators = DocumentValidators()
  /// Whether the address may be loopback or private: true for URLs that the user entered.
  package var allowsPrivateAddresses = true
  /// Whether to override an earlier wait requested by the server, because the user named the
  /// document.
  package var ignoresRetryAfter = false

  /// Creates a request without validators.
  package init(_ url: String, secret: String? = nil, limit: ByteCount) {
    self.url = url
    self.secret = secret
    self.limit = limit
  }
}

/// Fetches a document, which is `isUnchanged` if the validators still match the server's version.
///
/// May be called on several threads concurrently. The implementation handles redirects, retries,
/// `Retry-After` and the budgets of hosts. Throws coded errors: `http-gone`, `rate-limited` with
/// `retryAt`, `body-too-large`, `interrupted`, ….
package typealias DocumentFetching =
  @Sendable (CatalogueRequest) throws -> CatalogueDocument
