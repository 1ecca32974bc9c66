/// The reliable classes of `Content-Type` values.
///
/// Many servers send a wrong type, mostly by default. `application/octet-stream` and `text/plain`
/// stand for any unknown file, and one container format is named as another. So only classes that
/// servers never confuse are compared, and only with a declared type. In all other cases the bytes
/// themselves decide.
enum MediaType: Equatable {
  /// Audio or video.
  case stream
  /// A still image.
  case picture
  /// Text for people or programs.
  case text

  /// Classifies a type, with or without parameters; nil for types without a reliable class.
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

  /// Whether a type is that of a web page, as sent by a captive portal or a login page.
  static func isPage(_ type: String) -> Bool {
    ["text/html", "application/xhtml+xml"].contains(type)
  }

  /// Whether both types have a reliable class and these classes differ.
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
