import VmxModel

/// An item of an RSS or Atom document, collected while its elements are parsed.
struct FeedItemDraft {
  private var found = FeedItem()
  private var pages: [String] = []
  private var titles: [String] = []
  private var texts: [String: String] = [:]
  private var later: (time: Timestamp, day: CalendarDay)?
  private var alternatives: [FeedMedia] = []
  private var images: [WebURL] = []
  /// Excerpts and endless streams (Media RSS), which stand only for an item without another file.
  private var excerpts: [(attributes: [String: String], base: WebURL?)] = []

  init() {}

  /// Begins an alternate enclosure. Its sources follow as elements.
  mutating func beginAlternative(_ attributes: [String: String]) {
    var media = FeedMedia([])
    media.type = Self.mediaType(attributes["type"])
    media.height = attributes["height"].flatMap(Self.positive)
    media.bitrate = attributes["bitrate"].flatMap(Self.positive)
    media.isDefault = attributes["default"]?.lowercased() == "true"
    alternatives.append(media)
  }

  /// Applies a completed element.
  mutating func apply(
    _ name: String, attributes: [String: String], text: String, parent: String, base: WebURL?
  ) {
    let url = { (key: String) in attributes[key].flatMap { FeedXMLReader.url($0, base: base) } }
    switch name {
    case "enclosure": applyEnclosure(attributes["url"], attributes: attributes, base: base)
    case "enc:enclosure": applyEnclosure(attributes["resource"], attributes: attributes, base: base)
    case "media:content": applyContent(attributes, base)
    case "link": applyLink(attributes, text: text, base: base)
    case "podcast:source" where parent == "podcast:alternateEnclosure":
      if let url = url("uri"), !alternatives.isEmpty {
        alternatives[alternatives.count - 1].sources.append(url)
      }
    case "podcast:integrity" where parent == "podcast:alternateEnclosure":
      if attributes["type"] == "sri", !alternatives.isEmpty {
        alternatives[alternatives.count - 1].sha256 = Digest(
          integrity: attributes["value"] ?? "")
      }
    case "podcast:transcript": applyTranscript(url("url"), attributes)
    case "media:subTitle": applyTranscript(url("href"), attributes)
    case "podcast:chapters": found.chaptersURL = found.chaptersURL ?? url("url")
    case "psc:chapter" where parent == "psc:chapters": applyChapter(attributes)
    case "media:starRating" where parent == "media:community": applyRating(attributes)
    case "media:rating": applyAgeRating(attributes, text.trimmed)
    case "itunes:image", "podcast:image":
      if let url = url("href") { images.append(url) }
    case "media:thumbnail": if let url = url("url") { images.append(url) }
    case "url" where parent == "image":
      if let url = FeedXMLReader.url(text, base: base) { images.append(url) }
    default: apply(name, text.trimmed)
    }
  }

  private mutating func apply(_ name: String, _ text: String) {
    guard !text.isEmpty else { return }
    switch name {
    case "guid", "id": if found.guid.isEmpty { found.guid = text }
    case "title": titles.insert(text, at: 0)
    case "itunes:title", "media:title": titles.append(text)
    case "pubDate", "published", "issued", "dc:date":
      if found.published == nil { (found.published, found.day) = Self.date(text) }
    case "updated", "modified": later = later ?? FeedDate.parse(text)
    case "itunes:duration": found.duration = Self.duration(text)
    case "itunes:season": found.season = found.season ?? Self.natural(text)
    case "podcast:season": found.season = Self.natural(text) ?? found.season
    case "itunes:episode": found.number = found.number ?? Self.positive(text)
    case "podcast:episode": found.number = Self.natural(text) ?? found.number
    case "itunes:explicit": found.isExplicit = Self.isExplicit(text) ?? found.isExplicit
    case "itunes:episodeType": found.kind = FeedItem.Kind(rawValue: text.lowercased()) ?? .full
    default: texts[name] = texts[name] ?? text
    }
  }

  /// The item with all applied elements.
  var item: FeedItem {
    var item = found
    if item.media.isEmpty, alternatives.allSatisfy(\.sources.isEmpty) {
      for (attributes, base) in excerpts {
        item.addEnclosure(attributes["url"], attributes: attributes, base: base)
      }
    }
    item.title = titles.lazy.compactMap(FeedXMLReader.line).first
    if item.published == nil { (item.published, item.day) = (later?.time, later?.day) }
    item.summary = Self.summaries.lazy.compactMap { texts[$0] }.first
    item.image = images.first
    item.page = pages.first
    item.addAlternatives(alternatives)
    if !item.media.isEmpty { item.refusal = nil }
    item.chooseGUID()
    return item
  }

  /// The elements that describe the content, the best first.
  private static let summaries = [
    "content:encoded", "description", "content", "summary", "itunes:summary", "media:description",
    "itunes:subtitle",
  ]
}

// Files.
extension FeedItemDraft {
  private mutating func applyEnclosure(
    _ reference: String?, attributes: [String: String], base: WebURL?
  ) {
    found.addEnclosure(reference, attributes: attributes, base: base)
  }

  private mutating func applyContent(_ attributes: [String: String], _ base: WebURL?) {
    let medium = attributes["medium"]?.lowercased()
    guard let reference = attributes["url"] else { return }
    let type = Self.mediaType(attributes["type"])
    if medium == "image" || type?.hasPrefix("image/") ?? false {
      if let url = FeedXMLReader.url(reference, base: base) { images.append(url) }
    } else if medium != "document", medium != "executable" {
      if ["sample", "nonstop"].contains(attributes["expression"]?.lowercased()) {
        excerpts.append((attributes, base))
      } else {
        applyEnclosure(reference, attributes: attributes, base: base)
      }
    }
  }

  /// Applies a link: text in RSS, attributes in Atom.
  private mutating func applyLink(_ attributes: [String: String], text: String, base: WebURL?) {
    guard let reference = attributes["href"] else {
      let text = text.trimmed
      if !text.isEmpty { pages.append(FeedXMLReader.url(text, base: base)?.text ?? text) }
      return
    }
    switch attributes["rel"] ?? "alternate" {
    case "enclosure": applyEnclosure(reference, attributes: attributes, base: base)
    case "alternate":
      if let url = FeedXMLReader.url(reference, base: base) { pages.append(url.text) }
    default: break
    }
  }

  private mutating func applyChapter(_ attributes: [String: String]) {
    guard found.chapters.count < Chapter.maxCount,
      let start = attributes["start"].flatMap({ PlayingTime.milliseconds(of: $0) }),
      let title = attributes["title"].flatMap(FeedXMLReader.line)
    else { return }
    found.chapters.append(Chapter(start: start, title: String(title.prefix(Self.maxTitleLength))))
  }

  /// Applies an average rating from 1 to 5, or up to `max`.
  private mutating func applyRating(_ attributes: [String: String]) {
    guard let average = attributes["average"].flatMap({ Double($0) }),
      let most = Double(attributes["max"] ?? "5"), most > 0
    else { return }
    found.rating = Rating(average / most * 10)
  }

  /// Applies a Media RSS rating. Its default scheme has `adult` and `nonadult`; `nonadult` implies
  /// no age and is ignored.
  private mutating func applyAgeRating(_ attributes: [String: String], _ text: String) {
    let scheme = attributes["scheme"]?.lowercased() ?? "urn:simple"
    guard scheme != "urn:simple" || text.lowercased() == "adult" else { return }
    let ratings = [found.ageRating, AgeRating(text)].compactMap { $0 }
    // The highest of several ratings wins; a rating without an age ranks above all.
    found.ageRating = ratings.max { ($0.age ?? .max) < ($1.age ?? .max) }
  }

  private mutating func applyTranscript(_ url: WebURL?, _ attributes: [String: String]) {
    guard let url else { return }
    var transcript = FeedTranscript(url: url)
    transcript.type = Self.mediaType(attributes["type"])
    transcript.language = (attributes["language"] ?? attributes["lang"]).flatMap(
      LanguageTag.normalised)
    transcript.isCaptions = attributes["rel"] == "captions"
    found.transcripts.append(transcript)
  }
}

// Values.
extension FeedItemDraft {
  /// The maximum number of characters in a chapter title.
  private static let maxTitleLength = 200

  /// Returns the value of `itunes:explicit`; nil for other text.
  static func isExplicit(_ text: String) -> Bool? {
    switch text.trimmed.lowercased() {
    case "true", "yes", "explicit": true
    case "false", "no", "clean": false
    default: nil
    }
  }

  /// Returns a media type in lower case without parameters; nil for other text.
  static func mediaType(_ text: String?) -> String? {
    guard let text else { return nil }
    let type = text.prefix { $0 != ";" }.lowercased().trimmed
    return type.contains("/") && type.utf8.count <= 100 ? type : nil
  }

  /// Returns a playing time in milliseconds; nil for 0 and for other text.
  static func duration(_ text: String) -> Int64? {
    let text = text.trimmed
    guard let time = PlayingTime.milliseconds(of: text) ?? minutes(text), time > 0 else {
      return nil
    }
    return time
  }

  /// Parses a time such as `61:5`, whose fields may have one digit or exceed 59.
  private static func minutes(_ text: String) -> Int64? {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(fields.count) else { return nil }
    var seconds: Int64 = 0
    for field in fields {
      guard field.utf8.count <= 5, let number = natural(String(field)) else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds * 1000
  }

  private static func date(_ text: String) -> (Timestamp?, CalendarDay?) {
    let date = FeedDate.parse(text)
    return (date?.time, date?.day)
  }

  fileprivate static func natural(_ text: String) -> Int64? {
    guard text.utf8.count <= 9, let number = Int64(text), number >= 0 else { return nil }
    return number
  }

  fileprivate static func positive(_ text: String) -> Int64? {
    decimal(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Parses a number of up to nine digits and drops its decimals.
  fileprivate static func decimal(_ text: String) -> Int64? {
    natural(String(text.trimmed.prefix { $0 != "." }))
  }
}

extension FeedItem {
  /// Adds the file of an enclosure, described by the attributes of its element.
  fileprivate mutating func addEnclosure(
    _ reference: String?, attributes: [String: String], base: WebURL?
  ) {
    guard let reference else { return }
    let type = FeedItemDraft.mediaType(attributes["type"])
    addMedia(reference, type: type, base: base) { media in
      media.length = attributes["length"].flatMap(FeedItemDraft.positive)
      media.height = attributes["height"].flatMap(FeedItemDraft.positive)
      // Media RSS uses kilobits per second and seconds.
      media.bitrate = attributes["bitrate"].flatMap(FeedItemDraft.decimal).map { $0 * 1000 }
      media.duration = attributes["duration"].flatMap(FeedItemDraft.duration)
      media.isDefault = attributes["isDefault"]?.lowercased() == "true"
    }
  }

  /// Adds a file. If its type or URL shows that it cannot be played, keeps the reason instead.
  mutating func addMedia(
    _ reference: String, type: String?, base: WebURL?, _ describe: (inout FeedMedia) -> Void
  ) {
    do throws(Failure) {
      let url = try WebURL(reference: reference, base: base)
      try SourceAdvice.checkIsNoPage(url)
      if let type, !Self.isPlayable(type) {
        throw Failure(
          .sourceUnsupported,
          "'\(URLRedaction.redacted(url))' has type '\(type)', not video or audio")
      }
      guard !media.contains(where: { $0.sources.contains(url) }) else { return }
      var media = FeedMedia([url])
      media.type = type
      describe(&media)
      self.media.append(media)
    } catch {
      refusal = refusal ?? error
    }
  }

  /// Adds alternate enclosures. If a URL is also that of an enclosure, merges both.
  mutating func addAlternatives(_ alternatives: [FeedMedia]) {
    for alternative in alternatives where !alternative.sources.isEmpty {
      guard alternative.type.map(Self.isPlayable) ?? true else { continue }
      let same = media.firstIndex { known in
        known.sources.contains { alternative.sources.contains($0) }
      }
      guard let same else {
        media.append(alternative)
        continue
      }
      let mirrors = alternative.sources.filter { !media[same].sources.contains($0) }
      media[same].sources += mirrors
      media[same].type = media[same].type ?? alternative.type
      media[same].height = media[same].height ?? alternative.height
      media[same].bitrate = media[same].bitrate ?? alternative.bitrate
      media[same].sha256 = media[same].sha256 ?? alternative.sha256
      media[same].isDefault = media[same].isDefault || alternative.isDefault
    }
  }

  /// Derives a missing guid from the first file, the page or the title.
  mutating func chooseGUID() {
    guard guid.isEmpty else { return }
    hasGUID = false
    guid = media.first?.sources.first?.withoutTracking ?? page ?? title ?? published?.text ?? ""
  }

  /// Returns whether a media type may be that of video or audio. Wrong and generic types are
  /// common.
  private static func isPlayable(_ type: String) -> Bool {
    let isOther =
      ["image/", "text/", "font/", "message/"].contains { type.hasPrefix($0) }
      || [
        "application/pdf", "application/epub+zip", "application/zip", "application/x-bittorrent",
        "application/x-shockwave-flash", "application/json", "application/xml",
        "application/rss+xml", "application/xhtml+xml", "application/msword",
      ].contains(type)
    return !isOther
  }
}

extension Digest {
  /// Parses the SHA-256 of a Subresource Integrity value, such as `sha256-BASE64`. Returns nil if
  /// there is none. Stronger digests are ignored, since vmx records published digests as SHA-256.
  init?(integrity text: String) {
    for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix("sha256-") {
      let value = word.dropFirst("sha256-".count).prefix { $0 != "?" }
      if let digest = Digest(.sha256, base64: value) {
        self = digest
        return
      }
    }
    return nil
  }
}
