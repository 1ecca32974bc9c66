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
    /// The names of those parts of an import in place whose files vmx wrote, from fields of the
    /// other program's record; an undo deletes them.
    package let written: [String]

    /// Creates an addition.
    package init(
      to episode: EpisodeID, parts: [String], sources: [String: String] = [:],
      digests: [String: Digest] = [:], placedIn: String? = nil, written: [String] = []
    ) {
      self.episode = episode
      self.parts = parts
      self.sources = sources
      self.digests = digests
      self.placedIn = placedIn
      self.written = written
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
      written: fields["written"]?.array?.compactMap(\.string) ?? [])
  }

  var fields: JSONObject {
    var object = JSONObject()
    object.append("id", episode.description)
    object.append("parts", .array(parts.map { .string($0) }))
    object.append("sources", Self.object(sources))
    object.append("digests", Self.object(digests.mapValues(\.hex)))
    object.append("in_place", placedIn)
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
