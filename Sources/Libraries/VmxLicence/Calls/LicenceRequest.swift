package import VmxModel

/// A request to a licence provider. VmxLicence makes none itself: the tool passes a function that
/// does, `LicenceSending`.
package struct LicenceRequest: Sendable, Equatable {
  /// A method (RFC 9110, section 9.3). Calls have no body.
  package enum Method: String, Sendable { case get, post, put }

  /// The URL.
  package var url: String
  /// The method.
  package var method: Method
  /// The media types that are accepted, the preferred one first.
  package var accepts: [String]
  /// The maximum size of the answer in bytes.
  package var limit: Int
  /// Whether it may lead to a loopback or private address.
  package var mayBePrivate: Bool

  /// Creates a request.
  package init(
    _ url: String, _ method: Method = .get, accepts: [String], limit: Int, mayBePrivate: Bool
  ) {
    self.method = method
    self.url = url
    self.accepts = accepts
    self.limit = limit
    self.mayBePrivate = mayBePrivate
  }
}

/// The answer of a licence provider: a document, or a refusal with its problem document.
package struct LicenceAnswer: Sendable, Equatable {
  /// The status code: 200 to 299, or 400 to 499.
  package var status: Int
  /// The body.
  package var bytes: [UInt8]
  /// The server's clock; nil if it did not tell.
  package var date: Timestamp?
  /// Whether it came from a loopback or private address.
  package var isFromPrivate: Bool
  /// The URL after all redirects.
  package var url: String

  /// Creates an answer.
  package init(
    status: Int, bytes: [UInt8], date: Timestamp? = nil, isFromPrivate: Bool = false, url: String
  ) {
    self.status = status
    self.bytes = bytes
    self.date = date
    self.isFromPrivate = isFromPrivate
    self.url = url
  }

  /// Whether it is a refusal.
  package var isRefusal: Bool { status >= 400 }
}

/// Sends a request and returns the answer. A request other than GET is sent once: it is not repeated
/// where it may have had its effect.
///
/// - Throws: the error of the transfer, also for a server that fails (5xx); `WorkEnded.interrupted`.
package typealias LicenceSending = @Sendable (LicenceRequest) throws -> LicenceAnswer
