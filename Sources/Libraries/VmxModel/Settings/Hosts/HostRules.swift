/// How one host is spoken to.
package struct HostRules: Sendable, Equatable {
  /// The way to a host.
  package enum Proxy: Sendable, Equatable {
    /// As the variables `http_proxy` and its kin say.
    case environment
    /// Straight.
    case none
    /// By this one; its URL may hold a password, so it is shown nowhere.
    case url(String)
  }

  /// Header lines `Name: value`, which may hold secrets, so they are shown nowhere.
  package var headers: [String] = []
  /// A file of cookies in Netscape's form: an absolute path.
  package var cookies: String?
  /// The netrc file that may know user and password: an absolute path.
  package var netrc: String?
  /// The way to it.
  package var proxy = Proxy.environment
  /// What requests say in `User-Agent`.
  package var userAgent = "vmx"
  /// A PEM file of certificates to trust instead of the system's: an absolute path.
  package var caFile: String?
  /// How often it may be asked; nil for any number of times.
  package var budget: CallBudget?
  /// Which version of HTTP is spoken.
  package var httpVersion = HTTPVersion.auto

  /// The built-in rules.
  package init() {}
}
