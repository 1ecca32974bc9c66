// The catalogue entries of the sync of subscriptions and watched marks.
extension ErrorCode {
  var syncEntry: Entry {
    switch self {
    case .noSyncAccount:
      Entry(
        .configuration, .never, "there is no account at a server to sync with",
        "'vmx sync login URL' logs in at one")
    case .passwordNeeded:
      Entry(
        .notPermitted, .never, "a password is needed, and there is none",
        "run the command on a terminal, or give it through a descriptor: --password-fd 3 3<file")
    case .authRefused:
      Entry(
        .notPermitted, .never, "the server refuses the user or the password",
        "'vmx sync login URL' asks for them again; nothing that waits is lost")
    case .notASyncServer:
      Entry(
        .unavailable, .never, "the server has neither the API of gpodder.net nor Nextcloud's",
        "give the address of the server's root; Nextcloud needs the app 'GPodder Sync'")
    case .syncUnreadable:
      Entry(
        .protocolError, .later, "the server did not answer as such servers do",
        "try again later; nothing that waits is lost")
    case .syncRefused:
      Entry(
        .dataError, .never, "the server refuses this address or this action",
        "it is not sent again; a feed is sent again after 'vmx sync now --full'")
    default:
      Entry(
        .usage, .never, "more subscriptions would end at once than is usual",
        "look at 'vmx sync now --dry-run', and add --yes if that is meant")
    }
  }
}
