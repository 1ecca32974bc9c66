extension ErrorCode {
  /// The catalogue entry of a code.
  package struct Entry: Sendable {
    /// The description of the failure, as one sentence without a full stop.
    package let sentence: String
    /// The next step for the user, as one sentence without a full stop.
    package let hint: String
    /// How the runner treats the failure.
    package let retry: RetryClass
    /// The exit status if every item failed with this code.
    package let status: ExitStatus

    /// Returns the hint with the id of an episode in place of `ID`.
    package func hint(for id: EpisodeID) -> String {
      hint.split(separator: " ", omittingEmptySubsequences: false).map { word in
        let isPlaceholder = word == "ID" || word == "ID'"
        return isPlaceholder ? "\(id)\(word.dropFirst(2))" : String(word)
      }.joined(separator: " ")
    }

    init(
      _ status: ExitStatus, _ retry: RetryClass, _ sentence: String, _ hint: String
    ) {
      self.sentence = sentence
      self.hint = hint
      self.retry = retry
      self.status = status
    }
  }

  /// The entry of this code in the single table behind records, messages, `vmx explain` and the
  /// manual.
  package var entry: Entry {
    switch self {
    case .usage, .unknownCommand, .toolBroken, .badLine, .badID, .badURL, .badSetting,
      .unknownSetting,
      .ambiguous,
      .idTaken,
      .noSuchEpisode, .noSuchCode, .noFile, .inputMissing, .inputChanged, .recordUnreadable,
      .held, .afterCycle,
      .outputFailed,
      .resourcesShort, .hookFailed, .userManagerAway, .programMissing, .programFailed,
      .playerMissing, .playFailed, .internalError:
      inputEntry
    case .lockBusy, .lockUnsupported, .storeUnreadable, .storeDamaged, .storeLost,
      .lineDamaged, .storeTooNew, .storeTooOld, .storeFull, .storeNotDurable, .storeOnNetwork,
      .clockSuspect, .secretMissing, .secretLocked,
      .accessLoose:
      storeEntry
    case .hostUnreachable, .offline, .netStalled, .netReset, .bodyCut, .tlsFailed,
      .redirectRefused, .addressRefused, .redirectLoop, .protocolBroken, .httpDenied, .httpGone,
      .httpRefused,
      .httpFailing, .rateLimited, .interrupted:
      networkEntry
    case .networkMetered, .capReached, .outsideWindow, .quotaReached, .budgetSpent,
      .predecessorFirst, .licencePending, .licenceUsedUp, .expired:
      policyEntry
    case .sourceUnsupported, .noSource, .noSuchQuality, .sourceChanged, .rangeBroken,
      .digestMismatch, .sizeMismatch, .emptyBody, .notMedia, .typeMismatch, .encodedBody,
      .bodyTooLarge:
      bodyEntry
    case .notSubtitle, .notImage, .notKey, .keyForeign, .keyExpired:
      contentEntry
    case .diskFull, .nameTaken, .rootAway, .rootForeign, .mediaUnwritable, .partLost,
      .undoConflict, .undoImpossible:
      libraryEntry
    case .fileMissing, .fileDamaged, .fileMoved, .mediaBroken, .repairRefused: proofEntry
    case .needsFile, .fileTooLarge, .notABundle, .bundleDamaged, .bundleInvalid, .bundleTooLarge,
      .entryRefused,
      .passphraseNeeded, .passphraseWrong:
      bundleEntry
    case .notALicence, .licenceForeign, .licenceMissing, .licenceEnded, .licenceNotOffered,
      .licenceRefused:
      licenceEntry
    case .reportWaits, .reportRefused, .reportFailed, .orderRefused: reportEntry
    case .notAFeed, .noSuchFeed: feedEntry
    case .notInCatalogue, .catalogueUnreadable: catalogueEntry
    case .parental, .pinNeeded, .pinWrong, .pinDelayed: lockEntry
    case .noSyncAccount, .passwordNeeded, .authRefused, .notASyncServer, .syncUnreadable,
      .syncRefused, .manyRemovals:
      syncEntry
    case .planChanged, .fileUnknown, .freeUnreachable: cleaningEntry
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
    case .unknownSetting:
      Entry(
        .configuration, .never, "a setting has a name that vmx does not know",
        "correct the name; 'man vmx-config' lists all settings")
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
        "'vmx fetch ID' brings it here, 'vmx show ID' tells why it is not there")
    case .inputMissing:
      Entry(
        .noInput, .never, "an input file cannot be read",
        "check the path and its permissions")
    case .inputChanged:
      Entry(
        .dataError, .never, "an input file changed while it was read",
        "wait until nothing writes to it and run the command again")
    case .recordUnreadable:
      Entry(
        .dataError, .never, "a record of another program cannot be read",
        "look at it with the program that wrote it; what it describes is not taken")
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
        "in a session of your own: systemctl --user enable --now, and the name of the timer")
    case .programMissing:
      Entry(
        .unavailable, .never, "another program that this needs is not in PATH",
        "install it, or leave out the option that needs it")
    case .programFailed:
      Entry(
        .unavailable, .later, "another program did not do its work",
        "run the command again; if it fails again, try that program by hand")
    case .playerMissing:
      Entry(
        .configuration, .never, "no program that plays videos is installed",
        "install 'mpv' or 'vlc', or set VMX_PLAYER or player.command to a player")
    case .playFailed:
      Entry(
        .unavailable, .never, "the player could not play the file",
        "run 'vmx verify ID' to learn whether the file is whole, then try another player")
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
    case .storeLost:
      Entry(
        .dataError, .never, "the store of a library is lost, and its media are there",
        "'vmx migrate --rebuild' makes it anew from the sidecars; or put a backup in its place, or "
          + "move the folder of media away for a new library")
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
        "'vmx migrate --from vmx' rewrites it, and keeps the old file")
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
    case .secretLocked:
      Entry(
        .tryLater, .later, "the program that keeps a password did not give or take it",
        "unlock the keyring of the session and run the command again, or see secrets.store")
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
}
