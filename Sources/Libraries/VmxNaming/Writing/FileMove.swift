package import VmxModel

/// The move of a part's file to another path below the same root.
package struct FileMove: Sendable, Hashable {
  /// The name of the part.
  package private(set) var part: String
  /// The UUID of the root.
  package private(set) var root: String
  /// The UUID of the root that gets the file: the same, unless it moves to another disk.
  package private(set) var newRoot: String
  /// The previous path, below the root.
  package private(set) var from: String
  /// The new path, below the new root.
  package private(set) var to: String

  /// A path below a root.
  package struct Location: Sendable, Hashable {
    /// The UUID of the root.
    package let root: String
    /// The path below the root.
    package let path: String

    /// Creates the recorded location of a part's file; nil if it has none.
    package init?(_ part: Part) {
      guard let root = part.root, let path = part.path, part.state != .removed else { return nil }
      self.init(root: root, path: path)
    }

    fileprivate init(root: String, path: String) {
      self.root = root
      self.path = path
    }
  }

  /// Creates a move.
  ///
  /// - Parameter newRoot: the root that gets the file; nil for the same one.
  package init(part: String, root: String, newRoot: String? = nil, from: String, to: String) {
    self.part = part
    self.root = root
    self.newRoot = newRoot ?? root
    self.from = from
    self.to = to
  }

  /// The previous location.
  package var source: Location { Location(root: root, path: from) }

  /// The new location.
  package var target: Location { Location(root: newRoot, path: to) }

  /// Whether the file moves to another root, so that its bytes are copied.
  package var isBetweenRoots: Bool { newRoot != root }

  /// The inverse move.
  package var reversed: FileMove {
    FileMove(part: part, root: newRoot, newRoot: root, from: to, to: from)
  }
}

extension Failure {
  /// Creates the failure for a name that a file without a record occupies: `name-taken`.
  package static func nameTaken(_ file: some CustomStringConvertible) -> Failure {
    Failure(
      .nameTaken, "another file already has the name: '\(file)'",
      hint: "move that file, then run the command again")
  }
}

extension Episode {
  /// Records that the file of a part has moved, if the part records the previous location.
  package mutating func apply(_ move: FileMove) {
    for index in parts.indices
    where parts[index].name == move.part && FileMove.Location(parts[index]) == move.source {
      parts[index].root = move.newRoot
      parts[index].path = move.to
    }
  }
}

extension MediaName {
  /// The maximum number of names tried for an episode: the plain one, ` (2)`, ` (3)`, …
  package static let copies = 1000

  /// Returns the moves that rename the ready files of an episode in a root to the names of its
  /// record, the video first. Empty if they have these names.
  ///
  /// The other parts follow the video, since players find them by its stem. There are no moves
  /// while a part is being removed. Nor are there while the video is damaged or missing, since its
  /// name records its location.
  ///
  /// - Parameters:
  ///   - root: the UUID of the root.
  ///   - copy: from 2 on the stem ends with ` (2)`.
  ///   - template: the setting `library.template`.
  package static func moves(
    of episode: Episode, in root: String, copy: Int = 1, by template: NameTemplate
  ) -> [FileMove] {
    let video = episode.video
    guard !episode.parts.contains(where: \.isBeingRemoved),
      video?.path == nil || video?.state == .ready
    else { return [] }
    var moves: [FileMove] = []
    var stem = video?.path
    var targets: Set<String> = []
    let parts = episode.parts.sorted {
      ($0.name == video?.name ? 0 : 1) < ($1.name == video?.name ? 0 : 1)
    }
    for part in parts where part.state == .ready && part.root == root {
      guard let path = part.path, let fileExtension = fileExtension(of: path) else { continue }
      let isVideo = part.name == video?.name
      var target = path
      if !isVideo, let stem {
        target = self.path(beside: stem, part: part, fileExtension: fileExtension)
      } else {
        target = self.path(
          for: episode, part: part, fileExtension: fileExtension, copy: copy, by: template)
      }
      if isVideo { stem = target }
      guard targets.insert(target).inserted, target != path else { continue }
      moves.append(FileMove(part: part.name, root: root, from: path, to: target))
    }
    return moves
  }

  /// The extension of a path; nil if it has none that a name may keep.
  private static func fileExtension(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let text = String(name[name.index(after: dot)...])
    return SafeName.isExtension(text) ? text : nil
  }
}

extension FileMove: LenientRecord {
  /// The fields of a move in a journal entry.
  package enum Field: String, RecordField {
    case part, root
    case newRoot = "to_root"
    case from, to
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: FileMove { FileMove(part: "", root: "", from: "", to: "") }
  private static let path = FieldRule<String>("a path below its root") {
    PathBytes($0).isNormalised
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .part: try coder.required(&part)
    case .root: try coder.required(&root)
    case .newRoot:
      // Written only for a move between roots; an absent one is decoded after the root.
      var other = isBetweenRoots ? newRoot : nil
      try coder.field(&other)
      newRoot = other ?? root
    case .from: try coder.required(&from, Self.path)
    case .to: try coder.required(&to, Self.path)
    }
  }
}
