package import VmxModel
package import VmxNaming

extension JournalEntry {
  /// The files of an episode that an operation has renamed.
  package struct Renaming: Sendable, Equatable {
    /// The episode.
    package private(set) var episode: EpisodeID
    /// The moves, in the order in which they were done.
    package private(set) var moves: [FileMove]

    /// Creates the description of moves that were done.
    package init(of episode: EpisodeID, _ moves: [FileMove]) {
      self.episode = episode
      self.moves = moves
    }
  }

  /// A show that an operation has renamed.
  package struct ShowRenaming: Sendable, Equatable {
    /// The show as it was before; its rules and its picture are not taken back.
    package private(set) var before: LibraryShow
    /// The slug after the operation.
    package private(set) var slug: String
    /// The title after the operation; nil if it had none.
    package private(set) var title: String?

    /// Creates the description of a renaming.
    package init(_ before: LibraryShow, to after: LibraryShow) {
      (self.before, slug, title) = (before, after.slug, after.title)
    }
  }

  /// Files that an operation has added to an episode, which `before` does not have.
  package struct Addition: Sendable, Equatable {
    /// The episode.
    package private(set) var episode: EpisodeID
    /// The names of the parts.
    package private(set) var parts: [String]
    /// The paths from which files were moved, by part; empty if the sources were not moved.
    package private(set) var sources: [String: String]
    /// The digests of the received files of these parts and of the sources, by part. Entries of
    /// earlier versions have none.
    package private(set) var digests: [String: Digest]
    /// The UUID of the root whose files were imported in place and are kept by an undo; nil for
    /// files that were copied or moved into the library.
    package private(set) var placedIn: String?
    /// The marks of the user that the operation has changed, with their values after it. An undo
    /// restores those that still have these values.
    package private(set) var marks: JSONObject
    /// The names of those parts of an import in place whose files vmx wrote, from fields of the
    /// other program's record; an undo deletes them.
    package private(set) var written: [String]

    /// Creates an addition.
    package init(
      to episode: EpisodeID, parts: [String], sources: [String: String] = [:],
      digests: [String: Digest] = [:], placedIn: String? = nil, written: [String] = [],
      marks: JSONObject = JSONObject()
    ) {
      self.episode = episode
      self.parts = parts
      self.sources = sources
      self.digests = digests
      self.placedIn = placedIn
      self.written = written
      self.marks = marks
    }
  }
}

extension JournalEntry.ShowRenaming: LenientRecord {
  /// The fields of the renaming of a show.
  package enum Field: String, RecordField {
    case from, to, title, before
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Self {
    let show = LibraryShow(slug: "", title: nil)
    return Self(show, to: show)
  }

  package mutating func code<C: FieldCoder>(_ field: Field, _ coder: inout C) throws(C.Problem) {
    switch field {
    case .from: try coder.required(&before.slug)
    case .to: try coder.required(&slug)
    case .title: try coder.field(&title)
    case .before:
      let from = before.slug
      try coder.required(&before)
      before.slug = from
    }
  }
}

extension JournalEntry.Addition: LenientRecord {
  /// The fields of an addition.
  package enum Field: String, RecordField {
    case episode = "id"
    case parts, sources, digests
    case placedIn = "in_place"
    case marks, written
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Self { Self(to: .unknown, parts: []) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .episode: try coder.required(&episode)
    case .parts: try coder.field(&parts, absent: [])
    case .sources: try coder.field(&sources, omitting: [:])
    case .digests: try coder.field(&digests, omitting: [:])
    case .placedIn: try coder.field(&placedIn)
    case .marks: try coder.field(&marks, omitting: JSONObject())
    case .written: try coder.field(&written, omitting: [])
    }
  }
}

/// Without one of its moves a renaming cannot be undone, so all must be valid.
extension JournalEntry.Renaming: LenientRecord {
  /// The fields of a renaming.
  package enum Field: String, RecordField {
    case episode = "id"
    case moves = "files"
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Self { Self(of: .unknown, []) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .episode: try coder.required(&episode)
    case .moves: try coder.required(&moves)
    }
  }
}

/// A mark of the user that an operation may change.
private struct JournaledMark: Sendable {
  let field: Episode.Field
  let restore: @Sendable (inout Episode, _ before: Episode) -> Void

  static let all: [JournaledMark] = [
    JournaledMark(.want) { $0.want = $1.want },
    JournaledMark(.priority) { $0.priority = $1.priority },
    JournaledMark(.place) { $0.place = $1.place },
    JournaledMark(.keep) { $0.isKept = $1.isKept },
    JournaledMark(.watched) { $0.isWatched = $1.isWatched },
    JournaledMark(.watchedAt) { $0.watchedAt = $1.watchedAt },
    JournaledMark(.meteredOK) { $0.isMeteredOK = $1.isMeteredOK },
  ]

  init(_ field: Episode.Field, restore: @escaping @Sendable (inout Episode, Episode) -> Void) {
    self.field = field
    self.restore = restore
  }

  func value(in episode: Episode) -> JSONValue { episode.json(of: [field])[0] ?? .null }
}

extension Episode {
  /// Returns the marks that differ from those of a previous record, with their present values.
  package func changedMarks(since before: Episode) -> JSONObject {
    var marks = JSONObject()
    for mark in JournaledMark.all where mark.value(in: self) != mark.value(in: before) {
      marks.append(mark.field.rawValue, mark.value(in: self))
    }
    return marks
  }

  /// Restores the marks that an operation has changed and that were not changed since.
  ///
  /// - Parameter marks: the result of `changedMarks` after the operation.
  package mutating func restoreMarks(_ marks: JSONObject, from before: Episode) {
    for mark in JournaledMark.all {
      if let value = marks[mark.field.rawValue], value == mark.value(in: self) {
        mark.restore(&self, before)
      }
    }
  }
}
