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
      _ status: ExitStatus, _ retry: RetryClass, sentence: String, hint: String
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
      .unknownSetting, .settingsUnwritable, .aliasLoop,
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
        .usage, .never, sentence: "no tool has this name",
        hint: "run 'vmx help -a' for the list of tools")
    case .toolBroken:
      Entry(
        .configuration, .never, sentence: "cannot run the tool",
        hint: "check the file, its mode and its first line")
    case .badLine:
      Entry(
        .dataError, .never, sentence: "a line of the input is not valid",
        hint: "correct that line; the others were processed")
    case .badID:
      Entry(
        .dataError, .never, sentence: "the text is not an episode id",
        hint: "write show/episode, each half of a-z, 0-9, '.', '_' and '-', at most 100 bytes")
    case .badURL:
      Entry(
        .dataError, .never, sentence: "the text is not a valid http or https URL",
        hint: "give an absolute http or https URL without blanks or control characters")
    case .badSetting:
      Entry(
        .configuration, .never, sentence: "a setting has an invalid value",
        hint: "correct the named line of the settings file")
    case .unknownSetting:
      Entry(
        .configuration, .never, sentence: "a setting has an unknown name",
        hint: "correct the name; 'vmx config list --all' lists all settings")
    case .settingsUnwritable:
      Entry(
        .cannotCreate, .never, sentence: "the settings file cannot be written",
        hint: "make the file and its folder writable, or name another file in VMX_CONFIG")
    case .aliasLoop:
      Entry(
        .configuration, .never, sentence: "an alias leads to itself",
        hint: "change the alias in the settings; 'vmx plugin list' lists all aliases")
    case .ambiguous:
      Entry(
        .dataError, .never, sentence: "the description matches two different episodes",
        hint: "choose one with --id, or rename one of them")
    case .idTaken:
      Entry(
        .cannotCreate, .never, sentence: "the id belongs to another episode",
        hint: "choose another id; 'vmx rename ID OTHER' joins two records of one episode")
    case .idMismatch:
      Entry(
        .dataError, .never, sentence: "the source belongs to an episode with another id",
        hint: "give that id with '--to', or rename the episode with 'vmx rename ID NEW'")
    case .noSuchEpisode:
      Entry(
        .noInput, .never, sentence: "no episode has this id",
        hint: "run 'vmx list' for the list of ids")
    case .noSuchCode:
      Entry(
        .noInput, .never, sentence: "no error has this code",
        hint: "run 'vmx explain' for the list of codes")
    case .noFile:
      Entry(
        .noInput, .never, sentence: "the episode has no such file yet",
        hint: "run 'vmx fetch ID' to download it, or 'vmx show ID' to see why it is missing")
    case .inputMissing:
      Entry(
        .noInput, .never, sentence: "cannot read an input file",
        hint: "check the path and its permissions")
    case .inputChanged:
      Entry(
        .dataError, .never, sentence: "an input file changed while it was read",
        hint: "wait until no program writes to it, then run the command again")
    case .recordUnreadable:
      Entry(
        .dataError, .never, sentence: "cannot read a record of another program",
        hint: "inspect it with the program that wrote it; what it describes is not imported")
    case .held:
      Entry(
        .success, .never, sentence: "the episode is on hold or not wanted",
        hint: "run 'vmx queue add ID' to request it, or 'vmx queue resume ID' to release it")
    case .afterCycle:
      Entry(
        .usage, .never, sentence: "the episodes would wait for each other forever",
        hint: "run 'vmx queue after ID --none' to remove a dependency")
    case .userManagerAway:
      Entry(
        .unavailable, .never, sentence: "the systemd user manager failed",
        hint: "log in and run systemctl --user enable --now with the name of the unit")
    case .programMissing:
      Entry(
        .unavailable, .never, sentence: "a required program is not in PATH",
        hint: "install it, or omit the option that needs it")
    case .programFailed:
      Entry(
        .unavailable, .later, sentence: "another program failed",
        hint: "run the command again; if it fails again, run that program directly")
    case .playerMissing:
      Entry(
        .configuration, .never, sentence: "no video player is installed",
        hint: "install 'mpv' or 'vlc', or set VMX_PLAYER or player.command to a player")
    case .playFailed:
      Entry(
        .unavailable, .never, sentence: "the player could not play the file",
        hint: "run 'vmx verify ID' to check the file, then try another player")
    case .outputFailed:
      Entry(
        .ioError, .never, sentence: "cannot write the result to standard output",
        hint: "check the target of the output; completed work is recorded")
    case .resourcesShort:
      Entry(
        .tryLater, .later, sentence: "out of memory, threads, processes or open files",
        hint: "end other programs, or raise the limits that 'ulimit -a' shows")
    case .hookFailed:
      Entry(
        .success, .never, sentence: "a hook command failed",
        hint: "run the command directly; the result of the episode is not affected")
    case .internalError:
      Entry(
        .internalError, .never, sentence: "internal error in vmx",
        hint: "report this with the command that you ran and the output of 'vmx doctor --report'")
    default:
      Entry(
        .usage, .never, sentence: "the command line is not valid",
        hint: "run the tool with --help for its options")
    }
  }

  private var storeEntry: Entry {
    switch self {
    case .lockBusy:
      Entry(
        .tryLater, .later, sentence: "another vmx process holds the lock",
        hint: "run the command again when that process has ended")
    case .lockUnsupported:
      Entry(
        .configuration, .never, sentence: "the file system does not support byte-range locks",
        hint: "move VMX_HOME to a file system that supports them")
    case .storeUnreadable:
      Entry(
        .ioError, .later, sentence: "cannot read or write the store",
        hint: "check that VMX_HOME exists and belongs to you")
    case .storeDamaged:
      Entry(
        .dataError, .never, sentence: "the store is damaged beyond single lines",
        hint: "run 'vmx doctor' for details, then 'vmx doctor --mend' to repair")
    case .storeLost:
      Entry(
        .dataError, .never, sentence: "the store of a library is lost, but its media exist",
        hint:
          "run 'vmx migrate --rebuild' to rebuild it from the sidecars, or restore a backup, or move "
          + "the media folder away to begin a new library")
    case .lineDamaged:
      Entry(
        .dataError, .never,
        sentence: "a line of the store is unreadable; the previous line of its record counts",
        hint: "run 'vmx doctor --mend' to move it to store.damaged")
    case .storeTooNew:
      Entry(
        .configuration, .never, sentence: "the store was written by a newer vmx",
        hint: "install that version or a newer one")
    case .storeTooOld:
      Entry(
        .configuration, .never, sentence: "the store has an older, read-only format",
        hint: "run 'vmx migrate --from vmx' to rewrite it; the old file is kept")
    case .storeFull:
      Entry(
        .ioError, .later, sentence: "no space left for the store",
        hint: "free space on the disk of VMX_HOME")
    case .storeNotDurable:
      Entry(
        .ioError, .never, sentence: "the disk did not confirm that the store was written",
        hint: "check the disk of VMX_HOME, then run the command again")
    case .storeOnNetwork:
      Entry(
        .configuration, .never, sentence: "the store is on a network file system",
        hint: "move VMX_HOME to a local disk, or set core.network-store if its locks are reliable")
    case .clockSuspect:
      Entry(
        .tryLater, .later, sentence: "the clock disagrees with the store",
        hint: "set the clock; nothing expires until then")
    case .secretLocked:
      Entry(
        .tryLater, .later, sentence: "cannot read or write a password in its store",
        hint: "unlock the session keyring and run the command again, or change secrets.store")
    case .accessLoose:
      Entry(
        .notPermitted, .never, sentence: "other users can read or change private files",
        hint: "run 'vmx doctor --mend', or restrict the permissions with chmod")
    default:
      Entry(
        .notPermitted, .never, sentence: "the password or token of the source is not stored",
        hint: "add the episode again with the complete URL")
    }
  }
}
