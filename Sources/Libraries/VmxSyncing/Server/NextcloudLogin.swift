import VmxJSON
package import VmxModel

// Nextcloud login flow, version 2: the user logs in on a web page of the server, which then issues
// an app password for this program.

/// A login at a Nextcloud server that the user confirms in a browser.
package struct NextcloudLogin: Sendable {
  private static let maxResponseSize = ByteCount(clamping: 1 << 16)

  /// The address of the login page. It contains a one-time token.
  package let page: String
  private let endpoint: String
  private let token: String
  private let send: HTTPSending

  /// Begins a login.
  ///
  /// - Parameter url: the root of the server, without a trailing slash.
  /// - Throws: `not-a-sync-server`; network errors.
  package init(at url: String, send: @escaping HTTPSending) throws {
    let answer = try Self.perform("\(url)/index.php/login/v2", body: [], with: send)
    guard (200..<300).contains(answer.status), let document = JSONParser().object(in: answer.bytes),
      let page = document["login"]?.string, let poll = document["poll"]?.object,
      let token = poll["token"]?.string, let endpoint = poll["endpoint"]?.string
    else {
      throw Failure(
        .notASyncServer, "'\(URLRedaction.redacted(url))' has no login of Nextcloud",
        hint: "give --user, and a password of an app, if it is another server")
    }
    // The token must be sent only to the server that issued it.
    guard try WebURL(endpoint).origin == WebURL(url).origin else {
      throw Failure(
        .redirectRefused, "'\(URLRedaction.redacted(url))' leads its login to another server",
        hint: "log in with the address by which the server names itself")
    }
    (self.page, self.token, self.endpoint, self.send) = (page, token, endpoint, send)
  }

  /// Polls the server for the result of the login.
  ///
  /// - Returns: the login for this program; nil until the user has logged in.
  /// - Throws: `auth-refused` if the server does not confirm the login; network errors.
  package func poll() throws -> SyncServer.Login? {
    let answer = try Self.perform(endpoint, body: Array("token=\(token)".utf8), with: send)
    if answer.status == 404 { return nil }
    guard (200..<300).contains(answer.status), let document = JSONParser().object(in: answer.bytes),
      let user = document["loginName"]?.string, let password = document["appPassword"]?.string
    else { throw Failure(.authRefused, "the server did not confirm the login") }
    return SyncServer.Login(user: user, password: password)
  }

  private static func perform(
    _ url: String, body: [UInt8], with send: HTTPSending
  ) throws -> HTTPResponse {
    var request = HTTPRequest(
      url, .post, accepts: ["application/json"], limit: maxResponseSize,
      allowsPrivateAddresses: true)
    request.body = HTTPRequest.Body(body, type: "application/x-www-form-urlencoded")
    request.acceptedStatuses = .all
    return try send(request)
  }
}
