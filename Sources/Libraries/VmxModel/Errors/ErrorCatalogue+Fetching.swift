// The catalogue entries of failures between a source and a complete file.
extension ErrorCode {
  var networkEntry: Entry {
    switch self {
    case .hostUnreachable:
      Entry(
        .unavailable, .later, sentence: "cannot reach the server",
        hint: "check the address and the network, then run the command again")
    case .offline:
      Entry(
        .tryLater, .wait(.offline), sentence: "no network route to the server",
        hint: "connect to a network; the next 'vmx fetch' resumes the episode")
    case .netStalled:
      Entry(
        .unavailable, .later, sentence: "the transfer stalled",
        hint:
          "run the command again, received bytes are kept; network.stall-time allows longer silence"
      )
    case .netReset:
      Entry(
        .unavailable, .later, sentence: "the connection was lost",
        hint: "run the command again; received bytes are kept")
    case .bodyCut:
      Entry(
        .unavailable, .later, sentence: "the response ended before all bytes were received",
        hint: "run the command again; without a length, give it with 'vmx add --size SIZE URL'")
    case .tlsFailed:
      Entry(
        .protocolError, .never, sentence: "the server's certificate or TLS connection is not valid",
        hint: "check the clock and the address; vmx never accepts an invalid certificate")
    case .redirectRefused:
      Entry(
        .protocolError, .never, sentence: "the server redirects to a URL that vmx does not follow",
        hint: "give the final URL; only http and https are followed, and never from https to http")
    case .addressRefused:
      Entry(
        .notPermitted, .never,
        sentence: "an untrusted address leads to a loopback or private network",
        hint: "add the URL that it leads to yourself, if you trust that host")
    case .redirectLoop:
      Entry(
        .protocolError, .never, sentence: "too many redirects",
        hint: "give the final URL")
    case .protocolBroken:
      Entry(
        .protocolError, .later, sentence: "the server's response is not HTTP",
        hint: "check the address and any proxy")
    case .httpDenied:
      Entry(
        .notPermitted, .never, sentence: "the server denies access",
        hint: "add the URL again with a valid user and password")
    case .httpGone:
      Entry(
        .unavailable, .never, sentence: "the server does not have the file",
        hint: "add another source with 'vmx add --to ID URL'; 'vmx fetch ID' tries again")
    case .httpRefused:
      Entry(
        .protocolError, .never, sentence: "the server refuses the request",
        hint: "check the URL; 'vmx fetch ID' tries again")
    case .httpFailing:
      Entry(
        .unavailable, .later, sentence: "the server keeps failing",
        hint: "run the command again later; received bytes are kept")
    case .interrupted:
      Entry(
        .tryLater, .later, sentence: "interrupted before the file was complete",
        hint: "run the command again; received bytes are kept")
    default:
      Entry(
        .tryLater, .wait(.backoff), sentence: "the server asked to wait",
        hint: "wait until then, or run 'vmx fetch ID' to try once earlier")
    }
  }

  var policyEntry: Entry {
    switch self {
    case .networkMetered:
      Entry(
        .tryLater, .wait(.metered), sentence: "the network is metered",
        hint: "connect to another network, or run 'vmx fetch --allow-metered'")
    case .capReached:
      Entry(
        .tryLater, .wait(.quota), sentence: "this month's data limit of the network is reached",
        hint: "wait for the next month, or raise network.cap")
    case .outsideWindow:
      Entry(
        .tryLater, .wait(.window), sentence: "the present time is outside network.window",
        hint: "wait until network.window opens, or change it")
    case .quotaReached:
      Entry(
        .tryLater, .wait(.quota), sentence: "the library has reached its quota",
        hint: "remove episodes, or raise library.quota; the trash is not counted")
    case .predecessorFirst:
      Entry(
        .tryLater, .wait(.after), sentence: "another episode must be ready first",
        hint: "fetch that one first, or remove the dependency with 'vmx queue after ID --none'")
    case .licencePending:
      Entry(
        .tryLater, .wait(.licence), sentence: "the licence is not valid yet",
        hint: "wait until it is; 'vmx licence ID' shows from when")
    case .licenceUsedUp:
      Entry(
        .tryLater, .wait(.licence), sentence: "the provider allows no more downloads for now",
        hint: "run 'vmx fetch' after the given time, or 'vmx licence refresh ID' now")
    case .expired:
      Entry(
        .notPermitted, .never, sentence: "the episode has expired",
        hint: "add its description again if it has a later 'expires'")
    default:
      Entry(
        .tryLater, .later, sentence: "the run has reached its limit of bytes or time",
        hint: "run the command again; received bytes are kept")
    }
  }

  var bodyEntry: Entry {
    switch self {
    case .sourceUnsupported:
      Entry(
        .dataError, .never, sentence: "sources of this kind cannot be fetched",
        hint: "give the http or https URL of a whole file")
    case .noSource:
      Entry(
        .noInput, .never, sentence: "the file has no known source",
        hint: "give the file with 'vmx add --id ID FILE', or a URL with 'vmx add --to ID URL'")
    case .noSuchQuality:
      Entry(
        .unavailable, .never, sentence: "the requested quality is not available",
        hint: "run 'vmx show ID' for the available ones, and choose one with --quality")
    case .sourceChanged:
      Entry(
        .protocolError, .later, sentence: "the file on the server has changed",
        hint: "run the command again; the download restarts")
    case .rangeBroken:
      Entry(
        .protocolError, .later, sentence: "the server sent another range than requested",
        hint: "run the command again; received bytes are kept")
    case .digestMismatch:
      Entry(
        .protocolError, .never, sentence: "the bytes do not match the published digest",
        hint: "check the given digest; 'vmx fetch ID' downloads the file again")
    case .sizeMismatch:
      Entry(
        .protocolError, .never, sentence: "the size does not match the published size",
        hint: "check the given size; 'vmx fetch ID' downloads the file again")
    case .emptyBody:
      Entry(
        .protocolError, .later, sentence: "the server sent an empty file",
        hint: "check the URL; 'vmx fetch ID' tries again")
    case .notMedia:
      Entry(
        .protocolError, .later, sentence: "the received file is not a video",
        hint:
          "open the URL in a browser, since it may show a login page; 'vmx feed add URL' subscribes "
          + "to a feed; \(SourceAdvice.page)")
    case .mediaTruncated:
      Entry(
        .tryLater, .wait(.backoff), sentence: "the source has only a part of the file so far",
        hint: "wait until the source has the whole file; 'vmx fetch ID' tries again now")
    case .typeMismatch:
      Entry(
        .protocolError, .later, sentence: "the file has another type than declared",
        hint: "open the URL in a browser, and check the given type")
    case .encodedBody:
      Entry(
        .protocolError, .never, sentence: "the server sends the file only with a content encoding",
        hint: "use another source")
    default:
      Entry(
        .protocolError, .never,
        sentence: "the response is larger than allowed for this kind of file",
        hint: "check the URL")
    }
  }

  var contentEntry: Entry {
    switch self {
    case .notSubtitle:
      Entry(
        .protocolError, .later, sentence: "the received file is not a subtitle",
        hint: "open the URL in a browser, since it may show a web page")
    case .notImage:
      Entry(
        .protocolError, .later, sentence: "the received file is not an image",
        hint: "open the URL in a browser, since it may show a web page")
    case .notKey:
      Entry(
        .protocolError, .later, sentence: "the received file is not a licence key",
        hint: "check that the licence is still valid; 'vmx fetch ID' tries again")
    case .keyForeign:
      Entry(
        .notPermitted, .never, sentence: "the licence key is for another episode",
        hint: "add the episode again with the URL of its own key")
    default:
      Entry(
        .notPermitted, .never, sentence: "the licence key has expired",
        hint: "renew the licence; 'vmx fetch ID' requests the key again")
    }
  }
}
