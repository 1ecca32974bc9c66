package import VmxModel

/// The fields of a step in the row of a plan. A row is input: any of them may be absent.
package struct CleaningPlanRow: Sendable, Equatable {
  /// The kind of a step. The raw value is stored in plans and never changes its meaning.
  package enum Kind: String, Sendable, CaseIterable, FieldValue {
    case reachRoot = "reach-root"
    case unreadable
    case finishRemoval = "finish-removal"
    case expire, remove, request
    case recordMissing = "record-missing"
    case recordLost = "record-lost"
    case recordMoved = "record-moved"
    case rename
    case moveFiles = "move-files"
    case finishMove = "finish-move"
    case join, adopt
    case writeSidecar = "write-sidecar"
    case writeShow = "write-show"
    case unknownFile = "unknown-file"
    case discardFile = "discard-file"
    case finishDiscard = "finish-discard"
    case dropPartial = "drop-partial"
    case dropDraft = "drop-draft"
    case dropOriginal = "drop-original"
    case dropSidecar = "drop-sidecar"
    case removeFolder = "remove-folder"
    case purgeTrash = "purge-trash"
    case forgetStep = "forget-step"
    case dropCache = "drop-cache"
    case compact
  }

  /// The kind of the step.
  package let kind: Kind
  /// The episode, which is the id of the row.
  package var episode: EpisodeID?
  /// The name of the part.
  package var part: String?
  /// The UUID of the root.
  package var root: String?
  /// The file or folder, relative to the root or to the cache.
  package var path: PathBytes?
  /// The current path of the file, relative to the root, if it differs from `path`.
  package var found: PathBytes?
  /// The path that the file is to get, relative to the root.
  package var target: PathBytes?
  /// The target's name where it is neither a path nor an episode.
  package var name: String?
  /// The reason of a removal by rule.
  package var reason: EpisodeRemoval.Reason?
  /// `rev` of the episode's record.
  package var rev: Int64?
  /// The identity of the file.
  package var file: FileMark?
  /// The SHA-256 of the file.
  package var sha256: Digest?
  /// Whether the episode's files are removed permanently, not moved to the trash.
  package var isPermanent = false

  init(_ kind: Kind, root: String? = nil, path: PathBytes? = nil, name: String? = nil) {
    self.kind = kind
    self.root = root
    self.path = path
    self.name = name
  }

  fileprivate init(
    _ kind: Kind, _ episode: EpisodeRevision?, root: String? = nil, path: PathBytes? = nil,
    name: String? = nil
  ) {
    self.init(kind, root: root, path: path, name: name)
    (self.episode, rev) = (episode?.id, episode?.rev)
  }

  fileprivate init(_ kind: Kind, _ file: PlannedFile, name: String? = nil) {
    self.init(kind, root: file.root, path: file.path, name: name)
    self.file = file.mark
  }

  fileprivate init(_ kind: Kind, _ part: RecordedPart) {
    self.init(kind, part.episode, root: part.root, path: part.path)
    (self.part, sha256) = (part.part, part.sha256)
  }

  /// Returns the row with a field set.
  fileprivate func setting<Value>(
    _ field: WritableKeyPath<Self, Value>, _ value: Value
  ) -> Self {
    var row = self
    row[keyPath: field] = value
    return row
  }
}

extension CleaningAction {
  /// The fields of the action in a row.
  package var row: CleaningPlanRow {
    switch self {
    case .reachRoot(let root): .init(.reachRoot, root: root)
    case .unreadable(let root, let path): .init(.unreadable, root: root, path: path)
    case .unreadableCache(let path): .init(.unreadable, name: path)
    case .finishRemoval(let episode): .init(.finishRemoval, episode)
    case .expire(let episode, let reason): .init(.expire, episode).setting(\.reason, reason)
    case .remove(let episode, let reason, let isPermanent):
      .init(.remove, episode).setting(\.reason, reason).setting(\.isPermanent, isPermanent)
    case .request(let episode): .init(.request, episode)
    case .recordMissing(let part): .init(.recordMissing, part)
    case .recordMoved(let part, let file):
      .init(.recordMoved, part).setting(\.root, file.root).setting(\.found, file.path)
        .setting(\.file, file.mark).setting(\.name, file.root == part.root ? nil : part.root)
    case .recordLost(let episode, let root): .init(.recordLost, episode, root: root)
    case .rename(let part, let target, let mark):
      .init(.rename, part).setting(\.target, target).setting(\.file, mark)
    case .moveFiles(let episode, let root, let path, let target):
      .init(.moveFiles, episode, root: root, path: path, name: target)
    case .finishMove(let id, let part, let file, let entry):
      .init(.finishMove, file, name: entry).setting(\.episode, id).setting(\.part, part)
    case .join(let episode, let kept): .init(.join, episode, name: kept.description)
    case .adopt(let id, let part, let file, let sha256):
      .init(.adopt, file).setting(\.episode, id).setting(\.part, part).setting(\.sha256, sha256)
    case .writeSidecar(let id, let root):
      .init(.writeSidecar, root: root).setting(\.episode, id)
    case .writeShow(let root, let path): .init(.writeShow, root: root, path: path)
    case .unknownFile(let file): .init(.unknownFile, file)
    case .discardFile(let file): .init(.discardFile, file)
    case .finishDiscard(let entry): .init(.finishDiscard, name: entry)
    case .dropPartial(let file, let id): .init(.dropPartial, file, name: id?.description)
    case .dropDraft(let file): .init(.dropDraft, file)
    case .dropOriginal(let file): .init(.dropOriginal, file)
    case .dropSidecar(let file, let id): .init(.dropSidecar, file, name: id?.description)
    case .removeFolder(let root, let path): .init(.removeFolder, root: root, path: path)
    case .purgeTrash(let root, let entry): .init(.purgeTrash, root: root, name: entry)
    case .forgetStep(let entry): .init(.forgetStep, name: entry)
    case .dropCache(let path, let mark):
      .init(.dropCache, path: path).setting(\.file, mark)
    case .compact: .init(.compact)
    }
  }

  /// Creates an action from the fields of a row.
  ///
  /// - Throws: `bad-line` if a field of the action is absent.
  init(_ row: CleaningPlanRow) throws(Failure) {
    switch row.kind {
    case .reachRoot: self = .reachRoot(try row.required(\.root))
    case .unreadable:
      self =
        if let root = row.root { .unreadable(root: root, row.path) } else {
          .unreadableCache(try row.required(\.name))
        }
    case .finishRemoval: self = .finishRemoval(try row.revision)
    case .expire: self = .expire(try row.revision, row.reason)
    case .remove:
      self = .remove(try row.revision, row.reason ?? .rule, isPermanent: row.isPermanent)
    case .request: self = .request(try row.revision)
    case .recordMissing: self = .recordMissing(try row.recordedPart)
    case .recordMoved:
      let file = PlannedFile(
        root: try row.required(\.root), path: try row.required(\.found),
        mark: try row.required(\.file))
      self = .recordMoved(
        try row.setting(\.root, row.name ?? row.root).recordedPart, to: file)
    case .recordLost:
      let episode = row.episode.map { EpisodeRevision($0, rev: row.rev) }
      self = .recordLost(episode, root: try row.required(\.root))
    case .rename:
      self = .rename(try row.recordedPart, target: try row.required(\.target), row.file)
    case .moveFiles:
      self = .moveFiles(
        try row.revision, root: try row.required(\.root), try row.required(\.path),
        target: try row.required(\.name))
    case .finishMove:
      self = .finishMove(
        try row.required(\.episode), part: try row.required(\.part), try row.plannedFile,
        entry: try row.required(\.name))
    case .join: self = .join(try row.revision, into: try row.required(\.named))
    case .adopt:
      self = .adopt(
        try row.required(\.episode), part: try row.required(\.part), try row.plannedFile,
        try row.required(\.sha256))
    case .writeSidecar:
      self = .writeSidecar(try row.required(\.episode), root: try row.required(\.root))
    case .writeShow:
      self = .writeShow(root: try row.required(\.root), try row.required(\.path))
    case .unknownFile: self = .unknownFile(try row.plannedFile)
    case .discardFile: self = .discardFile(try row.plannedFile)
    case .finishDiscard: self = .finishDiscard(entry: try row.required(\.name))
    case .dropPartial: self = .dropPartial(try row.plannedFile, of: row.named)
    case .dropDraft: self = .dropDraft(try row.plannedFile)
    case .dropOriginal: self = .dropOriginal(try row.plannedFile)
    case .dropSidecar: self = .dropSidecar(try row.plannedFile, of: row.named)
    case .removeFolder:
      self = .removeFolder(root: try row.required(\.root), try row.required(\.path))
    case .purgeTrash:
      self = .purgeTrash(root: try row.required(\.root), entry: try row.required(\.name))
    case .forgetStep: self = .forgetStep(entry: try row.required(\.name))
    case .dropCache: self = .dropCache(try row.required(\.path), try row.required(\.file))
    case .compact: self = .compact
    }
  }
}

extension CleaningPlanRow {
  /// Returns a field that the action of the step needs.
  ///
  /// - Throws: `bad-line` if it is absent.
  fileprivate func required<Value>(_ field: KeyPath<Self, Value?>) throws(Failure) -> Value {
    guard let value = self[keyPath: field] else {
      let problem = field == \.episode ? "has no id of an episode" : "lacks a field"
      throw Failure(.badLine, "the row of the step '\(kind.rawValue)' \(problem)")
    }
    return value
  }

  /// The episode that the name gives.
  fileprivate var named: EpisodeID? { name.flatMap { EpisodeID(valid: $0) } }

  fileprivate var revision: EpisodeRevision {
    get throws(Failure) { EpisodeRevision(try required(\.episode), rev: rev) }
  }

  fileprivate var plannedFile: PlannedFile {
    get throws(Failure) {
      PlannedFile(
        root: try required(\.root), path: try required(\.path), mark: try required(\.file))
    }
  }

  fileprivate var recordedPart: RecordedPart {
    get throws(Failure) {
      RecordedPart(
        try required(\.part), of: try revision, root: try required(\.root),
        path: try required(\.path), sha256: sha256)
    }
  }
}
