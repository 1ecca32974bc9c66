// A new descriptive field is one line of `EpisodeText.descriptive`, or of `withOwnRules`. An
// import sets exactly these fields, and its undo restores exactly these fields. The want and the
// marks of the user (kept, watched, metered, priority) do not describe an episode, so an undo
// keeps them.
//
// Which of two values wins is decided by their sources (`FieldOrigin`): a weaker source only fills
// a field, the same or a stronger one replaces it. The names of two files are no versions of one
// text, so a name never replaces another one; only a title that is a whole file name yields. A
// catalogue completes episodes (`EpisodeDescription.fills`), so it replaces only values of weaker
// sources.

/// A field that describes an episode: its rules for an import and for the undo of one.
struct DescriptiveField: Sendable {
  /// Its name in records.
  let name: Episode.Field
  /// Whether two records have the same value.
  let isSame: @Sendable (Episode, Episode) -> Bool
  /// Whether an episode has no value.
  let isMissing: @Sendable (Episode) -> Bool
  /// Sets the field of an episode if the description has it and its source is strong enough.
  let set: @Sendable (inout Episode, EpisodeDescription) -> Void
  /// Sets the field of an episode to that of its previous record.
  let restore: @Sendable (inout Episode, _ before: Episode) -> Void
  /// Sets the field of an episode to that of another record of the same episode, if it is missing
  /// or the other one has a stronger source.
  let join: @Sendable (inout Episode, _ other: Episode) -> Void

  /// All fields, in the order in which they are set.
  static let all = withOwnRules + EpisodeText.descriptive

  /// The fields that an import sets by rules of their own.
  private static let withOwnRules: [DescriptiveField] = [
    // First, because the number and the day tell whether the recorded title is a derived one.
    DescriptiveField(.title, restoring: \.title) { episode, described in
      let origin = described.origin(of: .title)
      let isMissing =
        episode.hasDerivedTitle && episode.by[.title] < .person
        && (origin > .name || episode.by[.title] <= .name)
        || episode.by[.title] == .name && episode.hasTitleOfFile && !described.hasTitleOfFile
          && !described.hasMadeTitle
      guard let title = described.title, isMissing || !described.hasMadeTitle,
        described.mayReplace(.title, of: episode, isMissing: isMissing)
      else { return }
      episode.title = title
      episode.by[.title] = origin
    } join: { episode, other in
      let isMissing = episode.hasDerivedTitle && !other.hasDerivedTitle
      guard isMissing || !other.hasDerivedTitle && episode.by.yields(.title, to: other.by) else {
        return
      }
      episode.title = other.title
      episode.by.take(.title, from: other.by)
    },
    DescriptiveField(.showTitle, restoring: \.showTitle) { episode, described in
      let isMissing = episode.showTitle.isEmpty || episode.showTitle == episode.id.show
      let title = described.showTitle ?? (described.fills ? nil : described.show)
      guard let title, title != episode.id.show,
        described.mayReplace(.showTitle, of: episode, isMissing: isMissing)
      else { return }
      episode.showTitle = title
      episode.by[.showTitle] = described.origin(of: .showTitle)
    } join: { episode, other in
      // The episode stays in its show, unless only the name of a folder tells it.
      let isOther = episode.id.show != other.id.show && episode.by[.showTitle] > .name
      guard !isOther, episode.by.yields(.showTitle, to: other.by) else { return }
      episode.showTitle = other.showTitle
      episode.by.take(.showTitle, from: other.by)
    },
    DescriptiveField(.chapters, restoring: \.text.chapters) { episode, described in
      guard !described.chapters.isEmpty,
        described.mayReplace(.chapters, of: episode, isMissing: episode.chapters.isEmpty)
      else { return }
      episode.chapters = described.chapters
      episode.by[.chapters] = described.origin(of: .chapters)
    } join: { episode, other in
      let isStronger = episode.by.yields(.chapters, to: other.by)
      guard !other.chapters.isEmpty, episode.chapters.isEmpty || isStronger else { return }
      episode.chapters = other.chapters
      episode.by.take(.chapters, from: other.by)
    },
    // The first of several feeds is kept, so that they do not overwrite each other in turn.
    DescriptiveField(.feed, restoring: \.text.feed) {
      $0.feed = $0.feed ?? $1.feed
    } join: { episode, other in
      guard episode.feed == nil else { return }
      (episode.feed, episode.guid) = (other.feed, other.guid)
    },
    DescriptiveField(.guid, restoring: \.text.guid) { episode, described in
      guard described.feed != nil, episode.feed == described.feed else { return }
      episode.guid = described.guid ?? episode.guid
    } join: { _, _ in
      // The guid belongs to the feed, with which it is joined.
    },
  ]

  /// A field that an import sets by rules of its own.
  private init<Value: Equatable & SendableMetatype>(
    _ name: Episode.Field, restoring field: any WritableKeyPath<Episode, Value> & Sendable,
    set: @escaping @Sendable (inout Episode, EpisodeDescription) -> Void,
    join: @escaping @Sendable (inout Episode, _ other: Episode) -> Void
  ) {
    (self.name, self.set, self.join) = (name, set, join)
    isSame = { $0[keyPath: field] == $1[keyPath: field] }
    isMissing = { _ in false }
    restore = { $0[keyPath: field] = $1[keyPath: field] }
  }

  /// A field that an import sets to the described value.
  init<Value: Equatable & SendableMetatype>(
    _ name: Episode.Field, _ field: any WritableKeyPath<EpisodeText, Value?> & Sendable,
    changesOnlyIf mayChange: @escaping @Sendable (Episode) -> Bool = { _ in true },
    fillsOnlyIf mayFill: @escaping @Sendable (Episode) -> Bool = { _ in true }
  ) {
    self.name = name
    isSame = { $0.text[keyPath: field] == $1.text[keyPath: field] }
    isMissing = { $0.text[keyPath: field] == nil }
    set = { episode, description in
      let isMissing = episode.text[keyPath: field] == nil
      let origin = description.origin(of: name)
      guard mayChange(episode), let value = description.text[keyPath: field],
        description.mayReplace(name, of: episode, isMissing: isMissing)
      else { return }
      let isCompletion = description.fills || origin < .program
      guard !isMissing || !isCompletion || mayFill(episode) else { return }
      episode.text[keyPath: field] = value
      episode.by[name] = origin
    }
    restore = { episode, before in
      if mayChange(episode) { episode.text[keyPath: field] = before.text[keyPath: field] }
    }
    join = { episode, other in
      let isMissing = episode.text[keyPath: field] == nil
      guard mayChange(episode), let value = other.text[keyPath: field],
        isMissing ? mayFill(episode) : episode.by.yields(name, to: other.by)
      else { return }
      episode.text[keyPath: field] = value
      episode.by.take(name, from: other.by)
    }
  }
}

extension EpisodeDescription {
  /// The source of one of its fields.
  package func origin(of field: Episode.Field) -> FieldOrigin {
    if tagged.contains(field) { return min(.tags, origin) }
    let path: PathField? =
      switch field {
      case .title: .title
      case .showTitle: .showTitle
      case .season: .season
      case .number: .number
      case .date: .date
      default: nil
      }
    return path.map(derived.contains) == true ? min(.name, origin) : origin
  }

  /// Whether its value of a field may be set.
  ///
  /// - Parameter isMissing: whether the episode has no value, or only one that a tool made up.
  func mayReplace(_ field: Episode.Field, of episode: Episode, isMissing: Bool) -> Bool {
    if isMissing { return true }
    let origin = origin(of: field)
    return fills || origin == .name ? episode.by[field] < origin : episode.by[field] <= origin
  }

  /// Whether the title is the whole name of the file, for want of another one.
  fileprivate var hasTitleOfFile: Bool {
    guard let title, let fileName, origin(of: .title) == .name else { return false }
    return EpisodeSigns.folded(title: title) == EpisodeSigns.folded(title: fileName)
  }
}

extension Episode {
  /// Sets the fields that a description can set, except the marks of the user, to those of a
  /// previous record.
  ///
  /// - Parameter moment: the time from which a person's values are kept; nil to keep none.
  package mutating func restoreDescription(
    from before: Episode, keepingValuesSince moment: Timestamp? = nil
  ) {
    let present = by
    by = before.by
    func isKept(_ field: Field) -> Bool {
      guard let moment, let time = present.time(of: field) else { return false }
      return time > moment && present.isLater(field, than: before.by)
    }
    for field in DescriptiveField.all {
      if isKept(field.name) {
        by.take(field.name, from: present)
      } else {
        field.restore(&self, before)
      }
    }
    for mark in [Field.keep, .want] where isKept(mark) { by.take(mark, from: present) }
  }

  /// Sets the fields that a description can set, except the marks of the user, to those of another
  /// record of the same episode that are missing here or have a stronger source there.
  package mutating func joinDescription(of other: Episode) {
    for field in DescriptiveField.all { field.join(&self, other) }
  }

  /// Whether the title only repeats the number or day of the episode, its id, or the name of its
  /// file.
  var hasDerivedTitle: Bool {
    title.isEmpty || title == id.episode
      || MadeTitle.isOne(title, season: text.season, number: text.number, date: text.date)
      || parts.contains { $0.role == .video && $0.urls.contains(where: isNameOfFile) }
  }

  /// Whether the title is the whole name of a file from which the episode was made.
  fileprivate var hasTitleOfFile: Bool {
    [title, title.replacing(" ", with: "_")].contains { name in
      identity.contains(.fileName(name, show: id.show))
    }
  }

  private func isNameOfFile(_ url: String) -> Bool {
    url.split(separator: "/").last.map { $0.hasPrefix("\(title).") || $0 == title } ?? false
  }
}
