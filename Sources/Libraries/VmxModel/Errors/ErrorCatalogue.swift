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
    func hint(for id: EpisodeID) -> String {
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

  /// Returns the next step for an episode: the catalogue's hint with its id, or the command that
  /// finds the file again on the page of the episode, since sites let the URLs of files expire.
  package func hint(for episode: Episode) -> String {
    guard self == .httpGone || self == .httpDenied, let page = episode.pageURL else {
      return entry.hint(for: episode.id)
    }
    return "the URL may have expired: run \(SourceAdvice.recipe(for: ShellWord.quoted(page))), "
      + "then 'vmx fetch \(episode.id)'"
  }

  /// The entry of this code in the single table behind records, messages, `vmx explain` and the
  /// manual.
  package var entry: Entry {
    switch self {
    case .usage, .unknownCommand, .toolBroken, .badLine, .badID, .badURL, .badSetting,
      .unknownSetting,
      .ambiguous,
      .idTaken,
      .idMismatch,
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
      .digestMismatch, .sizeMismatch, .emptyBody, .notMedia, .mediaTruncated, .typeMismatch,
      .encodedBody, .bodyTooLarge:
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
        .usage, .never, "no tool has this name",
        "run 'vmx help -a' for the list of tools")
    case .toolBroken:
      Entry(
        .configuration, .never, "cannot run the tool",
        "check the file, its mode and its first line")
    case .badLine:
      Entry(
        .dataError, .never, "a line of the input is not valid",
        "correct that line; the others were processed")
    case .badID:
      Entry(
        .dataError, .never, "the text is not an episode id",
        "write show/episode, each half of a-z, 0-9, '.', '_' and '-', at most 100 bytes")
    case .badURL:
      Entry(
        .dataError, .never, "the text is not a valid http or https URL",
        "give an absolute http or https URL without blanks or control characters")
    case .badSetting:
      Entry(
        .configuration, .never, "a setting has an invalid value",
        "correct the named line of the settings file")
    case .unknownSetting:
      Entry(
        .configuration, .never, "a setting has an unknown name",
        "correct the name; 'man vmx-config' lists all settings")
    case .ambiguous:
      Entry(
        .dataError, .never, "the description matches two different episodes",
        "choose one with --id, or rename one of them")
    case .idTaken:
      Entry(
        .cannotCreate, .never, "the id belongs to another episode",
        "choose another id, or rename the other episode first")
    case .idMismatch:
      Entry(
        .dataError, .never, "the source belongs to an episode with another id",
        "give that id with '--to', or rename the episode with 'vmx rename ID NEW'")
    case .noSuchEpisode:
      Entry(
        .noInput, .never, "no episode has this id",
        "run 'vmx list' for the list of ids")
    case .noSuchCode:
      Entry(
        .noInput, .never, "no error has this code",
        "run 'vmx explain' for the list of codes")
    case .noFile:
      Entry(
        .noInput, .never, "the episode has no such file yet",
        "run 'vmx fetch ID' to download it, or 'vmx show ID' to see why it is missing")
    case .inputMissing:
      Entry(
        .noInput, .never, "cannot read an input file",
        "check the path and its permissions")
    case .inputChanged:
      Entry(
        .dataError, .never, "an input file changed while it was read",
        "wait until no program writes to it, then run the command again")
    case .recordUnreadable:
      Entry(
        .dataError, .never, "cannot read a record of another program",
        "inspect it with the program that wrote it; what it describes is not imported")
    case .held:
      Entry(
        .success, .never, "the episode is on hold or not wanted",
        "run 'vmx queue add ID' to request it, or 'vmx queue resume ID' to release it")
    case .afterCycle:
      Entry(
        .usage, .never, "the episodes would wait for each other forever",
        "run 'vmx queue after ID --none' to remove a dependency")
    case .userManagerAway:
      Entry(
        .unavailable, .never, "the systemd user manager failed",
        "log in and run systemctl --user enable --now with the name of the unit")
    case .programMissing:
      Entry(
        .unavailable, .never, "a required program is not in PATH",
        "install it, or omit the option that needs it")
    case .programFailed:
      Entry(
        .unavailable, .later, "another program failed",
        "run the command again; if it fails again, run that program directly")
    case .playerMissing:
      Entry(
        .configuration, .never, "no video player is installed",
        "install 'mpv' or 'vlc', or set VMX_PLAYER or player.command to a player")
    case .playFailed:
      Entry(
        .unavailable, .never, "the player could not play the file",
        "run 'vmx verify ID' to check the file, then try another player")
    case .outputFailed:
      Entry(
        .ioError, .never, "cannot write the result to standard output",
        "check the target of the output; completed work is recorded")
    case .resourcesShort:
      Entry(
        .tryLater, .later, "out of memory, threads, processes or open files",
        "end other programs, or raise the limits that 'ulimit -a' shows")
    case .hookFailed:
      Entry(
        .success, .never, "a hook command failed",
        "run the command directly; the result of the episode is not affected")
    case .internalError:
      Entry(
        .internalError, .never, "internal error in vmx",
        "report this with the command that you ran and the output of 'vmx doctor --report'")
    default:
      Entry(
        .usage, .never, "the command line is not valid",
        "run the tool with --help for its options")
    }
  }

  private var storeEntry: Entry {
    switch self {
    case .lockBusy:
      Entry(
        .tryLater, .later, "another vmx process holds the lock",
        "run the command again when that process has ended")
    case .lockUnsupported:
      Entry(
        .configuration, .never, "the file system does not support byte-range locks",
        "move VMX_HOME to a file system that supports them")
    case .storeUnreadable:
      Entry(
        .ioError, .later, "cannot read or write the store",
        "check that VMX_HOME exists and belongs to you")
    case .storeDamaged:
      Entry(
        .dataError, .never, "the store is damaged beyond single lines",
        "run 'vmx doctor' for details, then 'vmx doctor --mend' to repair")
    case .storeLost:
      Entry(
        .dataError, .never, "the store of a library is lost, but its media exist",
        "run 'vmx migrate --rebuild' to rebuild it from the sidecars, or restore a backup, or move "
          + "the media folder away to begin a new library")
    case .lineDamaged:
      Entry(
        .dataError, .never,
        "a line of the store is unreadable; the previous line of its record counts",
        "run 'vmx doctor --mend' to move it to store.damaged")
    case .storeTooNew:
      Entry(
        .configuration, .never, "the store was written by a newer vmx",
        "install that version or a newer one")
    case .storeTooOld:
      Entry(
        .configuration, .never, "the store has an older, read-only format",
        "run 'vmx migrate --from vmx' to rewrite it; the old file is kept")
    case .storeFull:
      Entry(
        .ioError, .later, "no space left for the store",
        "free space on the disk of VMX_HOME")
    case .storeNotDurable:
      Entry(
        .ioError, .never, "the disk did not confirm that the store was written",
        "check the disk of VMX_HOME, then run the command again")
    case .storeOnNetwork:
      Entry(
        .configuration, .never, "the store is on a network file system",
        "move VMX_HOME to a local disk, or set core.network-store if its locks are reliable")
    case .clockSuspect:
      Entry(
        .tryLater, .later, "the clock disagrees with the store",
        "set the clock; nothing expires until then")
    case .secretLocked:
      Entry(
        .tryLater, .later, "cannot read or write a password in its store",
        "unlock the session keyring and run the command again, or change secrets.store")
    case .accessLoose:
      Entry(
        .notPermitted, .never, "other users can read or change private files",
        "run 'vmx doctor --mend', or restrict the permissions with chmod")
    default:
      Entry(
        .notPermitted, .never, "the password or token of the source is not stored",
        "add the episode again with the complete URL")
    }
  }
}
