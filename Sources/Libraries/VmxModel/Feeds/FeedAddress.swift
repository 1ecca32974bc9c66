/// The forms in which programs and people write the address of a feed.
package enum FeedAddress {
  private static let schemes = ["feed:", "itpc:", "pcast:"]

  /// Returns the address with a scheme that can be fetched, without blanks around it. Links for
  /// feed readers, such as `feed://example.org/rss` or `feed:https://example.org/rss`, hide it.
  package static func fetched(_ text: String) -> String {
    let text = text.trimmed
    for scheme in schemes where text.lowercased().hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      return rest.hasPrefix("//") ? "https:\(rest)" : String(rest)
    }
    return text
  }

  /// Returns the text that two addresses of one feed share: neither `http` or `https` nor a last
  /// slash distinguishes feeds.
  package static func comparable(_ url: String) -> String {
    var text = url[...]
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
      text = text.dropFirst(scheme.count)
    }
    if text.last == "/", !text.contains("?") { text = text.dropLast() }
    return String(text)
  }
}
