/// What kind of thing a `Content-Type` names, as far as servers can be believed.
///
/// They lie often, and mostly by default: `application/octet-stream` and `text/plain` stand for
/// whatever a server does not know, and one container is called by the name of another. So only
/// kinds that nobody sends for the other by mistake count, and only against a type that was
/// declared; everything else the bytes themselves decide.
enum MediaType: Equatable {
  /// Sound or moving pictures.
  case stream
  /// A still picture.
  case picture
  /// Text that people or programs read.
  case text

  /// The kind of a type, with or without parameters; nil for those that say nothing.
  init?(_ type: String) {
    let plain = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    switch plain.prefix(while: { $0 != "/" }) {
    case "video", "audio": self = .stream
    case "image": self = .picture
    case "text" where plain != "text/plain": self = .text
    case "application" where Self.isText(plain.dropFirst(12)): self = .text
    default: return nil
    }
  }

  /// Whether a type is that of a web page: what a captive portal or a login sends.
  static func isPage(_ type: String) -> Bool {
    ["text/html", "application/xhtml+xml"].contains(type)
  }

  /// Whether a file of the declared type never comes as the other.
  static func contradict(declared: String?, found: String?) -> Bool {
    guard let declared = declared.flatMap(MediaType.init), let found = found.flatMap(MediaType.init)
    else { return false }
    return declared != found
  }

  private static func isText(_ subtype: Substring) -> Bool {
    ["json", "xml", "javascript"].contains(subtype) || subtype.hasSuffix("+json")
      || subtype.hasSuffix("+xml")
  }
}
