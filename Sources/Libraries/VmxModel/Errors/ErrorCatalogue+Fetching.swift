// The catalogue entries of failures between a source and a complete file.
extension ErrorCode {
  var networkEntry: Entry {
    switch self {
    case .hostUnreachable:
      Entry(
        .unavailable, .later, "cannot reach the server",
        "check the address and the network, then run the command again")
    case .offline:
      Entry(
        .tryLater, .wait(.offline), "no network route to the server",
        "connect to a network; the next 'vmx fetch' resumes the episode")
    case .netStalled:
      Entry(
        .unavailable, .later, "the transfer stalled",
        "run the command again, received bytes are kept; network.stall-time allows longer silence")
    case .netReset:
      Entry(
        .unavailable, .later, "the connection was lost",
        "run the command again; received bytes are kept")
    case .bodyCut:
      Entry(
        .unavailable, .later, "the response ended before all bytes were received",
        "run the command again; without a length, give it with 'vmx add --size SIZE URL'")
    case .tlsFailed:
      Entry(
        .protocolError, .never, "the server's certificate or TLS connection is not valid",
        "check the clock and the address; vmx never accepts an invalid certificate")
    case .redirectRefused:
      Entry(
        .protocolError, .never, "the server redirects to a URL that vmx does not follow",
        "give the final URL; only http and https are followed, and never from https to http")
    case .addressRefused:
      Entry(
        .notPermitted, .never, "an untrusted address leads to a loopback or private network",
        "add the URL that it leads to yourself, if you trust that host")
    case .redirectLoop:
      Entry(
        .protocolError, .never, "too many redirects",
        "give the final URL")
    case .protocolBroken:
      Entry(
        .protocolError, .later, "the server's response is not HTTP",
        "check the address and any proxy")
    case .httpDenied:
      Entry(
        .notPermitted, .never, "the server denies access",
        "add the URL again with a valid user and password")
    case .httpGone:
      Entry(
        .unavailable, .never, "the server does not have the file",
        "add another source with 'vmx add --to ID URL'; 'vmx fetch ID' tries again")
    case .httpRefused:
      Entry(
        .protocolError, .never, "the server refuses the request",
        "check the URL; 'vmx fetch ID' tries again")
    case .httpFailing:
      Entry(
        .unavailable, .later, "the server keeps failing",
        "run the command again later; received bytes are kept")
    case .interrupted:
      Entry(
        .tryLater, .later, "interrupted before the file was complete",
        "run the command again; received bytes are kept")
    default:
      Entry(
        .tryLater, .wait(.backoff), "the server asked to wait",
        "wait until then, or run 'vmx fetch ID' to try once earlier")
    }
  }

  var policyEntry: Entry {
    switch self {
    case .networkMetered:
      Entry(
        .tryLater, .wait(.metered), "the network is metered",
        "connect to another network, or run 'vmx fetch --allow-metered'")
    case .capReached:
      Entry(
        .tryLater, .wait(.quota), "this month's data limit of the network is reached",
        "wait for the next month, or raise network.cap")
    case .outsideWindow:
      Entry(
        .tryLater, .wait(.window), "the present time is outside network.window",
        "wait until network.window opens, or change it")
    case .quotaReached:
      Entry(
        .tryLater, .wait(.quota), "the library has reached its quota",
        "remove episodes, or raise library.quota; the trash is not counted")
    case .predecessorFirst:
      Entry(
        .tryLater, .wait(.after), "another episode must be ready first",
        "fetch that one first, or remove the dependency with 'vmx queue after ID --none'")
    case .licencePending:
      Entry(
        .tryLater, .wait(.licence), "the licence is not valid yet",
        "wait until it is; 'vmx licence ID' shows from when")
    case .licenceUsedUp:
      Entry(
        .tryLater, .wait(.licence), "the provider allows no more downloads for now",
        "run 'vmx fetch' after the given time, or 'vmx licence refresh ID' now")
    case .expired:
      Entry(
        .notPermitted, .never, "the episode has expired",
        "add its description again if it has a later 'expires'")
    default:
      Entry(
        .tryLater, .later, "the run has reached its limit of bytes or time",
        "run the command again; received bytes are kept")
    }
  }

  var bodyEntry: Entry {
    switch self {
    case .sourceUnsupported:
      Entry(
        .dataError, .never, "sources of this kind cannot be fetched",
        "give the http or https URL of a whole file")
    case .noSource:
      Entry(
        .noInput, .never, "the file has no known source",
        "give the file with 'vmx add --id ID FILE', or a URL with 'vmx add --to ID URL'")
    case .noSuchQuality:
      Entry(
        .unavailable, .never, "the requested quality is not available",
        "run 'vmx show ID' for the available ones, and choose one with --quality")
    case .sourceChanged:
      Entry(
        .protocolError, .later, "the file on the server has changed",
        "run the command again; the download restarts")
    case .rangeBroken:
      Entry(
        .protocolError, .later, "the server sent another range than requested",
        "run the command again; received bytes are kept")
    case .digestMismatch:
      Entry(
        .protocolError, .never, "the bytes do not match the published digest",
        "check the given digest; 'vmx fetch ID' downloads the file again")
    case .sizeMismatch:
      Entry(
        .protocolError, .never, "the size does not match the published size",
        "check the given size; 'vmx fetch ID' downloads the file again")
    case .emptyBody:
      Entry(
        .protocolError, .later, "the server sent an empty file",
        "check the URL; 'vmx fetch ID' tries again")
    case .notMedia:
      Entry(
        .protocolError, .later, "the received file is not a video",
        "open the URL in a browser, since it may show a login page; 'vmx feed add URL' subscribes "
          + "to a feed; \(SourceAdvice.page)")
    case .mediaTruncated:
      Entry(
        .tryLater, .wait(.backoff), "the source has only a part of the file so far",
        "wait until the source has the whole file; 'vmx fetch ID' tries again now")
    case .typeMismatch:
      Entry(
        .protocolError, .later, "the file has another type than declared",
        "open the URL in a browser, and check the given type")
    case .encodedBody:
      Entry(
        .protocolError, .never, "the server sends the file only with a content encoding",
        "use another source")
    default:
      Entry(
        .protocolError, .never, "the response is larger than allowed for this kind of file",
        "check the URL")
    }
  }

  var contentEntry: Entry {
    switch self {
    case .notSubtitle:
      Entry(
        .protocolError, .later, "the received file is not a subtitle",
        "open the URL in a browser, since it may show a web page")
    case .notImage:
      Entry(
        .protocolError, .later, "the received file is not an image",
        "open the URL in a browser, since it may show a web page")
    case .notKey:
      Entry(
        .protocolError, .later, "the received file is not a licence key",
        "check that the licence is still valid; 'vmx fetch ID' tries again")
    case .keyForeign:
      Entry(
        .notPermitted, .never, "the licence key is for another episode",
        "add the episode again with the URL of its own key")
    default:
      Entry(
        .notPermitted, .never, "the licence key has expired",
        "renew the licence; 'vmx fetch ID' requests the key again")
    }
  }
}
