/// A request whose response is received into memory: a feed, a catalogue document, a licence, or a
/// call of a sync server.
///
/// The library that makes the request does no network I/O itself: the tool passes an `HTTPSending`
/// function that does.
///
/// ```swift
/// var request = HTTPRequest(url, .post, limit: ByteCount(clamping: 65_536))
/// request.body = HTTPRequest.Body(bytes, type: "application/json")
/// let response = try send(request)
/// ```
package struct HTTPRequest: Sendable, Equatable {
  /// A method (RFC 9110, section 9.3).
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
  }

  /// The bytes that a request sends.
  package struct Body: Sendable, Equatable {
    /// The bytes.
    package var bytes: [UInt8]
    /// The media type.
    package var type: String

    /// Creates a body.
    package init(_ bytes: [UInt8], type: String) {
      self.bytes = bytes
      self.type = type
    }
  }

  /// User and password for basic or digest authentication (RFC 7617, RFC 7616). They are secrets:
  /// no message, id or record contains them.
  package struct Credentials: Sendable, Equatable {
    /// The user name.
    package var user: String
    /// The password.
    package var password: String
    /// Whether they are sent with the first request over http too, as plain text. A server that
    /// responds differently to anonymous requests would not challenge it.
    package var isPreemptive: Bool

    /// Creates credentials.
    package init(user: String, password: String, isPreemptive: Bool = false) {
      self.user = user
      self.password = password
      self.isPreemptive = isPreemptive
    }
  }

  /// A header field.
  package struct Field: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The value; a value with control characters makes the request fail.
    package var value: String

    /// Creates a header field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The statuses that return a response; all others are errors.
  package enum AcceptedStatuses: Sendable {
    /// 200 to 299.
    case successes
    /// Also 400 to 499 with their document, except those for credentials and rate limits.
    case clientErrors
    /// Also those for credentials and rate limits, and 500 to 599 once no retry is left; their
    /// document is empty.
    case all
  }

  /// The absolute http or https URL; user and password in it count as `credentials`.
  package var url: String
  /// The method.
  package var method: Method
  /// The body; nil for none.
  package var body: Body?
  /// The media types for the field `Accept`, the preferred one first; empty for any.
  package var accepts: [String]
  /// The maximum size of the decoded response; a larger one fails with `body-too-large`.
  package var limit: ByteCount
  /// Whether its address may be loopback or private: true for URLs that the user entered.
  package var allowsPrivateAddresses: Bool
  /// User and password; sent to the origin of the URL and to no other.
  package var credentials: Credentials?
  /// The reference of user and password in the secrets file, used where `credentials` is nil.
  package var secret: String?
  /// The validators of the version that the caller already has; a server does not send that version
  /// again. Only for a GET.
  package var validators = Validators()
  /// A key by which the service recognises a retry. With it, a POST is retried like a GET.
  package var idempotencyKey: Field?
  /// The statuses that return a response.
  package var acceptedStatuses = AcceptedStatuses.successes
  /// Whether the URL's path contains a secret, so that no record of the host may contain it.
  package var hasSecretURL = false
  /// Whether the first request is sent even if the server requested a wait, as the user requested.
  package var ignoresRetryAfter = false

  /// Creates a request without credentials.
  package init(
    _ url: String, _ method: Method = .get, accepts: [String] = [], limit: ByteCount,
    allowsPrivateAddresses: Bool = false
  ) {
    self.url = url
    self.method = method
    self.accepts = accepts
    self.limit = limit
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }

  /// Whether it may be sent again although it may have had its effect (RFC 9110, section 9.2.2).
  package var isRepeatable: Bool { method == .get || idempotencyKey != nil }
}

/// The response to a request.
package struct HTTPResponse: Sendable, Equatable {
  /// The status code; 304 if the server still has the version of the request's validators.
  package var status: Int
  /// The body without any content coding; empty if the document is unchanged.
  package var bytes: [UInt8]
  /// The URL after all redirects, the base of relative references in the body. It may contain
  /// tokens: messages show it only redacted. A POST that was redirected by 301, 302 or 303 has
  /// become a GET.
  package var url: String
  /// The URL to request from now on: the target of the permanent redirects (301, 308) at the start
  /// of the chain of redirects; nil if there is none.
  package var movedTo: String?
  /// The validators for the next request.
  package var validators = Validators()
  /// The character encoding that the server declares, in lower case.
  package var charset: String?
  /// The server's clock; nil if the response had no date.
  package var date: Timestamp?
  /// The wait in milliseconds that the server requested (`Retry-After`, 24 hours at most); nil if
  /// it requested none.
  package var retryAfter: Int64?
  /// Whether the response came from a loopback or private address, so that its URLs may lead there
  /// too.
  package var isFromPrivate = false

  /// Creates a response without a header.
  package init(status: Int = 200, bytes: [UInt8], url: String) {
    self.status = status
    self.bytes = bytes
    self.url = url
  }

  /// Whether the server still has the version of the request's validators.
  package var isUnchanged: Bool { status == 304 }

  /// Whether the status is a client or server error.
  package var isRefusal: Bool { status >= 400 }
}

/// Sends a request and returns the response. A request other than GET without an idempotency key is
/// sent once: it is not retried if it may have had its effect.
///
/// May be called on several threads concurrently. The implementation handles redirects, retries,
/// `Retry-After` and the budgets of hosts.
///
/// - Throws: the error of the transfer, also for statuses that the request does not accept:
///   `http-gone`, `rate-limited` with `retryAt`, `body-too-large`, …; `WorkEnded.interrupted`.
package typealias HTTPSending = @Sendable (HTTPRequest) throws -> HTTPResponse
