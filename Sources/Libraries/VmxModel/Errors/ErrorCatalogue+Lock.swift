// The catalogue entries of parental control.
extension ErrorCode {
  var lockEntry: Entry {
    switch self {
    case .pinNeeded:
      Entry(
        .notPermitted, .never, "a PIN is needed, and there is none",
        "run the command on a terminal, or give the PIN through a descriptor: --pin-fd 3 3<file")
    case .pinWrong:
      Entry(
        .notPermitted, .never, "the PIN is not the right one",
        "try again; after three wrong ones each further one has to wait")
    case .pinDelayed:
      Entry(
        .notPermitted, .never, "too many wrong PINs were given",
        "wait as long as 'vmx lock status' tells, then try again")
    default:
      Entry(
        .notPermitted, .never, "parental control does not allow it",
        "'vmx lock unlock' asks for the PIN")
    }
  }
}
