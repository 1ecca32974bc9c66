import VmxMarkup

/// The XML vocabularies of feeds. Elements are identified by namespace URI, or by the usual prefix
/// if no namespace is declared.
enum FeedVocabulary: String {
  /// The elements of RSS and Atom.
  case core = ""
  case itunes, podcast, media, content, psc, dc, enc
  case other = "-"

  private static let uris: [String: FeedVocabulary] = [
    "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
    "http://www.itunes.com/dtds/podcast-1.0": .itunes,
    "https://podcastindex.org/namespace/1.0": .podcast,
    "https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": .podcast,
    "http://search.yahoo.com/mrss": .media, "https://search.yahoo.com/mrss": .media,
    "http://purl.org/rss/1.0/modules/content": .content,
    "http://podlove.org/simple-chapters": .psc,
    "http://purl.org/dc/elements/1.1": .dc,
    "http://purl.oclc.org/net/rss_2.0/enc#": .enc, "http://purl.oclc.org/net/rss_2.0/enc": .enc,
    "http://www.w3.org/2005/atom": .core, "https://www.w3.org/2005/atom": .core,
    "http://purl.org/atom/ns#": .core, "http://purl.org/rss/1.0": .core,
    "http://my.netscape.com/rdf/simple/0.9": .core,
    "http://channel.netscape.com/rdf/simple/0.9": .core,
    "http://backend.userland.com/rss2": .core, "http://blogs.law.harvard.edu/tech/rss": .core,
    "http://backend.userland.com/rss": .core, "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .core,
  ]

  /// Returns the name of an element: `title`, `itunes:duration`, `-:x` for unknown vocabularies.
  static func name(of element: MarkupElement) -> String {
    let vocabulary = vocabulary(of: element)
    return vocabulary == .core ? element.name : "\(vocabulary.rawValue):\(element.name)"
  }

  private static func vocabulary(of element: MarkupElement) -> FeedVocabulary {
    guard !element.namespace.isEmpty else {
      guard !element.prefix.isEmpty else { return .core }
      return element.prefix == "atom" ? .core : FeedVocabulary(rawValue: element.prefix) ?? .other
    }
    if let known = uris[element.namespace] { return known }
    var uri = element.namespace.lowercased()
    // The trailing slash of namespace URIs, such as that of Media RSS, is often omitted.
    while uri.hasSuffix("/") { uri.removeLast() }
    return uris[uri] ?? .other
  }
}
