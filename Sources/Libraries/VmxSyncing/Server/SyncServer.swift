package import VmxModel

// Each request carries Basic authentication: every server accepts it, and it avoids cookies that
// expire or belong to another user. A POST is sent once; its events leave the outbox only after the
// response.

/// A client for the subscriptions and watched marks of a sync server, in either dialect.
///
/// ```swift
/// let server = try SyncServer(account, store.secrets, clock: clock, send: network.send)
/// let page = try server.actions(since: 0)
/// ```
package struct SyncServer: Sendable {
  /// The maximum size of a response.
  static let maxResponseSize = ByteCount(clamping: 64 << 20)
  /// The maximum number of actions in an upload: gpodder.net processes larger uploads
  /// asynchronously.
  package static let batch = 100
  /// The number of actions from which a page of gpodder.net is full.
  package static let fullPage = 1000

  /// The login name and the password.
  package struct Login: Sendable, Equatable {
    /// The login name, which is a secret if it contains a token.
    package let user: String
    /// The password; empty for a login name with a token.
    package let password: String

    /// Creates a login.
    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// The root of the server, without a trailing slash.
  package let url: String
  /// The dialect.
  package let dialect: SyncDialect
  private let login: Login
  private let device: String
  private let clock: any WallClock
  private let send: HTTPSending

  /// Creates the client of a server.
  ///
  /// - Parameters:
  ///   - url: the root of the server, without a trailing slash. It may lead into a private network,
  ///     since the user entered it.
  ///   - device: the id of this installation.
  package init(
    _ url: String, dialect: SyncDialect, login: Login, device: String,
    clock: any WallClock, send: @escaping HTTPSending
  ) {
    self.url = url
    self.dialect = dialect
    self.login = login
    self.device = device
    self.clock = clock
    self.send = send
  }

  /// Verifies that the server speaks the dialect and accepts the login, and registers the device.
  ///
  /// - Parameter name: the display name of the device.
  /// - Throws: `auth-refused`; `not-a-sync-server` for a server of another kind; `sync-unreadable`;
  ///   network errors.
  package func logIn(name: String, now: Timestamp) throws {
    switch dialect {
    case .gpodder:
      if !login.password.isEmpty {
        _ = try perform(request("/api/2/auth/\(user)/login.json", .post))
      }
      let devices = try perform(request("/api/2/devices/\(user).json"))
      guard SubscriptionChanges.isList(devices.bytes) else { throw notAServer }
      try makeDevice(name)
    case .nextcloud: _ = try changes(since: now.seconds)
    }
  }

  /// Registers the device. A refusal is ignored, since the server may sync without it.
  private func makeDevice(_ name: String) throws {
    let body = JSONObject(distinct: [("caption", .string(name)), ("type", "desktop")])
    do {
      _ = try perform(
        request("/api/2/devices/\(user)/\(device).json", .post, body: .object(body)))
    } catch let failure as Failure where failure.code == .syncRefused {
      return
    }
  }

  /// Returns the changes of the subscriptions.
  ///
  /// - Parameter since: the timestamp of the server's last response, in seconds since the epoch; 0
  ///   for all.
  /// - Returns: the changes, and whether they came from a loopback or private address.
  /// - Throws: the errors of `logIn`.
  package func changes(
    since: Int64
  ) throws -> (changes: SubscriptionChanges, isFromPrivate: Bool) {
    let path =
      switch dialect {
      case .gpodder: "/api/2/subscriptions/\(user)/\(device).json"
      case .nextcloud: "\(Self.app)/subscriptions"
      }
    let answer: HTTPResponse
    do {
      answer = try perform(request("\(path)?since=\(since)"))
    } catch let failure as Failure where failure.code == .notASyncServer && dialect == .gpodder {
      // gpodder.net reports an unregistered or deleted device as not found.
      try makeDevice("vmx")
      answer = try perform(request("\(path)?since=\(since)"))
    }
    return (try SubscriptionChanges(answer.bytes), answer.isFromPrivate)
  }

  /// Returns the subscriptions of all devices; empty if the server has no such list.
  ///
  /// - Throws: the errors of `logIn`.
  package func allSubscriptions() throws -> [String] {
    guard dialect == .gpodder else { return [] }
    do {
      return SubscriptionChanges.lists(try perform(request("/subscriptions/\(user).json")).bytes)
    } catch let failure as Failure
      where failure.code == .notASyncServer || failure.code == .syncRefused
    {
      return []
    }
  }

  /// Sends changes of the subscriptions. No URL may be in both lists.
  ///
  /// - Throws: `sync-refused` if the server refuses one of them; the errors of `logIn`.
  package func send(added: [String], removed: [String]) throws -> UploadReceipt {
    let path =
      switch dialect {
      case .gpodder: "/api/2/subscriptions/\(user)/\(device).json"
      case .nextcloud: "\(Self.app)/subscription_change/create"
      }
    let body = JSONObject(distinct: [
      ("add", .array(added.map { .string($0) })),
      ("remove", .array(removed.map { .string($0) })),
    ])
    return try UploadReceipt(try perform(request(path, .post, body: .object(body))).bytes)
  }

  /// Returns a page of actions.
  ///
  /// - Parameter since: the timestamp of the server's last response, in seconds since the epoch; 0
  ///   for all.
  /// - Throws: the errors of `logIn`.
  package func actions(since: Int64) throws -> ActionPage {
    let path =
      switch dialect {
      case .gpodder: "/api/2/episodes/\(user).json"
      case .nextcloud: "\(Self.app)/episode_action"
      }
    return try ActionPage(try perform(request("\(path)?since=\(since)")).bytes)
  }

  /// Sends at most `batch` actions.
  ///
  /// - Throws: `sync-refused` if the server refuses one of them and stored none; the errors of
  ///   `logIn`.
  package func send(_ actions: [SyncAction]) throws -> UploadReceipt {
    let path =
      switch dialect {
      case .gpodder: "/api/2/episodes/\(user).json"
      case .nextcloud: "\(Self.app)/episode_action/create"
      }
    let rows = actions.map { JSONValue.object($0.row(device: device)) }
    return try UploadReceipt(try perform(request(path, .post, body: .array(rows))).bytes)
  }
}

// Requests and the mapping of status codes.
extension SyncServer {
  private static let app = "/index.php/apps/gpoddersync"

  private var user: String { PercentCoding.codedComponent(login.user) }

  private func request(
    _ path: String, _ method: HTTPRequest.Method = .get, body: JSONValue? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest(
      url + path, method, accepts: ["application/json"], limit: Self.maxResponseSize,
      allowsPrivateAddresses: true)
    if !login.password.isEmpty {
      request.credentials = HTTPRequest.Credentials(
        user: login.user, password: login.password, isPreemptive: true)
    }
    if method == .post {
      var bytes: [UInt8] = []
      if let body { JSONWriter.append(body, to: &bytes) }
      request.body = HTTPRequest.Body(bytes, type: "application/json")
    }
    request.acceptedStatuses = .all
    request.hasSecretURL = SyncAccount.isToken(login.user)
    return request
  }

  /// Sends a request and maps error statuses to failures.
  private func perform(_ request: HTTPRequest) throws -> HTTPResponse {
    let answer: HTTPResponse
    do {
      answer = try send(request)
    } catch {
      if error.isInterruption { throw error }
      throw redacted(Failure(error))
    }
    switch answer.status {
    case 200..<300: break
    case 401, 403:
      throw Failure(.authRefused, "'\(redactedURL)' refuses the user or the password")
    case 404, 405, 410, 501: throw notAServer
    case let status where status == 429 || answer.retryAfter != nil && status == 503:
      throw Failure(
        .rateLimited, "'\(redactedURL)' asks to wait (status \(status))",
        retryAt: answer.retryAfter.map { clock.now.adding(milliseconds: $0) })
    case 408, 425, 500..<600:
      throw Failure(.httpFailing, "'\(redactedURL)' responded with status \(answer.status)")
    default:
      throw Failure(.syncRefused, "'\(redactedURL)' responded with status \(answer.status)")
    }
    guard request.method == .get || answer.url == request.url else {
      // The redirected request was a GET without the body, so the server stored nothing.
      throw Failure(
        .redirectRefused, "'\(redactedURL)' redirects elsewhere",
        hint: "log in again with the address to which it redirects")
    }
    return answer
  }

  /// The redacted address for messages.
  private var redactedURL: String { URLRedaction.redacted(url) }

  private var notAServer: Failure {
    Failure(.notASyncServer, "'\(redactedURL)' has no such API (\(dialect.rawValue))")
  }

  /// Returns the failure with a secret login name redacted, since URL paths contain the login name.
  private func redacted(_ failure: Failure) -> Failure {
    guard SyncAccount.isToken(login.user) else { return failure }
    let summary = failure.summary.replacing(user, with: SyncAccount.shown(user: login.user))
    return Failure(failure.code, summary, hint: failure.hint, retryAt: failure.retryAt)
  }
}

extension SyncAction {
  /// Returns the JSON row for an upload. Positions are whole seconds and only part of a `play`.
  func row(device: String) -> JSONObject {
    var row = JSONObject(distinct: [
      ("podcast", .string(podcast)), ("episode", .string(episode)), ("device", .string(device)),
      ("action", .string(kind.rawValue)), ("timestamp", .string(at.actionText)),
    ])
    row.append("guid", guid)
    guard kind == .play, let position else { return row }
    row.append("position", .integer(position / 1000))
    if let total {
      // Servers accept `started` and `total` only together.
      row.append("started", .integer((started ?? 0) / 1000))
      row.append("total", .integer(total / 1000))
    }
    return row
  }
}
