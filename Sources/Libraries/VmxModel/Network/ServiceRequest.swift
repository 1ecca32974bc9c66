/// A request to a web service: a provider of licences, a server for subscriptions, a receiver of
/// reports. The library that makes the request does no network I/O itself: the tool passes a
/// `ServiceSending` function that does.
///
/// ```swift
/// var request = ServiceRequest(url, .post, limit: 65_536)
/// request.body = ServiceRequest.Body(bytes, type: "application/json")
/// let answer = try send(request)
/// ```
package struct ServiceRequest: Sendable, Equatable {
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

  /// User and password for basic authentication (RFC 7617). They are secrets: no message, id or
  /// record contains them.
  package struct Credentials: Sendable, Equatable {
    /// The user name.
    package var user: String
    /// The password.
    package var password: String

    /// Creates credentials.
    package init(user: String, password: String) {
      self.user = user
      self.password = password
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

  /// The URL; user and password in it count as `credentials`.
  package var url: String
  /// The method.
  package var method: Method
  /// The body; nil for none.
  package var body: Body?
  /// The media types that are accepted, the preferred one first; empty for any.
  package var accepts: [String]
  /// The maximum size of the response in bytes.
  package var limit: Int
  /// Whether it may lead to a loopback or private address.
  package var allowsPrivateAddresses: Bool
  /// User and password; sent to the origin of the URL and to no other.
  package var credentials: Credentials?
  /// A key by which the service recognises a retry. With it, a POST is retried like a GET.
  package var idempotencyKey: Field?
  /// The statuses that return a response.
  package var acceptedStatuses = AcceptedStatuses.successes
  /// Whether the URL's path contains a secret, so that no record of the host may contain it.
  package var hasSecretURL = false
  /// Whether the request ignores a rate limit of the server, as the user requested.
  package var ignoresRetryAfter = false

  /// Creates a request without credentials.
  package init(
    _ url: String, _ method: Method = .get, accepts: [String] = [], limit: Int,
    allowsPrivateAddresses: Bool = false
  ) {
    self.method = method
    self.url = url
    self.accepts = accepts
    self.limit = limit
    self.allowsPrivateAddresses = allowsPrivateAddresses
  }
}

/// The response of a web service.
package struct ServiceResponse: Sendable, Equatable {
  /// The status code.
  package var status: Int
  /// The body.
  package var bytes: [UInt8]
  /// The server's clock; nil if the response had no date.
  package var date: Timestamp?
  /// The wait in milliseconds that the server requested (`Retry-After`, 24 hours at most); nil if
  /// it requested none.
  package var retryAfter: Int64?
  /// Whether the response came from a loopback or private address.
  package var isFromPrivate: Bool
  /// The URL after all redirects. A POST that was redirected by 301, 302 or 303 has become a GET.
  package var url: String

  /// Creates a response.
  package init(
    status: Int, bytes: [UInt8], date: Timestamp? = nil, retryAfter: Int64? = nil,
    isFromPrivate: Bool = false, url: String
  ) {
    self.status = status
    self.bytes = bytes
    self.date = date
    self.retryAfter = retryAfter
    self.isFromPrivate = isFromPrivate
    self.url = url
  }

  /// Whether the status is a client or server error.
  package var isRefusal: Bool { status >= 400 }
}

/// Sends a request and returns the response. A request other than GET without an idempotency key is
/// sent once: it is not retried if it may have had its effect.
///
/// - Throws: the error of the transfer, also for statuses that the request does not accept;
///   `WorkEnded.interrupted`.
package typealias ServiceSending = @Sendable (ServiceRequest) throws -> ServiceResponse
