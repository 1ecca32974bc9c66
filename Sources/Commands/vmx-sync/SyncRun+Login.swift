import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation
import VmxStore
import VmxSyncing
import VmxSystem
import VmxTransfer

extension SyncRun {
  /// The milliseconds between two polls for the confirmation of a login, and the total time of
  /// polling, after which Nextcloud gives up.
  private static let pollEvery: Int64 = 2000
  private static let pollFor: Int64 = 20 * 60_000

  /// Logs in to a server, and makes it the server of the library.
  func logIn(
    at address: String, user: String?, passwordFd: Int32?, isNextcloud: Bool, allowsHTTP: Bool
  ) throws {
    defer { documents.stop() }
    let url = try root(address, allowsHTTP: allowsHTTP)
    let shown = URLRedaction.redacted(url)
    let login: SyncServer.Login
    if let user {
      let isToken = SyncAccount.isToken(user) && passwordFd == nil
      login = SyncServer.Login(
        user: user, password: isToken ? "" : try password(passwordFd))
    } else if isNextcloud {
      login = try confirmed(at: url)
    } else {
      throw Self.noUser
    }
    let device = try store.secrets.device(for: url, on: machineID())
    let id = "vmx-\(device.prefix(8))"
    let dialect = try dialect(at: url, login: login, device: id, isNextcloud: isNextcloud)
    let before = try SyncAccountStore.account(of: store.home)
    let reference = try store.secrets.save(
      Secret(user: login.user, password: login.password),
      isTyped: context.isInteractive && passwordFd == nil)
    let account = SyncAccount(
      url: url, dialect: dialect, user: SyncAccount.shown(user: login.user), secret: reference,
      device: id, since: context.clock.now)
    try store.syncAccount.save(account)
    // A server that lost its data since the last login gets the subscriptions again.
    var state = SyncState(of: account, try store.snapshot().record(.sync, SyncState.id))
    if state.synced != nil {
      state.synced = nil
      _ = try store.update(.durable) { $0.write(state.stored) }
    }
    if let before, before.secret != reference { try remove(secret: before.secret) }
    if try store.secrets.location(of: reference) == .service {
      context.messages.note(
        "the password is stored in the Secret Service; cron jobs may not be able to read it")
    }
    context.messages.note("logged in to '\(shown)'; run 'vmx sync now' to sync")
  }

  /// Returns the state after a login. It asks neither the server nor for a password.
  func planLogIn(
    at address: String, user: String?, isNextcloud: Bool, allowsHTTP: Bool
  ) throws -> SyncStatusRow {
    let url = try root(address, allowsHTTP: allowsHTTP)
    guard user != nil || isNextcloud else { throw Self.noUser }
    let now = context.clock.now
    let account = SyncAccount(
      url: url, dialect: isNextcloud ? .nextcloud : .gpodder,
      user: SyncAccount.shown(user: user ?? ""), secret: "", device: "", since: now)
    var row = SyncStatusRow(account, now: now)
    row.isPlanned = true
    return row
  }

  /// Returns the state after a logout.
  func planLogOut() throws -> SyncStatusRow {
    if try SyncAccountStore.account(of: store.home) == nil { noteNoAccount() }
    var row = SyncStatusRow(nil, now: context.clock.now)
    row.isPlanned = true
    return row
  }

  private static let noUser = Failure(
    .passwordNeeded, "no user given",
    hint: "give --user NAME, or --nextcloud to confirm the login in a browser")

  private func noteNoAccount() { context.messages.note("no sync account") }

  /// Deletes the account and its secret. Merged data is kept.
  func logOut() throws {
    guard let account = try SyncAccountStore.account(of: store.home) else {
      return noteNoAccount()
    }
    try store.syncAccount.remove()
    try remove(secret: account.secret)
    let waiting = try store.snapshot().outbox(of: .sync)
    guard !waiting.isEmpty else { return }
    try store.update(.durable) { transaction in
      for event in waiting { transaction.delete(.outbox, event.id) }
    }
  }

  /// Returns the dialect in which the server accepts the login; tries the likely one first.
  private func dialect(
    at url: String, login: SyncServer.Login, device: String, isNextcloud: Bool
  ) throws -> SyncDialect {
    let first = isNextcloud ? SyncDialect.nextcloud : .gpodder
    var refusals = 0
    for dialect in [first, first.other] {
      do {
        try SyncServer(
          url, dialect: dialect, login: login, device: device, clock: context.clock, send: send
        )
        .logIn(name: "vmx on \(hostName())", now: context.clock.now)
        return dialect
      } catch let failure as Failure
        where [.notASyncServer, .syncUnreadable, .syncRefused].contains(failure.code)
      {
        refusals += 1
      }
    }
    throw Failure(
      .notASyncServer,
      "'\(URLRedaction.redacted(url))' has neither the gpodder.net API nor Nextcloud's")
  }

  /// Returns the root URL of a server, without a trailing slash.
  private func root(_ text: String, allowsHTTP: Bool) throws(Failure) -> String {
    let url = try WebURL(text)
    guard url.user == nil, url.password == nil else {
      throw Failure(
        .usage, "user and password in a URL are visible to other programs",
        hint: "give the user with --user, and enter the password when asked")
    }
    guard url.scheme == "https" || allowsHTTP || AddressScope.isLoopback(host: url.host) else {
      throw Failure(
        .usage, "'\(URLRedaction.redacted(url))' would receive the password unencrypted",
        hint: "give its https URL, or add --allow-http in a trusted network")
    }
    var root = url.origin + url.path
    while root.hasSuffix("/") { root.removeLast() }
    return root
  }

  /// Removes a secret. If its keyring is locked, only prints a warning, since the account no longer
  /// uses the secret.
  private func remove(secret reference: String) throws {
    do {
      try store.secrets.remove(reference)
    } catch let failure as Failure where failure.code == .secretLocked {
      context.messages.warn(
        Failure(
          failure.code, failure.summary,
          hint: "unlock the keyring, then run 'vmx doctor --mend' to remove the old password"))
    }
  }

  private func password(_ descriptor: Int32?) throws -> String {
    let bytes = try context.secret(
      "password", descriptor: descriptor, isNew: false,
      else: Failure(.passwordNeeded, "no password given"), until: interruption)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until the user has confirmed the login in a browser.
  private func confirmed(at url: String) throws -> SyncServer.Login {
    let flow = try NextcloudLogin(at: url, send: send)
    context.messages.note(
      "open this URL in a browser and confirm the login: \(flow.page)")
    context.messages.note("waiting up to 20 minutes for the confirmation")
    let deadline = Deadline(milliseconds: Self.pollFor)
    while !deadline.isPast {
      if let login = try flow.poll() { return login }
      let next = Deadline(milliseconds: Self.pollEvery)
      while !next.isPast {
        if interruption.isRequested { throw WorkEnded.interrupted }
        next.sleep(nanoseconds: 100_000_000)
      }
    }
    throw Failure(
      .authRefused, "the login was not confirmed", hint: "run the command again")
  }
}
