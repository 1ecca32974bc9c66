extension ErrorCode {
  var licenceEntry: Entry {
    switch self {
    case .notALicence:
      Entry(
        .dataError, .never, "the document is not a licence that can be read",
        "ask the provider for the licence again; one that is here already stays as it is")
    case .licenceForeign:
      Entry(
        .notPermitted, .never, "the licence is another one, or an older one, than that kept here",
        "give the episode another id, or remove it with its present licence first")
    case .licenceMissing:
      Entry(
        .noInput, .never, "the episode has no licence",
        "'vmx add --licence FILE --id ID' gives it one")
    case .licenceEnded:
      Entry(
        .notPermitted, .never, "the licence of the episode has ended",
        "'vmx licence ID' tells why, and what the provider offers")
    case .licenceNotOffered:
      Entry(
        .unavailable, .never, "the provider does not offer that for this licence",
        "'vmx licence ID' tells what it offers")
    default:
      Entry(
        .notPermitted, .never, "the provider refused it",
        "the licence stays as it was; 'vmx licence ID' tells its state")
    }
  }
}
