package import VmxModel

extension JournalEntry {
  /// The files of an episode that an operation has renamed.
  package struct Renaming: Sendable, Equatable {
    /// The episode.
    package let episode: EpisodeID
    /// The moves, in the order in which they were done.
    package let moves: [FileMove]

    /// Creates the description of moves that were done.
    package init(of episode: EpisodeID, _ moves: [FileMove]) {
      self.episode = episode
      self.moves = moves
    }
  }

  /// Files that an operation has added to an episode, which `before` does not have.
  package struct Addition: Sendable, Equatable {
    /// The episode.
    package let episode: EpisodeID
    /// The names of the parts.
    package let parts: [String]
    /// The paths from which files were moved, by part; empty if the sources were not moved.
    package let sources: [String: String]
    /// The digests of the received files of these parts and of the sources, by part. Entries of
    /// earlier versions have none.
    package let digests: [String: Digest]
    /// The UUID of the root whose files were imported in place and are kept by an undo; nil for
    /// files that were copied or moved into the library.
    package let placedIn: String?
    /// The marks of the user that the operation has changed, with their values after it. An undo
    /// restores those that still have these values.
    package let marks: JSONObject
    /// The names of those parts of an import in place whose files vmx wrote, from fields of the
    /// other program's record; an undo deletes them.
    package let written: [String]

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

extension JournalEntry.Addition {
  /// Reads the fields; nil if they are invalid, as those of a later version may be.
  init?(_ fields: JSONObject) {
    guard let id = fields["id"]?.string.flatMap({ EpisodeID(valid: $0) }) else { return nil }
    self.init(
      to: id, parts: fields["parts"]?.array?.compactMap(\.string) ?? [],
      sources: Self.texts(fields["sources"]),
      digests: Self.texts(fields["digests"]).compactMapValues { Digest(.sha256, hex: $0) },
      placedIn: fields["in_place"]?.string,
      written: fields["written"]?.array?.compactMap(\.string) ?? [],
      marks: fields["marks"]?.object ?? JSONObject())
  }

  var fields: JSONObject {
    var object = JSONObject()
    object.append("id", episode.description)
    object.append("parts", .array(parts.map { .string($0) }))
    object.append("sources", Self.object(sources))
    object.append("digests", Self.object(digests.mapValues(\.hex)))
    object.append("in_place", placedIn)
    object.append("marks", marks.fields.isEmpty ? nil : .object(marks))
    object.append("written", written.isEmpty ? nil : .array(written.map { .string($0) }))
    return object
  }

  private static func texts(_ field: JSONValue?) -> [String: String] {
    let fields = field?.object?.fields ?? []
    return Dictionary(
      fields.compactMap { field in field.value.string.map { (field.key, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func object(_ texts: [String: String]) -> JSONValue? {
    guard !texts.isEmpty else { return nil }
    let fields = texts.sorted { $0.key < $1.key }
    return .object(JSONObject(distinct: fields.map { ($0.key, .string($0.value)) }))
  }
}

extension JournalEntry.Renaming {
  /// Reads the fields; nil if they are invalid, as those of a later version may be, or if a path
  /// leaves its root.
  init?(_ fields: JSONObject) {
    guard let id = fields["id"]?.string.flatMap({ EpisodeID(valid: $0) }),
      let files = fields["files"]?.array
    else { return nil }
    let moves = files.compactMap { $0.object.flatMap { FileMove($0) } }
    guard moves.count == files.count else { return nil }
    self.init(of: id, moves)
  }

  var fields: JSONObject {
    var object = JSONObject()
    object.append("id", episode.description)
    object.append("files", .array(moves.map { .object($0.fields) }))
    return object
  }
}

extension FileMove {
  fileprivate init?(_ fields: JSONObject) {
    guard let part = fields["part"]?.string, let root = fields["root"]?.string,
      let from = fields["from"]?.string, let to = fields["to"]?.string,
      PathBytes(from).isNormalised, PathBytes(to).isNormalised
    else { return nil }
    self.init(part: part, root: root, newRoot: fields["to_root"]?.string, from: from, to: to)
  }

  fileprivate var fields: JSONObject {
    var object = JSONObject()
    object.append("part", part)
    object.append("root", root)
    object.append("to_root", isBetweenRoots ? newRoot : nil)
    object.append("from", from)
    object.append("to", to)
    return object
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
