// The catalogue entries of failures between a source and a complete file.
extension ErrorCode {
  var networkEntry: Entry {
    switch self {
    case .hostUnreachable:
      Entry(
        .unavailable, .later, "the server could not be reached",
        "check the address and the network, then run the command again")
    case .offline:
      Entry(
        .tryLater, .wait(.offline), "there is no network that leads there",
        "connect to a network; the episode goes on in the next run")
    case .netStalled:
      Entry(
        .unavailable, .later, "the server sent next to nothing for too long",
        "run the command again; what has come is kept")
    case .netReset:
      Entry(
        .unavailable, .later, "the connection broke",
        "run the command again; what has come is kept")
    case .bodyCut:
      Entry(
        .unavailable, .later, "the answer ended before all bytes had come",
        "run the command again; where no length is sent, 'vmx add --size SIZE URL' gives it")
    case .tlsFailed:
      Entry(
        .protocolError, .never, "the server's certificate or its TLS is not acceptable",
        "check the clock and the address; vmx never goes on without a valid certificate")
    case .redirectRefused:
      Entry(
        .protocolError, .never, "the server redirects to where vmx does not follow",
        "only http and https are followed, and never from https to http")
    case .addressRefused:
      Entry(
        .notPermitted, .never, "an address from elsewhere leads into a loopback or private net",
        "add the URL that it leads to yourself, if that host may be asked")
    case .redirectLoop:
      Entry(
        .protocolError, .never, "the server redirects too many times",
        "give the final URL")
    case .protocolBroken:
      Entry(
        .protocolError, .later, "the server's answer is not HTTP",
        "check the address and any proxy between")
    case .httpDenied:
      Entry(
        .notPermitted, .never, "the server denies access",
        "add the URL again with a valid user and password")
    case .httpGone:
      Entry(
        .unavailable, .never, "the server does not have the file",
        "add another source with 'vmx add --to ID URL'; 'vmx fetch ID' asks once more")
    case .httpRefused:
      Entry(
        .protocolError, .never, "the server refuses the request",
        "check the URL; 'vmx fetch ID' asks once more")
    case .httpFailing:
      Entry(
        .unavailable, .later, "the server keeps failing",
        "run the command again later; what has come is kept")
    case .interrupted:
      Entry(
        .tryLater, .later, "the run was ended before the file was whole",
        "run the command again; what has come is kept")
    default:
      Entry(
        .tryLater, .wait(.backoff), "the server asks to wait",
        "the episode goes on when the time has come; 'vmx fetch ID' asks once before")
    }
  }

  var catalogueEntry: Entry {
    switch self {
    case .notInCatalogue:
      Entry(
        .noInput, .never, "the catalogue has no such show, episode or person",
        "'vmx search TEXT' finds shows, 'vmx search --people TEXT' people")
    default:
      Entry(
        .protocolError, .later, "the catalogue's answer cannot be read",
        "run the command again later, or with --offline for what the cache has")
    }
  }

  var policyEntry: Entry {
    switch self {
    case .networkMetered:
      Entry(
        .tryLater, .wait(.metered), "the network is paid for by the byte",
        "connect to another network, or run 'vmx fetch --allow-metered'")
    case .capReached:
      Entry(
        .tryLater, .wait(.quota), "the network's bytes for this month are used up",
        "nothing to do: the episode goes on in the next month, or raise network.cap")
    case .outsideWindow:
      Entry(
        .tryLater, .wait(.window), "this is not a time of day for fetching",
        "nothing to do: the episode goes on within the times that network.window gives")
    case .quotaReached:
      Entry(
        .tryLater, .wait(.quota), "the library may not hold more bytes",
        "remove what is not needed, or raise library.quota")
    case .predecessorFirst:
      Entry(
        .tryLater, .wait(.after), "another episode is to be ready before it",
        "fetch that one first, or lift it with 'vmx queue after ID --none'")
    case .licencePending:
      Entry(
        .tryLater, .wait(.licence), "the rights of its licence begin later",
        "nothing to do: the episode goes on when they begin; 'vmx licence ID' tells when")
    case .licenceUsedUp:
      Entry(
        .tryLater, .wait(.licence), "the provider allows no more downloads for now",
        "when the time has come, the next 'vmx fetch' asks again, or 'vmx licence refresh ID'")
    case .expired:
      Entry(
        .notPermitted, .never, "the episode may no longer be watched",
        "add its description again with a later 'expires', if it has one")
    default:
      Entry(
        .tryLater, .later, "the run has reached a limit of its own",
        "run the command again; what has come is kept")
    }
  }

  var bodyEntry: Entry {
    switch self {
    case .sourceUnsupported:
      Entry(
        .dataError, .never, "this kind of source cannot be fetched",
        "give the URL of a whole file over http or https")
    case .noSource:
      Entry(
        .noInput, .never, "no source of the file is known",
        "give the file with 'vmx add --id ID FILE', or a URL with 'vmx add --to ID URL'")
    case .noSuchQuality:
      Entry(
        .unavailable, .never, "no file of the quality asked for is offered",
        "see 'vmx show ID' for those that are, and name another with --quality")
    case .sourceChanged:
      Entry(
        .protocolError, .later, "the server has another version of the file than before",
        "run the command again; the fetch starts afresh")
    case .rangeBroken:
      Entry(
        .protocolError, .later, "the server answered a range with other bytes than asked for",
        "run the command again; what has come is kept")
    case .digestMismatch:
      Entry(
        .protocolError, .never, "the bytes are not those that were published",
        "check the digest given; 'vmx fetch ID' fetches everything once more")
    case .sizeMismatch:
      Entry(
        .protocolError, .never, "the file is not as long as was published",
        "check the size given; 'vmx fetch ID' fetches everything once more")
    case .emptyBody:
      Entry(
        .protocolError, .later, "the server sent an empty file",
        "check the URL; 'vmx fetch ID' asks once more")
    case .notMedia:
      Entry(
        .protocolError, .later, "what came is no video",
        "open the URL in a browser, since a login page may stand before it; 'vmx feed add URL' follows "
          + "a feed; \(SourceAdvice.page)")
    case .typeMismatch:
      Entry(
        .protocolError, .later, "the server sends a file of another type than was declared",
        "open the URL in a browser, and check the type given")
    case .encodedBody:
      Entry(
        .protocolError, .never, "the server sends the file only in a coded form",
        "look for another source")
    default:
      Entry(
        .protocolError, .never, "the answer is larger than a file of this kind may be",
        "check the URL")
    }
  }

  var contentEntry: Entry {
    switch self {
    case .notSubtitle:
      Entry(
        .protocolError, .later, "what came are no subtitles",
        "open the URL in a browser: a page may stand before them")
    case .notImage:
      Entry(
        .protocolError, .later, "what came is no picture",
        "open the URL in a browser: a page may stand before it")
    case .notKey:
      Entry(
        .protocolError, .later, "what came is no licence key",
        "see whether the licence is still yours; 'vmx fetch ID' asks once more")
    case .keyForeign:
      Entry(
        .notPermitted, .never, "the licence key is for another episode",
        "add the episode again with the URL of its own key")
    default:
      Entry(
        .notPermitted, .never, "the licence key holds no longer",
        "renew the licence; 'vmx fetch ID' asks for the key once more")
    }
  }
}
