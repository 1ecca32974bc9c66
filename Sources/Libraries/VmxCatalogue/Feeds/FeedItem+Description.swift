import VmxMarkup
package import VmxModel
import VmxNaming

/// The names that the conversion of feed items into episodes needs.
package struct FeedNames: Sendable, Equatable {
  /// The name of the feed in identity keys, which does not change when the feed moves.
  package var identity: String
  /// The title of the show.
  package var show: String
  /// The slug of the show; nil to derive it from the title.
  package var slug: Slug?
  /// The language of the feed.
  package var language: String?
  /// The URL of a private feed with user and password, which items of the same origin also need;
  /// nil for a public feed.
  package var credentials: WebURL?

  /// Creates the names of a feed.
  package init(identity: String, show: String, language: String? = nil) {
    self.identity = identity
    self.show = show
    self.language = language
  }
}

extension FeedNames {
  /// Returns the URL of an item, with the feed's user and password if the origin is the same.
  fileprivate func signed(_ url: WebURL) throws(Failure) -> WebURL {
    guard let credentials, let user = credentials.user, url.user == nil,
      url.origin == credentials.origin
    else { return url }
    return try url.with(user: user, password: credentials.password ?? "")
  }
}

extension FeedItem {
  /// The transcript formats that can be shown with a video, the best first.
  private static let subtitleTypes = [
    "text/vtt", "application/x-subrip", "application/srt", "text/srt", "text/plain",
    "application/json",
  ]
  /// The maximum size in bytes of a guid that is passed on to other programs.
  private static let maxGUIDLength = 1024
  /// The maximum size in bytes of a stored summary.
  private static let maxSummaryBytes = 16 << 10

  /// Returns the description of the item as an episode; nil if the item has no downloadable file.
  ///
  /// - Parameter isNumbered: whether the number may identify the episode.
  package func description(
    in names: FeedNames, isNumbered: Bool = true
  ) throws(Failure) -> EpisodeDescription? {
    let media = playable
    guard !media.isEmpty else { return nil }
    let signed = { (media: FeedMedia) throws(Failure) in try media.variant(as: names) }
    var description = EpisodeDescription()
    description.title = title
    description.show = names.slug?.description ?? names.show
    description.showTitle = names.show
    if isNumbered, kind == .full {
      description.season = season
      description.number = number
    }
    description.date = day
    description.isDaily = false
    description.duration = duration ?? media.lazy.compactMap(\.duration).first
    description.language = names.language
    description.summary = plainSummary
    description.rating = rating
    description.ageRating = ageRating ?? (isExplicit == true ? AgeRating("explicit") : nil)
    description.chapters = chapters
    description.chaptersURL = chaptersURL?.text
    description.origin = .feed
    description.identity = [.feedItem(feed: names.identity, guid: guid)]
    if let published {
      description.otherDays = [CalendarDay(String(published.text.prefix(10)))].compactMap(\.self)
      // The key that earlier versions recorded, in place of that of title and day.
      if let title {
        description.lookups = [
          .feedItem(feed: names.identity, guid: "\(published.text) \(title)")
        ]
      }
    }
    description.sizes = Set(media.compactMap(\.length))
    description.guid = hasGUID && guid.utf8.count <= Self.maxGUIDLength ? guid : nil
    // By it a list of another program, which names no feed, finds the episode.
    if let guid = description.guid, let key = IdentityKey.item(ofAnyFeed: guid) {
      description.identity.append(key)
      if let named = IdentityKey.named(guid: guid) { description.lookups.append(named) }
    }
    let preferred = media.filter(\.isDefault) + media.filter { !$0.isDefault }
    description.fileName = preferred.first?.sources.first?.stem
    try description.add(PartDescription(role: .video, variants: try preferred.map(signed)))
    for subtitle in try subtitles(in: names) { try description.add(subtitle) }
    if let image {
      let variant = VariantDescription(sources: [try names.signed(image)])
      try description.add(PartDescription(role: .image, variants: [variant]))
    }
    return description
  }

  /// The files to choose from: audio only where the item has nothing else.
  private var playable: [FeedMedia] {
    let videos = media.filter { !$0.isAudio }
    return videos.isEmpty ? media : videos
  }

  /// Whether the item has files, and all of them are audio.
  package var isAudioOnly: Bool { !media.isEmpty && media.allSatisfy(\.isAudio) }

  private var plainSummary: String? { summary.flatMap(Self.plain) }

  /// Returns a description as plain text of a bounded length; nil if it is empty.
  static func plain(_ summary: String) -> String? {
    let isPlain = !summary.utf8.contains {
      $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&")
    }
    var text = isPlain ? summary.trimmed : HTMLText.plainText(summary)
    while text.utf8.count > Self.maxSummaryBytes {
      text = String(text.prefix(max(1, text.count * 9 / 10)))
    }
    return text.isEmpty ? nil : text
  }

  /// Returns one subtitle per language: those with times first, then by format.
  private func subtitles(in names: FeedNames) throws(Failure) -> [PartDescription] {
    var best: [(language: String?, rank: Int, transcript: FeedTranscript)] = []
    for transcript in transcripts {
      guard let type = transcript.type, let rank = Self.subtitleTypes.firstIndex(of: type) else {
        continue
      }
      let language = transcript.language ?? names.language
      let value = rank + (transcript.isCaptions ? 0 : Self.subtitleTypes.count)
      if let index = best.firstIndex(where: { $0.language == language }) {
        if value < best[index].rank { best[index] = (language, value, transcript) }
      } else {
        best.append((language, value, transcript))
      }
    }
    var parts: [PartDescription] = []
    for (language, _, transcript) in best {
      var variant = VariantDescription(sources: [try names.signed(transcript.url)])
      variant.type = transcript.type
      parts.append(PartDescription(role: .subtitle, language: language, variants: [variant]))
    }
    return parts
  }
}

extension FeedMedia {
  /// Whether the file is audio, by its media type, or else by the extension of its URL.
  fileprivate var isAudio: Bool {
    if let type, type.hasPrefix("audio/") || type.hasPrefix("video/") {
      return type.hasPrefix("audio/")
    }
    return sources.contains { CompanionFileName.isAudio($0.fileExtension) }
  }

  /// Returns the variant of the video without the published length. That is often wrong, while a
  /// recorded size must be the size of the file.
  fileprivate func variant(as names: FeedNames) throws(Failure) -> VariantDescription {
    let sources = try sources.map { url throws(Failure) in try names.signed(url) }
    var variant = VariantDescription(sources: sources, sha256: sha256, duration: duration)
    variant.height = height
    variant.bitrate = bitrate
    variant.type = type
    return variant
  }
}

extension FeedItem {
  /// The keys by which the item is told from the other items of its document.
  ///
  /// - Parameter feed: the name of the feed in identity keys.
  package func documentKeys(in feed: String) -> [IdentityKey] {
    let urls = media.flatMap(\.sources).map { IdentityKey.source($0.withoutTracking) }
    return [.feedItem(feed: feed, guid: guid)] + urls
  }

  /// The key of the page to which the item links; nil for none.
  package var pageKey: IdentityKey? {
    // Only a query has tracking parameters.
    let hasQuery = page?.utf8.contains(UInt8(ascii: "?")) ?? false
    let text = hasQuery ? page.flatMap { WebURL(valid: $0)?.withoutTracking } : page
    return text.flatMap(IdentityKey.page)
  }

  /// Returns the item with the file preferred that the quality rule selects. Returns the item
  /// unchanged if no file satisfies the rule.
  package func preferring(_ quality: Quality) -> FeedItem {
    var item = self
    item.media = playable
    let variants = item.media.indices.map { index in
      let media = item.media[index]
      return Variant(
        height: media.height, bitrate: media.bitrate, type: media.type,
        sources: [Source(url: "\(index)")])
    }
    guard let choice = quality.choice(among: variants),
      let index = choice.sources.first.flatMap({ Int($0.url) })
    else { return item }
    for other in item.media.indices { item.media[other].isDefault = other == index }
    return item
  }
}
