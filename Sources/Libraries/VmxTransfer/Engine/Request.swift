/// One HTTP GET.
struct Request: Sendable {
  /// What is asked for.
  var url: RequestURL
  /// Header lines beside those libcurl makes.
  var fields: [String] = []
  /// For basic authentication, already judged to belong to the URL's origin.
  var user: String?
  /// Goes with `user`.
  var password: String?
  /// Whether the URL's origin is the source's own, so that a netrc file may be asked for it.
  var isOfSource = false
  /// Whether it may go to an address in a loopback or private net.
  var mayBePrivate = true
  /// Whether a proxy is asked for it, so that its address is the proxy's business.
  var isProxied = false
  /// Whether codings of the body are undone, whether or not they were asked for.
  var decodes = false
}

/// How a request ended.
enum RequestEnd: Sendable, Equatable {
  /// The whole answer came.
  case complete
  /// libcurl gave it up.
  case failed(CurlFailure)
  /// The answer's head is larger than allowed, or no head of HTTP.
  case badHead(String)
  /// The address is in a loopback or private net, and the request may not go there.
  case addressRefused
  /// This process had no descriptor or no memory for it, by the kernel's number.
  case short(Int32)
  /// Under the least rate for too long.
  case stalled
  /// Given up by the worker, or by the end of the engine.
  case cancelled
}

/// What libcurl tells of a request that failed.
struct CurlFailure: Sendable, Equatable {
  /// Its `CURLcode`.
  let code: UInt32
  /// The kernel's number behind it, or 0.
  let errno: Int32
  /// Its words; they may name the host, never a password.
  let words: String
}
