extension ErrorCode {
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
}
