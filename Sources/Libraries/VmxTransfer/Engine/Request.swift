/// One HTTP GET.
struct Request: Sendable {
  /// The URL to request.
  var url: RequestURL
  /// The header lines besides those that libcurl adds.
  var fields: [String] = []
  /// The user for basic authentication; the caller has checked that it belongs to the URL's origin.
  var user: String?
  /// The password of `user`.
  var password: String?
  /// Whether the URL's origin is the source's own, so that the netrc file may be used.
  var isOfSource = false
  /// Whether it may be sent to a loopback or private address.
  var mayBePrivate = true
  /// Whether it is sent through a proxy, which then chooses the address.
  var isProxied = false
  /// Whether content codings are decoded, requested or not.
  var decodes = false
}

/// How a request ended.
enum RequestEnd: Sendable, Equatable {
  /// The whole response was received.
  case complete
  /// libcurl reported a failure.
  case failed(CurlFailure)
  /// The response head exceeds the limit or is not valid HTTP.
  case badHead(String)
  /// The address is loopback or private, and the request may not go there.
  case addressRefused
  /// This process had no descriptor or no memory for it; the value is the errno.
  case short(Int32)
  /// The data rate was below the limit for too long.
  case stalled
  /// Cancelled by the worker, or because the engine stopped.
  case cancelled
}

/// The details that libcurl gives of a failed request.
struct CurlFailure: Sendable, Equatable {
  /// The `CURLcode`.
  let code: UInt32
  /// The errno behind it, or 0.
  let errno: Int32
  /// libcurl's error message; it may name the host, never a password.
  let words: String
}
