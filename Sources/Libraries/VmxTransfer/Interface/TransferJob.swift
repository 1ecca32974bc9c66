import Synchronization
package import SystemPackage
package import VmxModel
package import VmxSettings

/// A URL to fetch from, with its credentials.
package struct TransferSource: Sendable, Equatable {
  /// An absolute http or https URL without user and password.
  package var url: String
  /// The user name, sent only to the origin of `url`, never to a redirect target.
  package var user: String?
  /// The password of `user`.
  package var password: String?
  /// Whether its address may be loopback or private: true for URLs that the user entered, false for
  /// URLs from a feed or a foreign bundle.
  package var allowsPrivateAddresses = true
  /// Whether it has failed permanently before; it is requested only if every source of the part
  /// has.
  package var hasFailed = false

  /// Whether the first request omits the range although bytes are held, because the source has
  /// refused ranges too often.
  package var requestsWhole = false

  /// Creates a source; user and password are sent by basic or digest authentication.
  package init(url: String, user: String? = nil, password: String? = nil) {
    self.url = url
    self.user = user
    self.password = password
  }

  /// A GET of the source, whose body is received in pieces.
  var request: HTTPRequest {
    var request = HTTPRequest(
      url, limit: ByteCount(clamping: ByteCount.maxFileSize),
      allowsPrivateAddresses: allowsPrivateAddresses)
    request.credentials = user.map {
      HTTPRequest.Credentials(user: $0, password: password ?? "")
    }
    return request
  }
}

/// One part to download into one partial file.
package struct TransferJob: Sendable {
  /// The kind of the expected bytes.
  package enum Kind: Sendable, Equatable {
    /// Large; resumed unless it is only available with a content coding; rejected if it is a web
    /// page.
    case media
    /// Small; decoded if it has a content coding; never resumed; limited in its decoded size.
    case document(limit: ByteCount)
  }

  /// The episode of the part; recorded in the resume data.
  package var episode: EpisodeID
  /// The part's name within the episode; recorded in the resume data.
  package var partName: String
  /// The sources of the bytes, tried in turn.
  package var sources: [TransferSource]
  /// The file that receives the bytes (`.part`); its folder exists.
  package var partial: FilePath
  /// The file for the resume data (`.part.json`), in the same folder.
  package var resume: FilePath
  /// The published size of the whole; any other size is `size-mismatch`.
  package var expectedSize: ByteCount?
  /// The published digest of the whole; any other digest is `digest-mismatch`.
  package var expectedDigest: Digest?
  /// Whether only the version held is acceptable. A source with another version is given up without
  /// fetching any bytes of it.
  package var keepsVersion = false
  /// The declared media type, such as `video/mp4`; a type that definitely contradicts it is
  /// `type-mismatch`.
  package var declaredType: String?
  /// The kind of the expected bytes.
  package var kind: Kind
  /// The lower size limit of a document whose type or first bytes are those of a text; nil if there
  /// is none.
  package var textLimit: ByteCount?
  /// Whether the first request is sent even if a server requested a wait, because the user named
  /// the episode.
  package var ignoresRetryAfter = false

  /// Creates a job without a published size and digest.
  package init(
    episode: EpisodeID, partName: String, sources: [TransferSource], partial: FilePath,
    resume: FilePath, kind: Kind = .media
  ) {
    self.episode = episode
    self.partName = partName
    self.sources = sources
    self.partial = partial
    self.resume = resume
    self.kind = kind
  }

  /// The file for bytes that turned out not to belong to the part; there is at most one such file.
  package var rejectedFile: FilePath {
    FilePath("\(partial.string).aside")
  }
}

/// The limits and timeouts of transfers; the defaults are those of the manual.
package struct TransferSettings: Sendable {
  /// The attempts without progress before a source is given up; received bytes reset the count.
  package var attempts = 5
  /// The rate, in bytes a second, below which a response counts as stalled; headers are included.
  package var stallBytesPerSecond: Int64 = 1024
  /// The time, in milliseconds, for which the rate must be that low.
  package var stallTime: Int64 = 15_000
  /// The time, in milliseconds, that the first byte of a response may take.
  package var responseTime: Int64 = 60_000
  /// The time limit for connecting, in milliseconds, including name lookup and TLS.
  package var connectTimeout: Int64 = 30_000
  /// The time, in milliseconds, after which an unreachable host is given up, whatever the number of
  /// attempts.
  package var unreachableTime: Int64 = 30_000
  /// The maximum of the first pause between attempts, in milliseconds; it doubles with each
  /// attempt.
  package var backoffBase: Int64 = 500
  /// The maximum of any pause between attempts, in milliseconds.
  package var backoffCap: Int64 = 30_000
  /// The maximum accepted `Retry-After`, in milliseconds.
  package var retryAfterBelieved: Int64 = 24 * 3600 * 1000
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
  /// The host memory shared with other processes; nil for a memory of this engine alone.
  package var hostMemory: (any HostMemory)?
  /// Whether a digest is looked up in the folder of each source, as `.sha256` or `SHA256SUMS`.
  package var looksUpChecksums = false
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

/// The limits that hosts have set, shared by all processes of a library.
///
/// A server that limits the requests of one process thereby limits those of all.
package protocol HostMemory: Sendable {
  /// The current penalty of a URL or of its host; nil if it may be requested. Penalties recorded by
  /// other processes may appear half a second late.
  func penalty(of url: HostedURL) -> HostPenalty?
  /// Records a penalty of a URL, or of its host as a whole.
  func recordPenalty(_ penalty: HostPenalty, of url: HostedURL, isForAll: Bool)
  /// Takes one request from the budget of a host that has one.
  ///
  /// - Returns: the milliseconds to wait before the next request; nil if the request is allowed
  ///   now, which counts it as sent.
  func countRequest(of host: HostName, within budget: CallBudget) -> Int64?
  /// Takes the next turn in the pace of a host.
  ///
  /// - Returns: the milliseconds to wait before it; 0 if the request is allowed now.
  func reserveRequest(of host: HostName) -> Int64
  /// Slows the pace of a host after a refusal without a time; see `HostState.slowDown`.
  func slowDown(_ host: HostName, sent: Timestamp) -> (delay: Int64, wasSlowest: Bool)
  /// Increases the rate of a host that has a pace, after a response.
  func speedUp(_ host: HostName)
}

/// A host and its port, as named in records.
package struct HostName: Sendable, Hashable, CustomStringConvertible {
  /// `example.org:443`; an IPv6 address in square brackets.
  package let description: String

  /// Creates the name of a host and a port.
  package init(host: String, port: String) {
    description = "\(host):\(port)"
  }

  /// The host without the port.
  package var host: String {
    description.lastIndex(of: ":").map { String(description[..<$0]) } ?? description
  }

  /// Creates the name from its own text.
  package init(_ description: String) {
    self.description = description
  }
}

extension HostName {
  /// The host and port of a URL; nil for an invalid URL, which the transfer reports.
  package init?(url: String) {
    do throws(Failure) {
      self.init(try WebURL(url))
    } catch {
      return nil
    }
  }

  /// The host and port of a URL.
  package init(_ url: WebURL) { self.init(host: url.host, port: "\(url.port)") }
}

/// A URL in the form that host memories use.
package struct HostedURL: Sendable, Equatable {
  /// The host.
  package let host: HostName
  /// `StableHash` of the URL.
  package let key: UInt64

  /// Creates the reference to a URL of a host.
  package init(host: HostName, key: UInt64) {
    self.host = host
    self.key = key
  }
}

/// A period in which a URL or a host accepts no request.
package struct HostPenalty: Sendable, Equatable {
  /// The end of the period.
  package let until: Timestamp
  /// The status of the response that imposed it.
  package let status: Int
  /// The shown form of the URL that was refused.
  package let url: String

  /// Creates a penalty.
  package init(until: Timestamp, status: Int, url: String) {
    self.until = until
    self.status = status
    self.url = url
  }
}

/// The host memory of a single process; it keeps no budgets.
package final class OwnHostMemory: HostMemory {
  private let states = Mutex<[HostName: (state: HostState, responses: HostResponses)]>([:])
  private let clock: any WallClock
  private let limits: HostPace.Limits

  /// Creates an empty memory.
  package init(_ settings: TransferSettings, clock: any WallClock) {
    limits = HostPace.Limits(settings)
    self.clock = clock
  }

  package func penalty(of url: HostedURL) -> HostPenalty? {
    change(url.host) { state, now in state.penalty(of: url.key, now: now) }
  }

  package func recordPenalty(_ penalty: HostPenalty, of url: HostedURL, isForAll: Bool) {
    change(url.host) { state, now in
      state.refuse(url.key, penalty, isForAll: isForAll, now: now)
    }
  }

  package func countRequest(of host: HostName, within budget: CallBudget) -> Int64? { nil }

  package func reserveRequest(of host: HostName) -> Int64 {
    change(host) { state, now in state.pace?.reserve(now: now, limits) ?? 0 }
  }

  package func slowDown(
    _ host: HostName, sent: Timestamp
  ) -> (delay: Int64, wasSlowest: Bool) {
    let responses = takeResponses(of: host)
    return change(host) { state, now in
      state.slowDown(sent: sent, now: now, after: responses, limits)
    }
  }

  package func speedUp(_ host: HostName) {
    countResponse(of: host)
    change(host) { state, now in state.speedUp(now: now, limits) }
  }

  /// Counts a response of a host.
  package func countResponse(of host: HostName) {
    let now = clock.now
    states.withLock { $0[host, default: (HostState(), HostResponses())].responses.add(now: now) }
  }

  /// Returns the responses of a host before a refusal, which it counts.
  package func takeResponses(of host: HostName) -> HostResponses {
    states.withLock { states in
      defer { states[host]?.responses.addRefusal() }
      return states[host]?.responses ?? HostResponses()
    }
  }

  private func change<Result: Sendable>(
    _ host: HostName, _ body: (inout HostState, Timestamp) -> Result
  ) -> Result {
    let now = clock.now
    return states.withLock { body(&$0[host, default: (HostState(), HostResponses())].state, now) }
  }
}
