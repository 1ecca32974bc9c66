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
  /// The certificate or the handshake was rejected.
  case tls(url: String, detail: String, isPassing: Bool)
  /// A redirect leads to a forbidden or unsupported URL.
  case redirectRefused(url: String, to: String)
  /// The address is loopback or private, where this source may not lead.
  case addressRefused(url: String)
  /// A redirect loop, or too many redirects.
  case redirectLoop(url: String, count: Int)
  /// The response is not valid HTTP.
  case protocolBroken(url: String, detail: String)
  /// A status that ends the attempt.
  case status(url: String, Int)
  /// The server asks to wait until this time.
  case rateLimited(url: String, status: Int, until: Timestamp?)
  /// The scheme of the URL is not supported.
  case unsupported(url: String)
  /// The source has other bytes than before, repeatedly.
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
  /// The body exceeds the size limit of a file of this kind.
  case tooLarge(url: String, limit: Int64)
  /// The partial file or its resume data cannot be read or written.
  case file(FileError)
  /// The written bytes cannot be read back for their digest.
  case unread(DigestError)
  /// The observer requested a stop.
  case stopped(StopRequest)
  /// The settings cannot be applied.
  case misset(detail: String)
  /// The engine was stopped, or libcurl failed in an unexpected way.
  case broken(detail: String)

  package var code: ErrorCode {
    switch self {
    case .unreachable: .hostUnreachable
    case .offline: .offline
    case .short: .resourcesShort
    case .stalled: .netStalled
    case .reset: .netReset
    case .cut: .bodyCut
    case .tls: .tlsFailed
    case .redirectRefused: .redirectRefused
    case .addressRefused: .addressRefused
    case .redirectLoop: .redirectLoop
    case .protocolBroken: .protocolBroken
    case .status(_, let status): StatusMeaning(status).code
    case .rateLimited: .rateLimited
    case .unsupported: .sourceUnsupported
    case .sourceChanged: .sourceChanged
    case .rangeBroken: .rangeBroken
    case .digestMismatch: .digestMismatch
    case .sizeMismatch: .sizeMismatch
    case .emptyBody: .emptyBody
    case .notMedia: .notMedia
    case .typeMismatch: .typeMismatch
    case .encoded: .encodedBody
    case .tooLarge: .bodyTooLarge
    case .file(let error): error.code
    case .unread(let error): error.code
    case .stopped(.interrupted): .interrupted
    case .stopped(.held(let failure)): failure.code
    case .misset: .badSetting
    case .broken: .internalError
    }
  }

  package var retryAt: Timestamp? {
    switch self {
    case .rateLimited(_, _, let until): until
    case .stopped(.held(let failure)): failure.retryAt
    default: nil
    }
  }

  package var hint: String {
    switch self {
    case .file(let error): error.hint
    case .stopped(.held(let failure)): failure.hint
    default: code.entry.hint
    }
  }
}
