// The catalogue entries of feeds, the show catalogue, licences, reports, parental control and sync.
extension ErrorCode {
  var feedEntry: Entry {
    switch self {
    case .notAFeed:
      Entry(
        .dataError, .never, "the document is not a readable feed",
        "open the URL in a browser; the page often links to the feed")
    default:
      Entry(
        .noInput, .never, "no feed has this id or URL", "run 'vmx feed list' for the list of feeds")
    }
  }

  var catalogueEntry: Entry {
    switch self {
    case .notInCatalogue:
      Entry(
        .noInput, .never, "the catalogue has no such show, episode or person",
        "run 'vmx search TEXT' to find shows, 'vmx search --people TEXT' to find people")
    default:
      Entry(
        .protocolError, .later, "cannot read the catalogue's response",
        "run the command again later, or with --offline to use the cache")
    }
  }

  var licenceEntry: Entry {
    switch self {
    case .notALicence:
      Entry(
        .dataError, .never, "the document is not a readable licence",
        "request the licence from the provider again; an existing one is not changed")
    case .licenceForeign:
      Entry(
        .notPermitted, .never, "the licence differs from, or is older than, the one in the library",
        "give another id, or remove the episode with its present licence first")
    case .licenceMissing:
      Entry(
        .noInput, .never, "the episode has no licence",
        "run 'vmx add --licence FILE --id ID' to add one")
    case .licenceEnded:
      Entry(
        .notPermitted, .never, "the licence of the episode has ended",
        "run 'vmx licence ID' for the reason and the provider's offers")
    case .licenceNotOffered:
      Entry(
        .unavailable, .never, "the provider does not offer this for the licence",
        "run 'vmx licence ID' for its offers")
    default:
      Entry(
        .notPermitted, .never, "the provider refused the request",
        "run 'vmx licence ID' for the state of the licence, which is unchanged")
    }
  }

  var reportEntry: Entry {
    switch self {
    case .reportWaits:
      Entry(
        .tryLater, .later, "the backend failed or asked to wait, and vmx retries later",
        "run 'vmx report' later; the events stay recorded, and 'vmx fetch' sends them too")
    case .reportRefused:
      Entry(
        .dataError, .never, "the backend permanently refused an event",
        "ask the provider for the reason; the event is dropped, and the others are sent")
    case .reportFailed:
      Entry(
        .unavailable, .later, "the backend did not accept the events",
        "run 'vmx report' later; the events stay recorded, and 'vmx fetch' sends them too")
    default:
      Entry(
        .notPermitted, .never, "an order of the backend was refused",
        "set 'report.orders' to the orders that the backend may give")
    }
  }

  var lockEntry: Entry {
    switch self {
    case .pinNeeded:
      Entry(
        .notPermitted, .never, "a PIN is required",
        "run the command on a terminal, or give the PIN through a descriptor: --pin-fd 3 3<file")
    case .pinWrong:
      Entry(
        .notPermitted, .never, "the PIN is wrong",
        "try again; after three wrong PINs each further attempt is delayed")
    case .pinDelayed:
      Entry(
        .notPermitted, .never, "too many wrong PINs",
        "wait as long as 'vmx lock status' shows, then try again")
    default:
      Entry(
        .notPermitted, .never, "blocked by parental control",
        "run 'vmx lock unlock' to enter the PIN")
    }
  }

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
