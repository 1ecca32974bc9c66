extension ErrorCode {
  /// What the catalogue says of a code.
  package struct Entry: Sendable {
    /// What happened, as one sentence without a full stop.
    package let sentence: String
    /// What to do next, as one sentence without a full stop.
    package let hint: String
    /// What the runner makes of it.
    package let retry: RetryClass
    /// The exit status when everything failed in this way.
    package let status: ExitStatus

    fileprivate init(
      _ status: ExitStatus, _ retry: RetryClass, _ sentence: String, _ hint: String
    ) {
      self.sentence = sentence
      self.hint = hint
      self.retry = retry
      self.status = status
    }
  }

  /// The row of this code: the one table behind records, messages, `vmx explain` and the manual.
  package var entry: Entry {
    switch self {
    case .usage, .unknownCommand, .toolBroken, .badLine, .badID, .badURL, .badSetting, .ambiguous,
      .idTaken,
      .noSuchEpisode, .noSuchCode, .noFile, .inputMissing, .inputChanged, .held, .afterCycle,
      .outputFailed,
      .resourcesShort, .hookFailed, .userManagerAway, .internalError:
      inputEntry
    case .lockBusy, .lockUnsupported, .storeUnreadable, .storeDamaged, .lineDamaged, .storeTooNew,
      .storeTooOld, .storeFull, .storeNotDurable, .storeOnNetwork, .clockSuspect, .secretMissing,
      .accessLoose:
      storeEntry
    case .hostUnreachable, .offline, .netStalled, .netReset, .bodyCut, .tlsFailed,
      .redirectRefused, .addressRefused, .redirectLoop, .protocolBroken, .httpDenied, .httpGone,
      .httpRefused,
      .httpFailing, .rateLimited, .interrupted:
      networkEntry
    case .networkMetered, .capReached, .outsideWindow, .quotaReached, .budgetSpent,
      .predecessorFirst:
      policyEntry
    case .sourceUnsupported, .noSuchQuality, .sourceChanged, .rangeBroken, .digestMismatch,
      .sizeMismatch, .emptyBody, .notMedia, .typeMismatch, .encodedBody, .bodyTooLarge:
      bodyEntry
    case .notSubtitle, .notImage, .notKey, .keyForeign, .keyExpired:
      contentEntry
    case .diskFull, .nameTaken, .rootAway, .rootForeign, .mediaUnwritable, .partLost:
      libraryEntry
    }
  }

  private var inputEntry: Entry {
    switch self {
    case .unknownCommand:
      Entry(
        .usage, .never, "no tool of this name was found",
        "run 'vmx help -a' for the list of tools")
    case .toolBroken:
      Entry(
        .configuration, .never, "the tool was found but cannot be run",
        "check the file, its mode and its first line")
    case .badLine:
      Entry(
        .dataError, .never, "a line of the input is not what the tool takes",
        "mend that line; the others were handled")
    case .badID:
      Entry(
        .dataError, .never, "the text is not an episode id",
        "write show/episode, each half of a-z, 0-9, '.', '_' and '-', at most 100 bytes")
    case .badURL:
      Entry(
        .dataError, .never, "the text is not a URL that can be fetched",
        "give an absolute http or https URL without blanks or control characters")
    case .badSetting:
      Entry(
        .configuration, .never, "a setting has a value it cannot have",
        "correct the named line of the settings file")
    case .ambiguous:
      Entry(
        .dataError, .never, "the description fits two different episodes",
        "name the one you mean with --id, or rename one of them")
    case .idTaken:
      Entry(
        .cannotCreate, .never, "the id already belongs to another episode",
        "choose another id, or rename the other episode first")
    case .noSuchEpisode:
      Entry(
        .noInput, .never, "no episode has this id",
        "run 'vmx list' for the ids there are")
    case .noSuchCode:
      Entry(
        .noInput, .never, "no error has this code",
        "run 'vmx explain' for the codes there are")
    case .noFile:
      Entry(
        .noInput, .never, "the episode has no such file yet",
        "run 'vmx fetch' with its id, or 'vmx show' to see why it is not there")
    case .inputMissing:
      Entry(
        .noInput, .never, "an input file cannot be read",
        "check the path and its permissions")
    case .inputChanged:
      Entry(
        .dataError, .never, "an input file changed while it was read",
        "wait until nothing writes to it and run the command again")
    case .held:
      Entry(
        .success, .never, "the episode is not wanted now",
        "'vmx queue add ID' asks for it, 'vmx queue resume ID' lets it go on")
    case .afterCycle:
      Entry(
        .usage, .never, "the episodes would wait for each other for ever",
        "'vmx queue after ID --none' takes back what an episode comes after")
    case .userManagerAway:
      Entry(
        .unavailable, .never, "the systemd of your session did not do what it was asked",
        "in a session of your own: systemctl --user enable --now vmx-fetch.timer")
    case .outputFailed:
      Entry(
        .ioError, .never, "the result could not be written to standard output",
        "check where the output goes; what was done is recorded")
    case .resourcesShort:
      Entry(
        .tryLater, .later, "the system refuses more memory, threads, processes or open files",
        "end other programs, or raise the limits that 'ulimit -a' shows")
    case .hookFailed:
      Entry(
        .success, .never, "a command of the setting 'hook' did not do its work",
        "try the command by hand; what became of the episode is not touched by it")
    case .internalError:
      Entry(
        .internalError, .never, "vmx did something it never should",
        "please report this with the command you ran and what 'vmx doctor --report' prints")
    default:
      Entry(
        .usage, .never, "the command line is not one the tool takes",
        "run the tool with --help for its options")
    }
  }

  private var storeEntry: Entry {
    switch self {
    case .lockBusy:
      Entry(
        .tryLater, .later, "another vmx holds the lock",
        "wait for it to end, or give a longer --lock-timeout")
    case .lockUnsupported:
      Entry(
        .configuration, .never, "the file system has no byte-range locks",
        "move VMX_HOME to a file system that has them")
    case .storeUnreadable:
      Entry(
        .ioError, .later, "the store cannot be read or written",
        "check that VMX_HOME is there and is yours")
    case .storeDamaged:
      Entry(
        .dataError, .never, "the store is damaged beyond single lines",
        "run 'vmx doctor', which tells what is damaged, and 'vmx doctor --mend'")
    case .lineDamaged:
      Entry(
        .dataError, .never, "a line of the store cannot be read; the one before it counts",
        "run 'vmx doctor --mend', which puts it aside in store.damaged")
    case .storeTooNew:
      Entry(
        .configuration, .never, "the store was written by a later vmx",
        "install that version or a later one")
    case .storeTooOld:
      Entry(
        .configuration, .never, "the store has an older format that is only read",
        "keep a copy of it; this version does not rewrite it")
    case .storeFull:
      Entry(
        .ioError, .later, "the store has no room to grow",
        "free space on the disk that holds VMX_HOME")
    case .storeNotDurable:
      Entry(
        .ioError, .never, "the disk did not confirm that the store was written",
        "check the disk that holds VMX_HOME, then run the command again")
    case .storeOnNetwork:
      Entry(
        .configuration, .never, "the store lies on a network file system",
        "move VMX_HOME to a local disk, or set core.network-store if its locks can be trusted")
    case .clockSuspect:
      Entry(
        .tryLater, .later, "the clock disagrees with the store",
        "set the clock; nothing expires until then")
    case .accessLoose:
      Entry(
        .notPermitted, .never, "others may read or change what is private",
        "run 'vmx doctor --mend', or take the permissions away with chmod")
    default:
      Entry(
        .notPermitted, .never, "the password or token of this source is not kept here",
        "add the episode again with the whole URL")
    }
  }

  private var networkEntry: Entry {
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
        "run the command again; what has come is kept")
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
        "look for another source and add it; 'vmx fetch ID' asks once more")
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
        "nothing to do: the episode goes on when the time has come")
    }
  }

  private var policyEntry: Entry {
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
    default:
      Entry(
        .tryLater, .later, "the run has reached a limit of its own",
        "run the command again; what has come is kept")
    }
  }

  private var bodyEntry: Entry {
    switch self {
    case .sourceUnsupported:
      Entry(
        .dataError, .never, "this kind of source cannot be fetched",
        "give the URL of a whole file over http or https")
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
        "open the URL in a browser: a login page may stand before it")
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

  private var contentEntry: Entry {
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

  private var libraryEntry: Entry {
    switch self {
    case .diskFull:
      Entry(
        .tryLater, .wait(.space), "there is no room for the file",
        "free space on that disk; the episode goes on in the next run")
    case .nameTaken:
      Entry(
        .cannotCreate, .never, "a file that is not ours has the name",
        "move that file away")
    case .rootAway:
      Entry(
        .tryLater, .wait(.rootAway), "the folder of the library is not there",
        "mount the disk that holds it")
    case .rootForeign:
      Entry(
        .configuration, .never, "the folder belongs to another library",
        "check that the right disk is mounted there")
    case .partLost:
      Entry(
        .ioError, .later, "bytes that were fetched are gone from the disk",
        "run the command again; they are fetched anew")
    default:
      Entry(
        .ioError, .later, "a file of the library cannot be read or written",
        "check the disk and its permissions")
    }
  }
}
