/// The request settings of one host.
package struct HostRules: Sendable, Equatable {
  /// The proxy selection.
  package enum Proxy: Sendable, Equatable {
    /// The proxy from `http_proxy` and the related environment variables.
    case environment
    /// No proxy.
    case none
    /// The proxy with this URL; it may contain a password, so it is never shown.
    case url(String)
  }

  /// The header lines `Name: value`; they may contain secrets, so they are never shown.
  package var headers: [String] = []
  /// The absolute path of a cookie file in Netscape format.
  package var cookies: String?
  /// The absolute path of the netrc file that may contain user and password.
  package var netrc: String?
  /// The proxy for the host.
  package var proxy = Proxy.environment
  /// The value of `User-Agent` in requests.
  package var userAgent = "vmx"
  /// The absolute path of a PEM file of certificates that replace the system's trust store.
  package var caFile: String?
  /// The request budget; nil for no limit.
  package var budget: CallBudget?
  /// The HTTP version to use.
  package var httpVersion = HTTPVersion.auto

  /// Creates the built-in rules.
  package init() {}
}
