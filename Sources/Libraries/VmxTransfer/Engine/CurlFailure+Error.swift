import CCurl
import Glibc
import VmxModel

extension CurlFailure {
  /// Maps libcurl's code to a transfer error.
  ///
  /// - Parameters:
  ///   - url: the URL as shown in messages.
  ///   - hasHead: whether the head of a response had arrived.
  ///   - held: the bytes held and the bytes of the whole, for a body that was cut.
  func error(
    _ url: String, hasHead: Bool, held: (bytes: Int64, total: Int64?)
  ) -> TransferError {
    switch CURLcode(rawValue: code) {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
      return .unreachable(url: url, detail: words)
    case CURLE_COULDNT_CONNECT:
      return errno == ENETUNREACH
        ? .offline(url: url) : .unreachable(url: url, detail: words)
    case CURLE_OPERATION_TIMEDOUT:
      return hasHead ? .reset(url: url, detail: words) : .unreachable(url: url, detail: words)
    case CURLE_PARTIAL_FILE:
      return .cut(url: url, held: held.bytes, total: held.total)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY:
      // libcurl reports an endless header line as a lack of memory.
      return .protocolBroken(url: url, detail: words)
    case CURLE_BAD_CONTENT_ENCODING:
      return .encoded(url: url, coding: "unknown")
    case CURLE_READ_ERROR:
      // The netrc file is the only file that libcurl reads here.
      return .misset(detail: "the netrc file for '\(url)' cannot be read")
    case CURLE_URL_MALFORMAT:
      return .unsupported(url: url)
    case CURLE_SSL_CONNECT_ERROR:
      return .tls(url: url, detail: words, isPassing: true)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      return .tls(url: url, detail: words, isPassing: false)
    default:
      return .reset(url: url, detail: words)
    }
  }
}
