/// The API of a server for subscriptions and watched marks; the raw value is stored and shown.
package enum SyncDialect: String, Sendable, CaseIterable {
  /// The API of gpodder.net, version 2.
  case gpodder
  /// The paths of Nextcloud's app `gpoddersync`.
  case nextcloud

  /// The other dialect.
  package var other: SyncDialect { self == .gpodder ? .nextcloud : .gpodder }
}

/// The account at the server with which a library is synced. It contains no secret: it only refers
/// to the login name and password in the secrets file.
package struct SyncAccount: Sendable, Equatable {
  /// The root of the server, without a trailing slash.
  package var url: String
  /// The dialect of the server.
  package var dialect: SyncDialect
  /// The user name for display: if the name is a token, only the part before the token.
  package var user: String
  /// The reference of the login name and password in the secrets file.
  package var secret: String
  /// The id of this installation at the server: `vmx-` and eight hexadecimal digits.
  package var device: String
  /// The time of the login.
  package var since: Timestamp

  /// Creates an account.
  package init(
    url: String, dialect: SyncDialect, user: String, secret: String, device: String,
    since: Timestamp
  ) {
    self.url = url
    self.dialect = dialect
    self.user = user
    self.secret = secret
    self.device = device
    self.since = since
  }

  /// Decodes the contents of `sync.json`.
  ///
  /// - Throws: `store-damaged`.
  package init(fields: JSONObject) throws(Failure) {
    guard let url = fields["url"]?.string,
      let dialect = fields["dialect"]?.string.flatMap(SyncDialect.init),
      let user = fields["user"]?.string, let secret = fields["secret"]?.string,
      let device = fields["device"]?.string,
      let since = fields["since"]?.string.flatMap({ Timestamp($0) })
    else { throw Failure(.storeDamaged, "cannot read the account of 'vmx sync'") }
    self.init(
      url: url, dialect: dialect, user: user, secret: secret, device: device, since: since)
  }

  /// The contents of `sync.json`.
  package var fields: JSONObject {
    JSONObject(distinct: [
      ("url", .string(url)), ("dialect", .string(dialect.rawValue)), ("user", .string(user)),
      ("secret", .string(secret)), ("device", .string(device)), ("since", .string(since.text)),
    ])
  }

  /// The id of the account in the store, so that another account does not continue the state of
  /// this one.
  package var id: String { Hex.text(of: StableHash.of("\(url) \(user)")) }

  /// Returns a login name for display. oPodSync accepts `NAME__TOKEN` as a name without any
  /// password, so such a name is a secret.
  package static func shown(user: String) -> String {
    guard isToken(user) else { return user }
    return String(user.split(separator: "__", omittingEmptySubsequences: false)[0])
  }

  /// Whether a login name contains a token that replaces a password.
  package static func isToken(_ user: String) -> Bool {
    let parts = user.split(separator: "__", omittingEmptySubsequences: false)
    guard parts.count >= 2, !parts[0].isEmpty, let token = parts.last else { return false }
    return token.utf8.count == 10
      && token.utf8.allSatisfy { $0.isASCIIDigit || (0x61...0x7a).contains($0 | 0x20) }
  }
}
