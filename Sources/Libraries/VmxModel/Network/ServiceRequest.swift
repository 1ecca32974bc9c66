/// A request to a web service: a provider of licences, a server for subscriptions, a receiver of
/// reports. The library that makes it does no network I/O itself: the tool passes a function that
/// does, `ServiceSending`.
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

  /// The statuses that are answers; all others are errors.
  package enum Answers: Sendable {
    /// 200 to 299.
    case successes
    /// Also 400 to 499 with their document, but those of credentials and rates.
    case refusals
    /// Also those of credentials and rates, and 500 to 599 once no retry is left; their document is
    /// empty.
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
  /// The maximum size of the answer in bytes.
  package var limit: Int
  /// Whether it may lead to a loopback or private address.
  package var mayBePrivate: Bool
  /// User and password; sent to the origin of the URL and to no other.
  package var credentials: Credentials?
  /// A key by which the service recognises a repetition. With it, a POST is repeated like a GET.
  package var idempotencyKey: Field?
  /// The statuses that are answers.
  package var answers = Answers.successes
  /// Whether the path of the URL has a secret, so that no record of the host may contain it.
  package var hasSecretURL = false
  /// Whether it is sent even if the server asked to wait, because the user asks for it.
  package var asksAnyway = false

  /// Creates a request without credentials.
  package init(
    _ url: String, _ method: Method = .get, accepts: [String] = [], limit: Int,
    mayBePrivate: Bool = false
  ) {
    self.method = method
    self.url = url
    self.accepts = accepts
    self.limit = limit
    self.mayBePrivate = mayBePrivate
  }
}

/// The answer of a web service.
package struct ServiceAnswer: Sendable, Equatable {
  /// The status code.
  package var status: Int
  /// The body.
  package var bytes: [UInt8]
  /// The server's clock; nil if it did not tell.
  package var date: Timestamp?
  /// The milliseconds to wait that the server asks for (`Retry-After`, 24 hours at most); nil if it
  /// does not ask.
  package var retryAfter: Int64?
  /// Whether it came from a loopback or private address.
  package var isFromPrivate: Bool
  /// The URL after all redirects. A POST that was redirected by 301, 302 or 303 has become a GET.
  package var url: String

  /// Creates an answer.
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

  /// Whether it is a refusal, or a failure of the server.
  package var isRefusal: Bool { status >= 400 }
}

/// Sends a request and returns the answer. A request other than GET without an idempotency key is
/// sent once: it is not repeated where it may have had its effect.
///
/// - Throws: the error of the transfer, also for statuses that the request does not take as answers;
///   `WorkEnded.interrupted`.
package typealias ServiceSending = @Sendable (ServiceRequest) throws -> ServiceAnswer
