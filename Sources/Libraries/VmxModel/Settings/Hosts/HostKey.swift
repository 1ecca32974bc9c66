/// The settings of a section `[host "NAME"]`, in one table of their kinds. They override the
/// settings of `[network]` for all hosts.
package enum HostKey: String, Sendable, CaseIterable {
  case budget
  case caFile = "ca-file"
  case cookies
  case header
  case httpVersion = "http-version"
  case netrc
  case proxy
  case userAgent = "user-agent"

  /// The kind of its values.
  package var kind: SettingKind {
    switch self {
    case .budget: .callBudget
    case .caFile, .cookies: .path
    case .header: .headerField
    case .httpVersion: .choice(HTTPVersion.allCases.map(\.rawValue))
    case .netrc: .optionalPath
    case .proxy: .proxy
    case .userAgent: .text
    }
  }

  /// The purpose of the setting, as one phrase without a full stop.
  package var purpose: String {
    switch self {
    case .budget: "requests that all processes together may make in a time, such as 20/10s"
    case .caFile: "certificates to trust for this host instead of the system's"
    case .cookies: "a file of cookies in Netscape's form, read only"
    case .header: "a header to send, repeatable"
    case .httpVersion: "which version of HTTP to speak"
    case .netrc: "whether, or from which file, user and password are taken"
    case .proxy: "the proxy to ask by"
    case .userAgent: "what requests say in User-Agent"
    }
  }
}

/// The HTTP version to use.
package enum HTTPVersion: String, Sendable, CaseIterable {
  /// HTTP/2 if TLS negotiates it, else HTTP/1.1.
  case auto
  /// HTTP/1.1 only.
  case one = "1.1"
  /// HTTP/2 without negotiation (prior knowledge).
  case two = "2"
}
