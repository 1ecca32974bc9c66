package import VmxModel

/// How patient and how strict transfers are; the defaults are those of the manual.
package struct TransferSettings: Sendable {
  /// Attempts without progress before a source is given up; bytes gained start the count anew.
  package var attempts = 5
  /// Below this rate, in bytes a second, an answer counts as stalled, its headers too.
  package var stallBytesPerSecond: Int64 = 1024
  /// For so many milliseconds it must be that slow.
  package var stallTime: Int64 = 15_000
  /// Milliseconds to reach a server, name look-up and TLS included.
  package var connectTimeout: Int64 = 30_000
  /// Milliseconds after which a host that cannot be reached is given up, whatever the attempts.
  package var unreachableTime: Int64 = 30_000
  /// The first pause between attempts lasts at most so many milliseconds; each next one twice that.
  package var backoffBase: Int64 = 500
  /// No pause of ours lasts longer than so many milliseconds.
  package var backoffCap: Int64 = 30_000
  /// A server's `Retry-After` is believed up to so many milliseconds.
  package var retryAfterBelieved: Int64 = 24 * 3600 * 1000
  /// Waits that a server asks for are sat through up to so many milliseconds.
  package var waitForPolicy: Int64 = 60_000
  /// Connections for one part at most.
  package var connections = 4
  /// Connections to one host at most; each part may have its first one, however many there are.
  package var perHost = 8
  /// When one more connection pays.
  var growth = ConnectionScaling.Limits()
  /// Redirects followed within one attempt.
  package var maxRedirects = 10
  /// Whether a redirect may lead from https to http.
  package var allowsDowngrade = false
  /// Bytes of one response's headers before it is taken for broken.
  package var headerLimit = 256 * 1024
  /// Schemes, `http` and `https`, for which the environment names a proxy.
  package var proxiedSchemes: Set<String> = []
  /// How each host is spoken to.
  package var hosts = HostTable()
  /// Where is remembered what hosts want; nil for a memory of the engine alone.
  package var hostMemory: (any HostMemory)?
  /// Whether a digest is looked for beside each source, as `.sha256` or `SHA256SUMS`.
  package var looksForChecksums = false
  /// libcurl's receive buffer, in bytes.
  package var receiveBuffer = 128 * 1024

  /// Bytes a second of all transfers together at this moment, asked four times a second on the
  /// transfer thread; nil for any number.
  package var rate: @Sendable () -> ByteCount? = { nil }

  /// The defaults.
  package init() {}
}
