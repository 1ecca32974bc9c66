package import SystemPackage
package import VmxDigest
package import VmxModel
package import VmxSystem

/// Every way in which a transfer can fail. Its URLs contain no user, password or query.
package enum TransferError: CodedError {
  /// The name does not resolve, or no server answers at its address.
  case unreachable(url: String, detail: String)
  /// There is no route to the host.
  case offline(url: String)
  /// The data rate was below the limit for too long.
  case stalled(url: String, milliseconds: Int64)
  /// This process has no descriptor or no memory for a connection; not a failure of the server.
  case short(url: String, Errno)
  /// The connection broke.
  case reset(url: String, detail: String)
  /// The response ended before all bytes had arrived.
  case cut(url: String, held: Int64, total: Int64?)
  /// The response ended in the way that a cut one does, and nothing else shows whether it is
  /// complete.
  case endUnseen(url: String)
  /// The certificate or the handshake was rejected.
  case tls(url: String, detail: String, isPassing: Bool)
  /// A redirect leads to a forbidden or unsupported URL.
  case redirectRefused(url: String, to: String)
  /// The address is loopback or private, and this source may not use such an address.
  case addressRefused(url: String)
  /// A redirect loop, or too many redirects.
  case redirectLoop(url: String, count: Int)
  /// The response is not valid HTTP.
  case protocolBroken(url: String, detail: String)
  /// The proxy requires a user and password, or different ones.
  case proxyDenied(url: String, proxy: String)
  /// A status that ends the attempt.
  case status(url: String, Int)
  /// A 403 for a URL whose signature may have expired.
  case signatureRefused(url: String)
  /// The server requests a wait until this time.
  case rateLimited(url: String, status: Int, until: Timestamp?)
  /// The provider allows no more downloads before this time.
  case usedUp(url: String, status: Int, until: Timestamp)
  /// The budget or pace of the host forbids a request before this time; nothing was requested.
  case throttled(url: String, until: Timestamp)
  /// The host is busy and states no time; its pace was slowed.
  case busy(host: HostName, url: String, status: Int, until: Timestamp, wasSlowest: Bool)
  /// The observer gave the source up in favour of others; its host may respond later.
  case passedOver(Failure)
  /// The scheme of the URL is not supported.
  case unsupported(url: String)
  /// The source repeatedly has other bytes than before.
  case sourceChanged(url: String)
  /// A range request was answered with other bytes than requested.
  case rangeBroken(url: String, detail: String)
  /// The digest of the whole differs from the published one.
  case digestMismatch(url: String, expected: Digest, found: Digest)
  /// The size of the whole differs from the published one.
  case sizeMismatch(url: String, expected: Int64, found: Int64)
  /// The body was empty.
  case emptyBody(url: String)
  /// The body is a web page or another file that is not media.
  case notMedia(url: String, type: String)
  /// The file's type contradicts the declared one.
  case typeMismatch(url: String, declared: String, found: String)
  /// The server sends the bytes only with a content coding.
  case encoded(url: String, coding: String)
  /// The body has a content coding that cannot be decoded.
  case undecodable(url: String, detail: String)
  /// The body exceeds the size limit of a file of this kind.
  case tooLarge(url: String, limit: Int64)
  /// The partial file or its resume data cannot be read or written.
  case file(FileError)
  /// The written bytes cannot be read back for their digest.
  case unread(DigestError)
  /// The observer requested a stop.
  case stopped(StopRequest)
  /// The settings cannot be applied.
  case invalidSettings(detail: String)
  /// The engine was stopped, or libcurl failed in an unexpected way.
  case broken(detail: String)

  package var code: ErrorCode {
    switch self {
    case .unreachable: .hostUnreachable
    case .offline: .offline
    case .short: .resourcesShort
    case .stalled: .netStalled
    case .reset: .netReset
    case .cut, .endUnseen: .bodyCut
    case .tls: .tlsFailed
    case .redirectRefused: .redirectRefused
    case .addressRefused: .addressRefused
    case .redirectLoop: .redirectLoop
    case .protocolBroken: .protocolBroken
    case .proxyDenied, .signatureRefused: .httpDenied
    case .status(_, let status): StatusClassification(status).code
    case .rateLimited, .throttled, .busy: .rateLimited
    case .usedUp: .licenceUsedUp
    case .passedOver(let failure): failure.code
    case .unsupported: .sourceUnsupported
    case .sourceChanged: .sourceChanged
    case .rangeBroken: .rangeBroken
    case .digestMismatch: .digestMismatch
    case .sizeMismatch: .sizeMismatch
    case .emptyBody: .emptyBody
    case .notMedia: .notMedia
    case .typeMismatch: .typeMismatch
    case .encoded, .undecodable: .encodedBody
    case .tooLarge: .bodyTooLarge
    case .file(let error): error.code
    case .unread(let error): error.code
    case .stopped(.interrupted): .interrupted
    case .stopped(.held(let failure)): failure.code
    case .invalidSettings: .badSetting
    case .broken: .internalError
    }
  }

  package var retryAt: Timestamp? {
    switch self {
    case .rateLimited(_, _, let until): until
    case .throttled(_, let until), .busy(_, _, _, let until, _), .usedUp(_, _, let until): until
    case .stopped(.held(let failure)), .passedOver(let failure): failure.retryAt
    default: nil
    }
  }

  package var hint: String {
    switch self {
    case .file(let error): error.hint
    case .stopped(.held(let failure)), .passedOver(let failure): failure.hint
    case .signatureRefused:
      "the signature in the URL may have expired; add a fresh URL with 'vmx add --to ID URL'"
    default: code.entry.hint
    }
  }
}

// Messages.
extension TransferError {
  package var summary: String {
    switch self {
    case .unreachable(let url, let detail): "cannot reach '\(url)': \(detail)"
    case .offline(let url): "cannot reach '\(url)': no network route"
    case .short(let url, let errno): "cannot open a connection to '\(url)': \(errno.message)"
    case .stalled(let url, let milliseconds):
      "'\(url)' stalled for \(milliseconds / 1000) seconds"
    case .reset(let url, let detail): "lost the connection to '\(url)': \(detail)"
    case .cut(let url, let held, let total?): "'\(url)' ended after \(held) of \(total) bytes"
    case .cut(let url, let held, nil): "'\(url)' ended prematurely after \(held) bytes"
    case .endUnseen(let url):
      "'\(url)' has no length and no ranges, and may be truncated"
    case .tls(let url, let detail, _): "no secure connection to '\(url)': \(detail)"
    case .redirectRefused(let url, let to): "'\(url)' redirects to '\(to)'"
    case .addressRefused(let url): "'\(url)' is in a loopback or private network"
    case .redirectLoop(let url, let count): "'\(url)' redirects more than \(count) times"
    case .protocolBroken(let url, let detail): "the response of '\(url)' is not HTTP: \(detail)"
    case .proxyDenied(let url, let proxy):
      "the proxy '\(proxy)' responded with status 407 for '\(url)'"
    case .status(let url, let status): "'\(url)' responded with status \(status)"
    case .signatureRefused(let url): "'\(url)' responded with status 403"
    case .rateLimited(let url, let status, _):
      "'\(url)' was refused with status \(status), and must be retried later"
    case .usedUp(let url, _, let until):
      "no downloads of '\(url)' are left until \(until.text)"
    case .throttled(let url, _): "'\(url)' waits for a host that limits requests"
    case .busy(_, let url, let status, _, _):
      "'\(url)' was refused by a busy host with status \(status)"
    default: bodySummary
    }
  }

  private var bodySummary: String {
    switch self {
    case .unsupported(let url): "'\(url)' is not an http or https URL"
    case .sourceChanged(let url): "'\(url)' has changed"
    case .rangeBroken(let url, let detail): "invalid range response of '\(url)': \(detail)"
    case .digestMismatch(let url, let expected, let found):
      "'\(url)' has the digest \(found.hex), expected \(expected.hex)"
    case .sizeMismatch(let url, let expected, let found):
      "'\(url)' has \(found) bytes, expected \(expected)"
    case .emptyBody(let url): "'\(url)' is empty"
    case .notMedia(let url, let type):
      SourceAdvice.response(type).map { "'\(url)' is \($0) ('\(type)')" }
        ?? "'\(url)' has type '\(type)'"
    case .typeMismatch(let url, let declared, let found):
      "'\(url)' has type '\(found)', declared '\(declared)'"
    case .encoded(let url, let coding): "'\(url)' has the content encoding '\(coding)'"
    case .undecodable(let url, let detail): "cannot decode '\(url)': \(detail)"
    case .tooLarge(let url, let limit): "'\(url)' has more than \(limit) bytes"
    case .invalidSettings(let detail): detail
    case .file(let error): error.summary
    case .unread(let error): error.summary
    case .stopped(.interrupted): "interrupted before the file was complete"
    case .stopped(.held(let failure)), .passedOver(let failure): failure.summary
    default: "the transfer engine is not running"
    }
  }
}

extension TransferError {
  /// Whether retrying the same source can help.
  var isTransient: Bool {
    switch self {
    case .unreachable, .stalled, .reset, .cut, .protocolBroken, .rateLimited, .throttled, .busy,
      .rangeBroken, .undecodable, .emptyBody, .notMedia, .typeMismatch, .sizeMismatch:
      true
    case .tls(_, _, let isPassing): isPassing
    case .status(_, let status): StatusClassification(status).isTransient
    default: false
    }
  }

  /// Whether it may be the response of a server that already has too many connections.
  var isRefusal: Bool {
    switch self {
    case .rateLimited, .unreachable, .signatureRefused: true
    case .status(_, let status): [403, 503].contains(status)
    default: false
    }
  }

  /// The status of a refusal without a time; nil for other errors.
  var busyStatus: Int? {
    switch self {
    case .rateLimited(_, let status, nil): status
    case .status(_, 503): 503
    default: nil
    }
  }

  /// The status that a server has responded with; nil if no request got a response.
  var responseStatus: Int? {
    switch self {
    case .status(_, let status), .rateLimited(_, let status, _), .usedUp(_, let status, _): status
    case .signatureRefused: 403
    default: nil
    }
  }

  /// The number of attempts after which the failure is final, if it is lower than usual.
  var maxAttempts: Int? {
    switch self {
    case .emptyBody, .notMedia, .typeMismatch, .sizeMismatch, .undecodable: 2
    default: nil
    }
  }

  /// Whether the failure does not depend on the source, so that other sources would fail as well.
  var isSourceIndependent: Bool {
    switch self {
    case .file, .unread, .stopped, .broken, .short: true
    default: false
    }
  }

  /// Whether the source may still deliver the file in this run: its host asks for a pause, or
  /// another host was tried first.
  var isPostponed: Bool {
    switch self {
    case .throttled, .busy: true
    case .passedOver(let failure): failure.code == .rateLimited
    default: false
    }
  }
}

/// The transfer error for an HTTP status other than that of a usable response (RFC 9110, section
/// 15).
struct StatusClassification: Equatable {
  /// The code of the failure.
  let code: ErrorCode
  /// Whether a retry can help.
  let isTransient: Bool

  init(_ status: Int) {
    switch status {
    case 401, 403, 407: (code, isTransient) = (.httpDenied, false)
    case 404, 410: (code, isTransient) = (.httpGone, false)
    // A file that is not ready yet (202) or locked (423), and requests that may succeed on another
    // connection (408, 421, 425).
    case 202, 408, 421, 423, 425: (code, isTransient) = (.httpFailing, true)
    case 429: (code, isTransient) = (.rateLimited, true)
    case 501, 505: (code, isTransient) = (.httpRefused, false)
    case 500...599: (code, isTransient) = (.httpFailing, true)
    default: (code, isTransient) = (.httpRefused, false)
    }
  }
}
