package import VmxModel

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

  /// The kind of the setting's values.
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

/// The maximum number of requests from one library to a service per interval, such as 20 in 10 s.
package struct CallBudget: Sendable, Equatable {
  /// The accepted form, worded for messages and the manual.
  static let allowed = "a number of requests and a time, such as 20/10s"

  /// The number of requests in any interval of that length, from 1 to 1000.
  package let calls: Int
  /// The length of the interval in milliseconds, at most one day.
  package let milliseconds: Int64

  /// Parses `20/10s`; nil for any other text.
  package init?(_ text: String) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let calls = Int(halves[0]), (1...1000).contains(calls),
      let time = DurationText.milliseconds(of: String(halves[1])), (1...86_400_000).contains(time)
    else { return nil }
    self.calls = calls
    milliseconds = time
  }

  /// Returns the time to wait before the next request. The server counts with its own clock, and
  /// from the arrival of a request, so the interval is taken as one hundredth longer.
  ///
  /// - Parameter times: times of the previous requests, in any order. A time in the future, after
  ///   the clock was set back, counts as now; one that is further ahead than the interval, which a
  ///   wrong clock has written, does not count: it would block the host until then.
  /// - Returns: milliseconds; 0 if the request may be made now.
  package func wait(after times: [Timestamp], now: Timestamp) -> Int64 {
    let interval = milliseconds + milliseconds / 100
    let recent = times.filter { abs($0.milliseconds - now.milliseconds) < interval }
      .map { min($0.milliseconds, now.milliseconds) }.sorted()
    guard recent.count >= calls else { return 0 }
    return recent[recent.count - calls] + interval - now.milliseconds
  }
}
