package import VmxModel

/// The feeds of an OPML document, the format in which podcast programs exchange subscriptions.
package struct SubscriptionList: Sendable, Equatable {
  /// A subscribed feed.
  package struct Feed: Sendable, Equatable {
    /// The title: `title`, else `text`.
    package let title: String
    /// The address.
    package let url: String
    /// The rules of the feed by name: attributes of the namespace of vmx.
    package let rules: [String: String]
    /// The user, as in the lists of Liferea; empty for none. No list is written with it.
    package let user: String
    /// The password of the user.
    package let password: String

    /// Creates an entry.
    package init(
      title: String, url: String, rules: [String: String] = [:], user: String = "",
      password: String = ""
    ) {
      self.title = title
      self.url = url
      self.rules = rules
      self.user = user
      self.password = password
    }
  }

  /// The namespace of the attributes for the rules of feeds. Other programs ignore them.
  package static let namespace = "urn:x-vmx:feed"
  /// The prefix of that namespace.
  static let prefix = "vmx:"

  /// The maximum size in bytes, 8 MiB.
  package static let maxBytes = 8 << 20

  /// The feeds, in the order of the document.
  package let feeds: [Feed]

  /// Creates a list to write.
  package init(feeds: [Feed]) {
    self.feeds = feeds
  }

  /// Parses a document: OPML, or lines that begin with a URL, such as the list of Newsboat. A
  /// document of another kind has no feeds.
  ///
  /// - Throws: `resources-short`.
  package init(_ bytes: [UInt8]) throws(Failure) {
    let bom: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: bom) ? bytes.dropFirst(bom.count) : bytes[...]
    // A document in UTF-16 has a zero or a mark first.
    if let first = text.first(where: { $0 > 0x20 }), first != UInt8(ascii: "<"), first < 0x80,
      text.first != 0
    {
      self.init(lines: String(decoding: text, as: UTF8.self))
      return
    }
    var feeds: [Feed] = []
    var position = 0
    _ = try MarkupParser.parse(MarkupText.prepared(bytes), from: &position) { event in
      guard case .begin(let element) = event, element.name == "outline",
        let url = element.attributes["xmlUrl"]?.trimmed, !url.isEmpty
      else { return }
      let title = element.attributes["title"] ?? element.attributes["text"] ?? ""
      let rules = element.attributes.compactMap { name, value in
        name.hasPrefix(Self.prefix) ? (String(name.dropFirst(Self.prefix.count)), value) : nil
      }
      feeds.append(
        Feed(
          title: title, url: url, rules: Dictionary(rules) { first, _ in first },
          user: element.attributes["username"] ?? "",
          password: element.attributes["password"] ?? ""))
    }
    self.init(feeds: feeds)
  }

  /// Reads the URL at the start of each line. Words after it are tags, of which `~Title` is the
  /// title in Newsboat. Lines that begin with `#` are comments, and those that begin with `query:`
  /// select items of other feeds.
  private init(lines text: String) {
    let feeds: [Feed] = text.split(whereSeparator: \.isNewline).compactMap { line in
      let line = String(line).trimmed
      let words = Self.words(of: line)
      guard !line.hasPrefix("#"), let url = words.first, url.contains(":"),
        !url.hasPrefix("query:")
      else { return nil }
      let title = words.dropFirst().first { $0.hasPrefix("~") }?.dropFirst()
      return Feed(title: title.map { String($0).trimmed } ?? "", url: url)
    }
    self.init(feeds: feeds)
  }

  /// Returns the words of a line; those with blanks are quoted, and a backslash precedes a quote in
  /// them.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var rest = line[...].trimmed
    while let first = rest.first {
      let isQuoted = first == "\""
      if isQuoted { rest.removeFirst() }
      var word = ""
      while let next = rest.popFirst(), isQuoted ? next != "\"" : !next.isWhitespace {
        word.append(isQuoted && next == "\\" ? rest.popFirst() ?? next : next)
      }
      words.append(word)
      rest = rest.trimmed
    }
    return words
  }
}

extension SubscriptionList {
  /// Returns the list as an OPML 2.0 document.
  ///
  /// - Throws: `resources-short`.
  package func document(title: String) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    let hasRules = feeds.contains { !$0.rules.isEmpty }
    try writer.begin(
      "opml", [("version", "2.0")] + (hasRules ? [("xmlns:vmx", Self.namespace)] : []))
    try writer.begin("head")
    try writer.element("title", title)
    try writer.end()
    try writer.begin("body")
    for feed in feeds {
      let rules = feed.rules.sorted { $0.key < $1.key }.map { (Self.prefix + $0.key, $0.value) }
      try writer.begin(
        "outline",
        [("type", "rss"), ("text", feed.title), ("title", feed.title), ("xmlUrl", feed.url)]
          + rules)
      try writer.end()
    }
    try writer.end()
    try writer.end()
    return try writer.finish()
  }
}
