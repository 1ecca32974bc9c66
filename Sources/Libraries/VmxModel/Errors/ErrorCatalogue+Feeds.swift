extension ErrorCode {
  var feedEntry: Entry {
    switch self {
    case .notAFeed:
      Entry(
        .dataError, .never, "the document is not a feed that can be read",
        "open the URL in a browser: the address of the feed is often a link on that page")
    default:
      Entry(
        .noInput, .never, "no feed has this id or URL", "run 'vmx feed list' for those there are")
    }
  }
}
