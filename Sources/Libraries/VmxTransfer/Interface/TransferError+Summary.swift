import VmxDigest
import VmxModel
import VmxSystem

extension TransferError {
  package var summary: String {
    switch self {
    case .unreachable(let url, let detail): "cannot reach '\(url)': \(detail)"
    case .offline(let url): "cannot reach '\(url)': no route leads there"
    case .short(let url, let errno): "cannot open a connection to '\(url)': \(errno.words)"
    case .stalled(let url, let milliseconds):
      "'\(url)' sent next to nothing for \(milliseconds / 1000) seconds"
    case .reset(let url, let detail): "the connection to '\(url)' broke: \(detail)"
    case .cut(let url, let held, let total?): "'\(url)' ended after \(held) of \(total) bytes"
    case .cut(let url, let held, nil): "'\(url)' ended after \(held) bytes, not properly"
    case .tls(let url, let detail, _): "no secure connection to '\(url)': \(detail)"
    case .redirectRefused(let url, let to): "'\(url)' redirects to '\(to)'"
    case .addressRefused(let url): "'\(url)' leads into a loopback or private net"
    case .redirectLoop(let url, let count): "'\(url)' redirects more than \(count) times"
    case .protocolBroken(let url, let detail): "'\(url)' does not answer as HTTP: \(detail)"
    case .status(let url, let status): "'\(url)' answered with status \(status)"
    case .rateLimited(let url, let status, _):
      "'\(url)' asks to wait, with status \(status)"
    default: bodySummary
    }
  }

  private var bodySummary: String {
    switch self {
    case .unsupported(let url): "'\(url)' is not an http or https URL"
    case .sourceChanged(let url): "'\(url)' has other bytes than before"
    case .rangeBroken(let url, let detail): "'\(url)' answers ranges wrongly: \(detail)"
    case .digestMismatch(let url, let expected, let found):
      "'\(url)' has the digest \(found.hex), published was \(expected.hex)"
    case .sizeMismatch(let url, let expected, let found):
      "'\(url)' has \(found) bytes, published were \(expected)"
    case .emptyBody(let url): "'\(url)' is empty"
    case .notMedia(let url, let type): "'\(url)' is of type '\(type)'"
    case .typeMismatch(let url, let declared, let found):
      "'\(url)' is of type '\(found)', declared was '\(declared)'"
    case .encoded(let url, let coding): "'\(url)' comes coded as '\(coding)'"
    case .tooLarge(let url, let limit): "'\(url)' has more than \(limit) bytes"
    case .misset(let detail): detail
    case .file(let error): error.summary
    case .unread(let error): error.summary
    case .stopped(.interrupted): "interrupted before the file was whole"
    case .stopped(.held(let failure)): failure.summary
    default: "the transfer engine is not running"
    }
  }
}
