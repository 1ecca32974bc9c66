// A new descriptive field is one line of `DescriptiveField.all`. An import overwrites or fills
// exactly these fields, and its undo restores exactly these fields. The want and the marks of the
// user (kept, watched, metered, priority) do not describe an episode, so an undo keeps them.

/// A field that describes an episode: its rules for an import and for the undo of one.
struct DescriptiveField: Sendable {
  /// Overwrites the field of an episode if the description has it.
  let overwrite: @Sendable (inout Episode, EpisodeDescription) -> Void
  /// Sets the field of an episode if the episode lacks it.
  let fill: @Sendable (inout Episode, EpisodeDescription) -> Void
  /// Sets the field of an episode to that of its previous record.
  let restore: @Sendable (inout Episode, _ before: Episode) -> Void

  /// All fields, in the order in which they are set.
  static let all: [DescriptiveField] = [
    // First, because the number and the day tell whether the recorded title is a derived one.
    DescriptiveField(
      restoring: \.title,
      overwrite: { $0.title = $1.title ?? $0.title },
      fill: { if $0.hasDerivedTitle { $0.title = $1.title ?? $0.title } }),
    DescriptiveField(
      restoring: \.showTitle,
      overwrite: { episode, described in
        let title = described.showTitle ?? described.show
        if let title, title != episode.id.show { episode.showTitle = title }
      },
      fill: { episode, described in
        guard episode.showTitle.isEmpty || episode.showTitle == episode.id.show else { return }
        episode.showTitle = described.showTitle ?? episode.showTitle
      }),
    // A described season belongs to the described number, not to one that is known.
    DescriptiveField(\.season, \.season, fillsOnlyIf: { $0.number == nil }),
    DescriptiveField(\.number, \.number),
    DescriptiveField(\.date, \.date),
    DescriptiveField(\.duration, \.duration),
    DescriptiveField(\.language, \.language),
    DescriptiveField(\.summary, \.summary),
    DescriptiveField(\.rating, \.rating),
    DescriptiveField(\.ageRating, \.ageRating),
    DescriptiveField(
      restoring: \.chapters,
      overwrite: { if !$1.chapters.isEmpty { $0.chapters = $1.chapters } },
      fill: { if $0.chapters.isEmpty { $0.chapters = $1.chapters } }),
    DescriptiveField(\.chaptersURL, \.chaptersURL),
    DescriptiveField(\.pageURL, \.pageURL),
    // The first of several feeds is kept, so that they do not overwrite each other in turn. Only
    // catalogues fill, and they have no feed.
    DescriptiveField(
      restoring: \.feed, overwrite: { $0.feed = $0.feed ?? $1.feed }, fill: { _, _ in }),
    DescriptiveField(
      restoring: \.guid,
      overwrite: { if $1.feed != nil, $0.feed == $1.feed { $0.guid = $1.guid ?? $0.guid } },
      fill: { _, _ in }),
    // Neither a description nor an undo grants a right that the licence does not grant.
    DescriptiveField(\.expires, \.expires, changesOnlyIf: { $0.licence == nil }),
  ]

  /// A field that an import sets by rules of its own.
  private init<Value>(
    restoring field: any WritableKeyPath<Episode, Value> & Sendable,
    overwrite: @escaping @Sendable (inout Episode, EpisodeDescription) -> Void,
    fill: @escaping @Sendable (inout Episode, EpisodeDescription) -> Void
  ) {
    self.overwrite = overwrite
    self.fill = fill
    restore = { $0[keyPath: field] = $1[keyPath: field] }
  }

  /// A field that an import overwrites with the described value, or fills if it is nil.
  private init<Value>(
    _ field: any WritableKeyPath<Episode, Value?> & Sendable,
    _ described: any KeyPath<EpisodeDescription, Value?> & Sendable,
    changesOnlyIf mayChange: @escaping @Sendable (Episode) -> Bool = { _ in true },
    fillsOnlyIf mayFill: @escaping @Sendable (Episode) -> Bool = { _ in true }
  ) {
    overwrite = { episode, description in
      guard mayChange(episode), let value = description[keyPath: described] else { return }
      episode[keyPath: field] = value
    }
    fill = { episode, description in
      guard mayChange(episode), mayFill(episode), episode[keyPath: field] == nil else { return }
      episode[keyPath: field] = description[keyPath: described]
    }
    restore = { episode, before in
      if mayChange(episode) { episode[keyPath: field] = before[keyPath: field] }
    }
  }
}

extension Episode {
  /// Sets the fields that a description can set, except the marks of the user, to those of a
  /// previous record.
  package mutating func restoreDescription(from before: Episode) {
    for field in DescriptiveField.all { field.restore(&self, before) }
  }

  /// Whether the title only repeats the number or day of the episode, its id, or the name of its
  /// file.
  fileprivate var hasDerivedTitle: Bool {
    let place = MediaName.place(season: season, number: number, date: date)
    return title.isEmpty || title == id.episode || title.lowercased() == place?.lowercased()
      || parts.contains { $0.role == .video && $0.urls.contains(where: isNameOfFile) }
  }

  private func isNameOfFile(_ url: String) -> Bool {
    url.split(separator: "/").last.map { $0.hasPrefix("\(title).") || $0 == title } ?? false
  }
}
