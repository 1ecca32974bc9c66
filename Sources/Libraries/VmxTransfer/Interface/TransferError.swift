package import SystemPackage
package import VmxDigest
package import VmxModel
package import VmxSystem

/// Every way in which a transfer can fail. URLs stand in it without user, password and query.
package enum TransferError: CodedError {
  /// The name does not resolve, or nobody answers there.
  case unreachable(url: String, detail: String)
  /// No route leads there.
  case offline(url: String)
  /// Next to nothing came for too long.
  case stalled(url: String, milliseconds: Int64)
  /// This process has no descriptor or no memory for a connection; says nothing of the server.
  case short(url: String, Errno)
  /// The connection broke.
  case reset(url: String, detail: String)
  /// The answer ended before all bytes had come.
  case cut(url: String, held: Int64, total: Int64?)
  /// The certificate or the handshake is not acceptable.
  case tls(url: String, detail: String, isPassing: Bool)
  /// A redirect leads to where vmx does not go.
  case redirectRefused(url: String, to: String)
  /// The address leads into a private net, where the source may not lead.
  case addressRefused(url: String)
  /// Redirects without an end.
  case redirectLoop(url: String, count: Int)
  /// What came is not HTTP, or not as HTTP has it.
  case protocolBroken(url: String, detail: String)
  /// A status that ends the attempt.
  case status(url: String, Int)
  /// The server asks to wait until then.
  case rateLimited(url: String, status: Int, until: Timestamp?)
  /// No scheme that can be fetched.
  case unsupported(url: String)
  /// The source has other bytes than before, again and again.
  case sourceChanged(url: String)
  /// A range was answered with other bytes than asked for.
  case rangeBroken(url: String, detail: String)
  /// The whole has another digest than published.
  case digestMismatch(url: String, expected: Digest, found: Digest)
  /// The whole has another length than published.
  case sizeMismatch(url: String, expected: Int64, found: Int64)
  /// Nothing came.
  case emptyBody(url: String)
  /// A web page came instead of media, or a file of a kind that is none.
  case notMedia(url: String, type: String)
  /// A file of quite another type than declared.
  case typeMismatch(url: String, declared: String, found: String)
  /// The bytes come in a coded form only.
  case encoded(url: String, coding: String)
  /// More came than a file of this kind may have.
  case tooLarge(url: String, limit: Int64)
  /// The partial file or its resume data cannot be read or written.
  case file(FileError)
  /// What was written cannot be read back for its digest.
  case unread(DigestError)
  /// The observer asked to end.
  case stopped(StopRequest)
  /// What the settings ask for cannot be done.
  case misset(detail: String)
  /// The engine was stopped, or libcurl did something it never should.
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
