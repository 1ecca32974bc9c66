// The catalogue entries of failures of the library and its disks.
extension ErrorCode {
  var libraryEntry: Entry {
    switch self {
    case .diskFull:
      Entry(
        .tryLater, .wait(.space), sentence: "not enough free space for the file",
        hint:
          "free space on that disk, as by 'vmx clean --empty-trash' or 'vmx clean --free SIZE', and"
          + " run the command again; a fetch resumes by itself")
    case .nameTaken:
      Entry(
        .cannotCreate, .never, sentence: "a file that vmx did not write has the name",
        hint: "move that file away")
    case .rootAway:
      Entry(
        .tryLater, .wait(.rootAway), sentence: "the library folder is unreachable",
        hint:
          "mount the disk that holds it, or run 'vmx clean --lost FOLDER' if it will not come back")
    case .rootForeign:
      Entry(
        .tryLater, .wait(.rootAway), sentence: "the folder belongs to another library or user",
        hint: "mount the right disk there; 'vmx doctor' tells what is wrong with this one")
    case .partLost:
      Entry(
        .ioError, .later, sentence: "received bytes are missing from the disk",
        hint: "run the command again; they are downloaded again")
    case .undoConflict:
      Entry(
        .dataError, .never, sentence: "cannot undo a change whose result has changed since",
        hint:
          "run 'vmx show ID --why' for the present state, or 'vmx queue add ID' to request it again"
      )
    case .undoImpossible:
      Entry(
        .noInput, .never, sentence: "the change can no longer be undone",
        hint: "run 'vmx queue add ID' to request the episode again")
    default:
      Entry(
        .ioError, .later, sentence: "cannot read or write a file of the library",
        hint: "check the disk and its permissions")
    }
  }

  /// The catalogue entries of codes that the verification of a library's files reports.
  var proofEntry: Entry {
    switch self {
    case .fileMissing:
      Entry(
        .noInput, .never, sentence: "a file of the library is not at its recorded path",
        hint: "put it back, or run 'vmx fetch --repair' to download it again")
    case .fileDamaged:
      Entry(
        .dataError, .never, sentence: "the bytes of a file differ from the recorded ones",
        hint:
          "run 'vmx fetch --repair' to download the damaged data; the file is unchanged until then")
    case .mediaBroken:
      Entry(
        .dataError, .never, sentence: "the structure of a media file is broken",
        hint:
          "check whether it plays to its end; 'vmx verify --repair ID' cuts off what follows a whole "
          + "film, and 'vmx add --to ID URL' adds a source of another copy")
    case .repairRefused:
      Entry(
        .dataError, .never, sentence: "a damaged file cannot be repaired",
        hint:
          "give an intact copy with 'vmx fetch --repair --from FILE ID', or remove and add it again"
      )
    default:
      Entry(
        .dataError, .never,
        sentence: "a file of the library has another name or folder than recorded",
        hint: "nothing to do: its record is updated unless --dry-run was given")
    }
  }

  /// The catalogue entries of failures of bundles.
  var bundleEntry: Entry {
    switch self {
    case .needsFile:
      Entry(
        .usage, .never, sentence: "a bundle of this format cannot be piped",
        hint: "name a file, or use tar, tar.zst or zip")
    case .fileTooLarge:
      Entry(
        .cannotCreate, .never, sentence: "the file system does not support files of this size",
        hint:
          "choose a disk with another file system (library.root); for an archive, write volumes with"
          + " '--split 4G', or export to a folder")
    case .notABundle:
      Entry(
        .dataError, .never, sentence: "the file is not a bundle in a supported format",
        hint: "unpack it with the program that made it, and import the folder")
    case .bundleDamaged:
      Entry(
        .dataError, .never, sentence: "the bundle is truncated or damaged",
        hint: "copy it again, or run 'vmx import --intact FILE' to import the intact episodes")
    case .bundleInvalid:
      Entry(
        .dataError, .never, sentence: "the bundle does not match its manifests",
        hint: "copy it again; 'vmx import --verify FILE' lists the files that differ")
    case .bundleTooLarge:
      Entry(
        .dataError, .never, sentence: "the bundle exceeds the limits for unpacking",
        hint: "unpack it elsewhere and inspect its content")
    case .entryRefused:
      Entry(
        .dataError, .never, sentence: "the bundle has a forbidden entry",
        hint: "get the bundle from a trusted source; nothing was unpacked")
    case .passphraseNeeded:
      Entry(
        .notPermitted, .never, sentence: "the bundle is encrypted",
        hint: "run the command again on a terminal, or give the passphrase with --passphrase-fd")
    default:
      Entry(
        .notPermitted, .never, sentence: "the passphrase of the bundle is wrong",
        hint: "run the command again with the right passphrase")
    }
  }

  /// The catalogue entries of codes that `vmx clean` reports.
  var cleaningEntry: Entry {
    switch self {
    case .planChanged:
      Entry(
        .dataError, .never, sentence: "a step of the plan no longer matches the present state",
        hint: "run 'vmx clean --plan' again")
    case .freeUnreachable:
      Entry(
        .tryLater, .never, sentence: "the requested space cannot be freed",
        hint: "request less, or add '--unwatched' to delete unwatched episodes too")
    default:
      Entry(
        .success, .never, sentence: "no record, sidecar or digest identifies a file",
        hint: "run 'vmx add FILE' to add it, or 'vmx clean --foreign' to move it to the trash")
    }
  }
}
