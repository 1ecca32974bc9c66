// A show has one title. Its episodes have it too, except where a feed or a person has given an
// episode the title of another show. A file or another program may still have an earlier title, so
// the show keeps those, and an episode with one of them belongs to it.

extension LibraryShow {
  /// Whether a text is the title of the show, now or earlier, apart from case, spaces and the year
  /// at its end.
  package func isTitle(_ text: String) -> Bool {
    let folded = EpisodeSigns.folded(show: text)
    return ([title].compactMap(\.self) + earlierTitles).contains {
      EpisodeSigns.folded(show: $0) == folded
    }
  }

  /// Returns the title that an episode of the show has.
  ///
  /// - Parameter own: the title of a show that the episode was recorded with.
  package func title(ofEpisodeWith own: String) -> String {
    guard let title, own != title else { return own }
    return own.isEmpty || own == slug || isTitle(own) ? title : own
  }

  /// Takes what a source says of the show: missing values, and those of weaker or equal sources.
  ///
  /// - Parameters:
  ///   - origin: the source.
  ///   - isCompletion: whether the source only completes values of equal sources, as a catalogue
  ///     does.
  package mutating func take(
    _ other: LibraryShow, from origin: FieldOrigin, isCompletion: Bool = false
  ) {
    for field in ShowField.all where field.isPresent(other) {
      let mayReplace =
        by[show: field.name] < origin || by[show: field.name] == origin && !isCompletion
      guard !field.isPresent(self) || mayReplace else { continue }
      field.take(&self, other)
      by[show: field.name] = origin
    }
    let earlier = other.earlierTitles.filter { !isTitle($0) }
    earlierTitles = (earlier + earlierTitles).suffix(Self.maxTitles)
    // An id ties the slug to one show, whatever the source.
    tvmaze = tvmaze ?? other.tvmaze
    imdb = imdb ?? other.imdb
    tvdb = tvdb ?? other.tvdb
    page = page ?? other.page
    feed = feed ?? other.feed
    // Only a person changes a rating, by `vmx lock rate`.
    ageRating = ageRating ?? other.ageRating
  }

  /// The description of the show for another library, without rules, marks and files of this one.
  package var described: LibraryShow {
    var show = self
    // A day of its episodes, which another library knows too.
    if by[show: .premiered] == .name { show.premiered = nil }
    (show.by, show.feed) = (FieldOrigins(), nil)
    show.picture = show.picture.flatMap {
      $0.url.isEmpty ? nil : ShowPicture(url: $0.url, isForeign: true)
    }
    (show.keepNext, show.isMeteredOK, show.added) = (nil, false, nil)
    show.extra = JSONObject()
    return show
  }

  /// Whether anything but the title describes it.
  package var isDescribed: Bool {
    var show = described
    show.title = nil
    return show != LibraryShow(slug: slug, title: nil)
  }

  /// The same show with texts of at most the lengths that a record may have.
  package var bounded: LibraryShow {
    var show = self
    show.title = show.title.map { Self.prefix(of: $0, Self.maxTitleBytes) }
    show.summary = show.summary.map { Self.prefix(of: $0, Self.maxSummaryBytes) }
    show.network = show.network.map { Self.prefix(of: $0, Self.maxTitleBytes) }
    show.genres = show.genres.prefix(Self.maxTitles).map { Self.prefix(of: $0, Self.maxTitleBytes) }
    show.earlierTitles = show.earlierTitles.suffix(Self.maxTitles).map {
      Self.prefix(of: $0, Self.maxTitleBytes)
    }
    return show
  }

  private static let maxTitleBytes = 1024
  private static let maxSummaryBytes = 16 << 10

  private static func prefix(of text: String, _ count: Int) -> String {
    guard text.utf8.count > count else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: count)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  /// Takes the title of an earlier record of the show, with its source. The present one becomes an
  /// earlier title, since episodes and files have it.
  package mutating func takeName(of before: LibraryShow) {
    if let title = before.title { rename(to: title) }
    title = before.title
    by[show: .title] = before.by[show: .title]
  }

  /// Sets the title, and keeps the one before among the earlier ones.
  fileprivate mutating func rename(to new: String) {
    if let title, !title.isEmpty, title != slug, title != new {
      earlierTitles.removeAll { $0 == title }
      earlierTitles.append(title)
    }
    earlierTitles.removeAll { $0 == new }
    earlierTitles = earlierTitles.suffix(Self.maxTitles)
    title = new
  }
}

/// A field that describes a show, which the strongest source sets.
private struct ShowField: Sendable {
  let name: LibraryShow.Field
  /// Whether a show has a value.
  let isPresent: @Sendable (LibraryShow) -> Bool
  /// Sets the field of a show to that of another one.
  let take: @Sendable (inout LibraryShow, LibraryShow) -> Void

  static let all = [
    ShowField(.title) { show in
      show.title.map { !$0.isEmpty && $0 != show.slug } ?? false
    } take: { show, other in
      other.title.map { show.rename(to: $0) }
    },
    ShowField(.genres) { show in
      !show.genres.isEmpty
    } take: { show, other in
      show.genres = other.genres
    },
    ShowField(.picture) { show in
      show.picture != nil
    } take: { show, other in
      guard let picture = other.picture else { return }
      var known = show.picture ?? picture
      known.take(picture)
      show.picture = known
    },
    ShowField(.summary, \.summary), ShowField(.language, \.language),
    ShowField(.premiered, \.premiered), ShowField(.ended, \.hasEnded),
    ShowField(.network, \.network), ShowField(.site, \.site),
  ]

  private init(
    _ name: LibraryShow.Field, isPresent: @escaping @Sendable (LibraryShow) -> Bool,
    take: @escaping @Sendable (inout LibraryShow, LibraryShow) -> Void
  ) {
    (self.name, self.isPresent, self.take) = (name, isPresent, take)
  }

  private init<Value: SendableMetatype>(
    _ name: LibraryShow.Field, _ field: any WritableKeyPath<LibraryShow, Value?> & Sendable
  ) {
    self.init(name) {
      $0[keyPath: field] != nil
    } take: {
      $0[keyPath: field] = $1[keyPath: field]
    }
  }
}
