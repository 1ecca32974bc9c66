import BackendWire

/// A server for subscriptions and watched marks on the loopback interface for tests, with the
/// quirks of a real one: gpodder.net, Nextcloud's app or oPodSync. On request, it shows every
/// misbehaviour that a client may encounter. It is not part of a release.
@main
enum SyncBackend {
  static func main() {
    BackendServer.run("sync-backend", help: help, extra: ["--kind"]) {
      options, port throws(BackendProblem) in
      guard let kind = ServerKind(rawValue: options.extra["--kind"] ?? "gpodder") else {
        throw BackendProblem("--kind is gpodder, nextcloud or opodsync")
      }
      return Service(AccountRegister(kind, port: port), log: options.log).serve
    }
  }

  private static let help = """
    usage: sync-backend [--kind gpodder|nextcloud|opodsync] [--port-file FILE] [--log FILE]
                        [--life SECONDS]

    Serves the account of anna (password wonder-1; oPodSync also anna__abcdef0123) on 127.0.0.1 and
    prints the port. Control requests:
      POST /control/actions          actions of another device, as an array
      GET  /control/actions          the actions that are kept, one a line
      /control/subscribe?url=URL     another device subscribes; unsubscribe?url=URL
      GET  /control/subscriptions    the subscriptions, one a line
      /control/confirm               a person confirms the login of Nextcloud
      /control/fault?on=CALL&do=FAULT[&times=N]   CALL: login, devices, subscriptions-get,
          subscriptions-post, actions-get, actions-post; /control/calm forgets all faults
    FAULT: fail (500), fail-after (keeps it, then 500), wait (429, Retry-After: 30), busy (503),
      denied (401), gone (404), page (a web page), huge (65 MiB), lose-after (keeps it, answers
      nothing), hang-after (keeps it, never answers), cut (half of the answer)


    """
}

/// The kind of server whose quirks are imitated.
enum ServerKind: String, Sendable {
  case gpodder, nextcloud, opodsync
}
