// The catalogue entries of failures of the library and its disks.
extension ErrorCode {
  var libraryEntry: Entry {
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
        .tryLater, .wait(.rootAway), "the folder belongs to another library",
        "mount the right disk there; nothing is read or written on this one")
    case .partLost:
      Entry(
        .ioError, .later, "bytes that were fetched are gone from the disk",
        "run the command again; they are fetched anew")
    case .undoConflict:
      Entry(
        .dataError, .never, "what is to be taken back has changed since",
        "'vmx show ID --why' tells how it stands now; 'vmx queue add ID' fetches it anew")
    case .undoImpossible:
      Entry(
        .noInput, .never, "what was done cannot be taken back any longer",
        "'vmx queue add ID' fetches it anew")
    default:
      Entry(
        .ioError, .later, "a file of the library cannot be read or written",
        "check the disk and its permissions")
    }
  }

  /// The catalogue entries of codes that the verification of a library's files reports.
  var proofEntry: Entry {
    switch self {
    case .fileMissing:
      Entry(
        .noInput, .never, "a file of the library is not where its record says",
        "put it back, or let 'vmx fetch --repair' bring it here again")
    case .fileDamaged:
      Entry(
        .dataError, .never, "the bytes of a file are not those that were recorded",
        "'vmx fetch --repair' fetches what is damaged; the file stays as it is until then")
    case .mediaBroken:
      Entry(
        .dataError, .never, "the structure of a media file is broken",
        "look whether it plays to its end; no digest tells whether it ever was whole")
    case .repairRefused:
      Entry(
        .dataError, .never, "a damaged file cannot be repaired",
        "give a whole copy with 'vmx fetch --repair --from FILE ID', or remove it and ask for it anew"
      )
    default:
      Entry(
        .dataError, .never, "a file of the library has another name or folder than recorded",
        "nothing is to be done: its record follows it unless --dry-run was given")
    }
  }

  /// The catalogue entries of failures of bundles.
  var bundleEntry: Entry {
    switch self {
    case .needsFile:
      Entry(
        .usage, .never, "a bundle of this format cannot go through a pipe",
        "name a file, or use tar, tar.zst or zip")
    case .fileTooLarge:
      Entry(
        .cannotCreate, .never, "the disk takes no file of this size",
        "write volumes with '--split 4G', or a folder")
    case .notABundle:
      Entry(
        .dataError, .never, "the file is no bundle in a format that vmx reads",
        "unpack it with the program that made it, and import the folder")
    case .bundleDamaged:
      Entry(
        .dataError, .never, "the bundle is cut or its bytes are damaged",
        "bring it here again; the episodes that are intact can be imported on request")
    case .bundleInvalid:
      Entry(
        .dataError, .never, "the bundle does not hold what its manifests say",
        "bring it here again; 'vmx import --verify FILE' names all files that differ")
    case .bundleTooLarge:
      Entry(
        .dataError, .never, "the bundle holds more than it may",
        "unpack it elsewhere and look at what it holds")
    case .entryRefused:
      Entry(
        .dataError, .never, "the bundle holds an entry that no bundle may hold",
        "nothing of it was unpacked; ask for the bundle from someone you trust")
    case .passphraseNeeded:
      Entry(
        .notPermitted, .never, "the bundle is encrypted",
        "run the command again on a terminal, or give the passphrase through a descriptor")
    default:
      Entry(
        .notPermitted, .never, "the passphrase does not open the bundle",
        "run the command again with the right one")
    }
  }

  /// The catalogue entries of codes that `vmx clean` reports.
  var cleaningEntry: Entry {
    switch self {
    case .planChanged:
      Entry(
        .dataError, .never, "a step of a plan no longer fits what is there",
        "run 'vmx clean --plan' again")
    case .freeUnreachable:
      Entry(
        .tryLater, .never, "so much space cannot be freed on a disk",
        "ask for less; '--unwatched' also deletes what was not watched")
    default:
      Entry(
        .success, .never, "no record, sidecar or digest says what a file is",
        "'vmx add FILE' takes it into the library, 'vmx clean --foreign' moves it to the trash")
    }
  }
}
