import CCurl
import Glibc
import SystemPackage
import VmxModel

/// One request as libcurl sends it: to one URL of a chain of redirects.
struct CurlRequest: Sendable {
  /// The URL to request.
  var url: RequestURL
  /// The request of the caller with the changes of the redirects so far. Its credentials belong to
  /// the origin of `url`, as the caller has checked; its own URL is that of the source.
  var http: HTTPRequest
  /// Whether content codings are decoded, requested or not (`CodedBody`).
  var decodes = false
  /// Whether to prefer HTTP/1.1, whose last chunk is visible. libcurl reports an HTTP/2 stream as
  /// complete even if RST_STREAM ends it without an error.
  var showsLastChunk = false
  /// The header lines besides those that libcurl adds.
  var fields: [String] = []
  /// The cookies that the origin has set in the same chain of redirects, one line each in the
  /// format of Netscape's cookie files.
  var cookies: [String] = []
  /// The scheme by which user and password are sent.
  var authentication = Authentication.basic
  /// Whether the URL's origin is the source's own, so that the netrc file may be used.
  var isOfSource = false
  /// Whether the request is sent through a proxy, which then chooses the address.
  var isProxied = false

  /// Creates a request to a URL of its chain.
  init(_ http: HTTPRequest, to url: RequestURL) {
    self.http = http
    self.url = url
  }
}

/// The end of a request.
enum RequestEnd: Sendable, Equatable {
  /// The whole response was received.
  case complete
  /// libcurl reported a failure.
  case failed(CurlFailure)
  /// The response head exceeds the limit or is not valid HTTP.
  case malformedHead(String)
  /// The body has a content coding that libcurl does not know.
  case codingUnknown(String)
  /// The only content coding is a word that is no coding; libcurl passes such a body on if it is
  /// not asked to decode.
  case codingMeaningless(String)
  /// The coded body is invalid, or decodes to far too many bytes.
  case undecodable(String)
  /// The coded body ended before the end of its coding.
  case codingCut
  /// The address is loopback or private, and the request may not be sent there.
  case addressRefused
  /// This process had no descriptor or no memory for the request; the value is the errno.
  case short(Int32)
  /// The data rate was below the limit for too long.
  case stalled
  /// The first byte of a response did not arrive in time.
  case noResponse
  /// Cancelled by the worker, or because the engine stopped.
  case cancelled

  /// Maps the end of a failed request to a transfer error.
  func error(
    _ url: String, hasHead: Bool, held: (bytes: Int64, total: Int64?),
    _ settings: TransferSettings
  ) -> TransferError {
    switch self {
    case .complete, .codingCut: .cut(url: url, held: held.bytes, total: held.total)
    case .codingUnknown(let coding), .codingMeaningless(let coding):
      .encoded(url: url, coding: coding)
    case .undecodable(let detail): .undecodable(url: url, detail: detail)
    case .failed(let failure): failure.error(url, hasHead: hasHead, held: held)
    case .malformedHead(let detail): .protocolBroken(url: url, detail: detail)
    case .addressRefused: .addressRefused(url: url)
    case .short(let errno): .short(url: url, Errno(rawValue: errno))
    case .stalled: .stalled(url: url, milliseconds: settings.stallTime)
    case .noResponse: .stalled(url: url, milliseconds: settings.responseTime)
    case .cancelled: .stopped(.interrupted)
    }
  }
}

/// The details of a failed request as reported by libcurl.
struct CurlFailure: Sendable, Equatable {
  /// The `CURLcode`.
  let code: UInt32
  /// The errno behind it, or 0.
  let errno: Int32
  /// libcurl's error message; it may name the host, never a password.
  let message: String
  /// The proxy that responded with status 407, as shown in messages; nil if none did.
  var denyingProxy: String?

  /// Maps libcurl's code to a transfer error.
  ///
  /// - Parameters:
  ///   - url: the URL as shown in messages.
  ///   - hasHead: whether the head of a response had arrived.
  ///   - held: the bytes held and the bytes of the whole, for a body that was cut.
  func error(
    _ url: String, hasHead: Bool, held: (bytes: Int64, total: Int64?)
  ) -> TransferError {
    if let denyingProxy { return .proxyDenied(url: url, proxy: denyingProxy) }
    switch CURLcode(rawValue: code) {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
      return .unreachable(url: url, detail: message)
    case CURLE_COULDNT_CONNECT:
      return errno == ENETUNREACH
        ? .offline(url: url) : .unreachable(url: url, detail: message)
    case CURLE_OPERATION_TIMEDOUT:
      return hasHead ? .reset(url: url, detail: message) : .unreachable(url: url, detail: message)
    case CURLE_PARTIAL_FILE:
      return .cut(url: url, held: held.bytes, total: held.total)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY:
      // libcurl reports an endless header line as a lack of memory.
      return .protocolBroken(url: url, detail: message)
    case CURLE_BAD_CONTENT_ENCODING,
      CURLE_WRITE_ERROR where hasHead:
      // A write error not caused by vmx: bytes follow the end of the content coding.
      return .undecodable(url: url, detail: message)
    case CURLE_READ_ERROR:
      // The netrc file is the only file that libcurl reads here.
      return .invalidSettings(detail: "cannot read the netrc file for '\(url)'")
    case CURLE_URL_MALFORMAT:
      return .unsupported(url: url)
    case CURLE_SSL_CONNECT_ERROR:
      return .tls(url: url, detail: message, isPassing: true)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      return .tls(url: url, detail: message, isPassing: false)
    default:
      return .reset(url: url, detail: message)
    }
  }
}
