extension ErrorCode {
  var feedEntry: Entry {
    switch self {
    case .notAFeed:
      Entry(
        .dataError, .never, "the document is not a readable feed",
        "open the URL in a browser; the page often links to the feed")
    default:
      Entry(
        .noInput, .never, "no feed has this id or URL", "run 'vmx feed list' for the list of feeds")
    }
  }
}
