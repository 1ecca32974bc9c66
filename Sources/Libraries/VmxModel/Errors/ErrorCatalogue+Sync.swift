// The catalogue entries of the sync of subscriptions and watched marks.
extension ErrorCode {
  var syncEntry: Entry {
    switch self {
    case .noSyncAccount:
      Entry(
        .configuration, .never, "the library has no sync account",
        "run 'vmx sync login URL' to log in to a server")
    case .passwordNeeded:
      Entry(
        .notPermitted, .never, "a password is required",
        "run the command on a terminal, or give it through a descriptor: --password-fd 3 3<file")
    case .authRefused:
      Entry(
        .notPermitted, .never, "the server refused the user or the password",
        "run 'vmx sync login URL' to enter them again; pending changes are kept")
    case .notASyncServer:
      Entry(
        .unavailable, .never, "the server has neither the gpodder.net API nor Nextcloud's",
        "give the root address of the server; Nextcloud needs the app 'GPodder Sync'")
    case .syncUnreadable:
      Entry(
        .protocolError, .later, "cannot read the server's response",
        "try again later; pending changes are kept")
    case .syncRefused:
      Entry(
        .dataError, .never, "the server refused the address or the action",
        "run 'vmx sync now --full' to send a feed again; an action is not sent again")
    default:
      Entry(
        .usage, .never, "unusually many subscriptions would end at once",
        "check with 'vmx sync now --dry-run', then add --yes to confirm")
    }
  }
}
