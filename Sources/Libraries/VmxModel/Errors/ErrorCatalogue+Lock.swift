// The catalogue entries of parental control.
extension ErrorCode {
  var lockEntry: Entry {
    switch self {
    case .pinNeeded:
      Entry(
        .notPermitted, .never, "a PIN is required",
        "run the command on a terminal, or give the PIN through a descriptor: --pin-fd 3 3<file")
    case .pinWrong:
      Entry(
        .notPermitted, .never, "the PIN is wrong",
        "try again; after three wrong PINs each further attempt is delayed")
    case .pinDelayed:
      Entry(
        .notPermitted, .never, "too many wrong PINs",
        "wait as long as 'vmx lock status' shows, then try again")
    default:
      Entry(
        .notPermitted, .never, "blocked by parental control",
        "run 'vmx lock unlock' to enter the PIN")
    }
  }
}
