extension ErrorCode {
  var licenceEntry: Entry {
    switch self {
    case .notALicence:
      Entry(
        .dataError, .never, "the document is not a readable licence",
        "request the licence from the provider again; an existing one is not changed")
    case .licenceForeign:
      Entry(
        .notPermitted, .never, "the licence differs from, or is older than, the one in the library",
        "give another id, or remove the episode with its present licence first")
    case .licenceMissing:
      Entry(
        .noInput, .never, "the episode has no licence",
        "run 'vmx add --licence FILE --id ID' to add one")
    case .licenceEnded:
      Entry(
        .notPermitted, .never, "the licence of the episode has ended",
        "run 'vmx licence ID' for the reason and the provider's offers")
    case .licenceNotOffered:
      Entry(
        .unavailable, .never, "the provider does not offer this for the licence",
        "run 'vmx licence ID' for its offers")
    default:
      Entry(
        .notPermitted, .never, "the provider refused the request",
        "run 'vmx licence ID' for the state of the licence, which is unchanged")
    }
  }
}
