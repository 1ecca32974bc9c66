// The catalogue entries of feeds, the show catalogue, licences, reports, parental control and sync.
extension ErrorCode {
  var feedEntry: Entry {
    switch self {
    case .notAFeed:
      Entry(
        .dataError, .never, sentence: "the document is not a readable feed",
        hint: "open the URL in a browser; the page often links to the feed")
    default:
      Entry(
        .noInput, .never, sentence: "no feed has this id or URL",
        hint: "run 'vmx feed list' for the list of feeds")
    }
  }

  var catalogueEntry: Entry {
    switch self {
    case .notInCatalogue:
      Entry(
        .noInput, .never, sentence: "the catalogue has no such show, episode or person",
        hint: "run 'vmx search TEXT' to find shows, 'vmx search --people TEXT' to find people")
    default:
      Entry(
        .protocolError, .later, sentence: "cannot read the catalogue's response",
        hint: "run the command again later, or with --offline to use the cache")
    }
  }

  var licenceEntry: Entry {
    switch self {
    case .notALicence:
      Entry(
        .dataError, .never, sentence: "the document is not a readable licence",
        hint: "request the licence from the provider again; an existing one is not changed")
    case .licenceForeign:
      Entry(
        .notPermitted, .never,
        sentence: "the licence differs from, or is older than, the one in the library",
        hint: "give another id, or remove the episode with its present licence first")
    case .licenceMissing:
      Entry(
        .noInput, .never, sentence: "the episode has no licence",
        hint: "run 'vmx add --licence FILE --id ID' to add one")
    case .licenceEnded:
      Entry(
        .notPermitted, .never, sentence: "the licence of the episode has ended",
        hint: "run 'vmx licence ID' for the reason and the provider's offers")
    case .licenceNotOffered:
      Entry(
        .unavailable, .never, sentence: "the provider does not offer this for the licence",
        hint: "run 'vmx licence ID' for its offers")
    default:
      Entry(
        .notPermitted, .never, sentence: "the provider refused the request",
        hint: "run 'vmx licence ID' for the state of the licence, which is unchanged")
    }
  }

  var reportEntry: Entry {
    switch self {
    case .reportWaits:
      Entry(
        .tryLater, .later, sentence: "the backend failed or asked to wait, and vmx retries later",
        hint: "run 'vmx report' later; the events stay recorded, and 'vmx fetch' sends them too")
    case .reportRefused:
      Entry(
        .dataError, .never, sentence: "the backend permanently refused an event",
        hint: "ask the provider for the reason; the event is dropped, and the others are sent")
    case .reportFailed:
      Entry(
        .unavailable, .later, sentence: "the backend did not accept the events",
        hint: "run 'vmx report' later; the events stay recorded, and 'vmx fetch' sends them too")
    default:
      Entry(
        .notPermitted, .never, sentence: "an order of the backend was refused",
        hint: "set 'report.orders' to the orders that the backend may give")
    }
  }

  var lockEntry: Entry {
    switch self {
    case .pinNeeded:
      Entry(
        .notPermitted, .never, sentence: "a PIN is required",
        hint:
          "run the command on a terminal, or give the PIN through a descriptor: --pin-fd 3 3<file")
    case .pinWrong:
      Entry(
        .notPermitted, .never, sentence: "the PIN is wrong",
        hint: "try again; after three wrong PINs each further attempt is delayed")
    case .pinDelayed:
      Entry(
        .notPermitted, .never, sentence: "too many wrong PINs",
        hint: "wait as long as 'vmx lock status' shows, then try again")
    default:
      Entry(
        .notPermitted, .never, sentence: "blocked by parental control",
        hint: "run 'vmx lock unlock' to enter the PIN")
    }
  }

  var syncEntry: Entry {
    switch self {
    case .noSyncAccount:
      Entry(
        .configuration, .never, sentence: "the library has no sync account",
        hint: "run 'vmx sync login URL' to log in to a server")
    case .passwordNeeded:
      Entry(
        .notPermitted, .never, sentence: "a password is required",
        hint:
          "run the command on a terminal, or give it through a descriptor: --password-fd 3 3<file")
    case .authRefused:
      Entry(
        .notPermitted, .never, sentence: "the server refused the user or the password",
        hint: "run 'vmx sync login URL' to enter them again; pending changes are kept")
    case .notASyncServer:
      Entry(
        .unavailable, .never,
        sentence: "the server has neither the gpodder.net API nor Nextcloud's",
        hint: "give the root address of the server; Nextcloud needs the app 'GPodder Sync'")
    case .syncUnreadable:
      Entry(
        .protocolError, .later, sentence: "cannot read the server's response",
        hint: "try again later; pending changes are kept")
    case .syncRefused:
      Entry(
        .dataError, .never, sentence: "the server refused the address or the action",
        hint: "run 'vmx sync now --full' to send a feed again; an action is not sent again")
    default:
      Entry(
        .usage, .never, sentence: "unusually many subscriptions would end at once",
        hint: "check with 'vmx sync now --dry-run', then add --yes to confirm")
    }
  }
}
