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
    /// The UUID of the root whose files were imported in place and are kept by an undo; nil for
    /// files that were copied or moved into the library.
    package let placedIn: String?
    /// The names of those parts of an import in place whose files vmx wrote, from fields of the
    /// other program's record; an undo deletes them.
    package let written: [String]

    /// Creates an addition.
    package init(
      to episode: EpisodeID, parts: [String], sources: [String: String] = [:],
      placedIn: String? = nil, written: [String] = []
    ) {
      self.episode = episode
      self.parts = parts
      self.sources = sources
      self.placedIn = placedIn
      self.written = written
    }
  }
}

extension JournalEntry.Addition {
  /// Reads the fields; nil if they are invalid, as those of a later version may be.
  init?(_ fields: JSONObject) {
    guard let id = fields["id"]?.string.flatMap({ EpisodeID(valid: $0) }) else { return nil }
    let sources = fields["sources"]?.object?.fields ?? []
    self.init(
      to: id, parts: fields["parts"]?.array?.compactMap(\.string) ?? [],
      sources: Dictionary(
        sources.compactMap { field in field.value.string.map { (field.key, $0) } },
        uniquingKeysWith: { first, _ in first }),
      placedIn: fields["in_place"]?.string,
      written: fields["written"]?.array?.compactMap(\.string) ?? [])
  }

  var fields: JSONObject {
    var object = JSONObject()
    object.append("id", episode.description)
    object.append("parts", .array(parts.map { .string($0) }))
    if !sources.isEmpty {
      object.append(
        "sources",
        .object(
          JSONObject(
            distinct: sources.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })))
    }
    object.append("in_place", placedIn)
    object.append("written", written.isEmpty ? nil : .array(written.map { .string($0) }))
    return object
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
      PathBytes(from).isBelow, PathBytes(to).isBelow
    else { return nil }
    self.init(part: part, root: root, from: from, to: to)
  }

  fileprivate var fields: JSONObject {
    var object = JSONObject()
    object.append("part", part)
    object.append("root", root)
    object.append("from", from)
    object.append("to", to)
    return object
  }
}
