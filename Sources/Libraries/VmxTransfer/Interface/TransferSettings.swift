package import VmxModel

/// The limits and timeouts of transfers; the defaults are those of the manual.
package struct TransferSettings: Sendable {
  /// The attempts without progress before a source is given up; received bytes reset the count.
  package var attempts = 5
  /// The rate, in bytes a second, below which a response counts as stalled, its headers too.
  package var stallBytesPerSecond: Int64 = 1024
  /// The time, in milliseconds, for which the rate must be that low.
  package var stallTime: Int64 = 15_000
  /// The time limit for connecting, in milliseconds, including name lookup and TLS.
  package var connectTimeout: Int64 = 30_000
  /// The time, in milliseconds, after which an unreachable host is given up, whatever the attempts.
  package var unreachableTime: Int64 = 30_000
  /// The maximum of the first pause between attempts, in milliseconds; it doubles with each
  /// attempt.
  package var backoffBase: Int64 = 500
  /// The maximum of any pause between attempts, in milliseconds.
  package var backoffCap: Int64 = 30_000
  /// The maximum accepted `Retry-After`, in milliseconds.
  package var retryAfterBelieved: Int64 = 24 * 3600 * 1000
  /// The longest wait requested by a server, in milliseconds, that does not end the run.
  package var waitForPolicy: Int64 = 60_000
  /// The maximum number of connections for one part.
  package var connections = 4
  /// The maximum number of connections to one host. The first connection of each part is always
  /// allowed.
  package var perHost = 8
  /// The limits for adding a connection.
  var growth = ConnectionScaling.Limits()
  /// The number of redirects followed within one attempt.
  package var maxRedirects = 10
  /// Whether a redirect may lead from https to http.
  package var allowsDowngrade = false
  /// The maximum size of one response's headers, in bytes.
  package var headerLimit = 256 * 1024
  /// The schemes, `http` and `https`, for which the environment names a proxy.
  package var proxiedSchemes: Set<String> = []
  /// The request rules of each host.
  package var hosts = HostTable()
  /// The shared memory of host penalties and budgets; nil for a memory of this engine alone.
  package var hostMemory: (any HostMemory)?
  /// Whether a digest is looked up beside each source, as `.sha256` or `SHA256SUMS`.
  package var looksForChecksums = false
  /// The size of libcurl's receive buffer, in bytes.
  package var receiveBuffer = 128 * 1024

  /// The current rate limit of all transfers together, in bytes a second; nil for no limit. Called
  /// four times a second on the transfer thread.
  package var rate: @Sendable () -> ByteCount? = { nil }

  /// Creates the default settings.
  package init() {}
}

extension TransferSettings {
  /// Whether requests to an origin go through a proxy. Hosts that the environment exempts
  /// (`no_proxy`) count as well.
  func isProxied(_ origin: RequestURL.Origin) -> Bool {
    switch hosts.rules(host: origin.host, port: origin.port).proxy {
    case .none: false
    case .url: true
    case .environment: proxiedSchemes.contains(origin.scheme)
    }
  }
}
