package import VmxModel

/// One action of `vmx clean`, done or planned. Each step can be shown, filtered and refused
/// individually.
package struct CleaningStep: Sendable, Equatable {
  /// The kind of a step. The raw value is stored in plans and never changes its meaning.
  package enum Kind: String, Sendable, CaseIterable {
    /// Reports that a root is absent or belongs to another library; nothing in it is touched.
    case reachRoot = "reach-root"
    /// Reports a folder or file that could not be read; no other step applies to its contents.
    case unreadable
    /// Completes a removal that was interrupted.
    case finishRemoval = "finish-removal"
    /// Removes expired media permanently.
    case expire
    /// Removes an episode because a rule matches it.
    case remove
    /// Requests an episode that a rule of its show wants in the library.
    case request
    /// Records that the file of a part is missing.
    case recordMissing = "record-missing"
    /// Records that the files of an episode are lost with their root, as the user has said.
    case recordLost = "record-lost"
    /// Records the new path of a part's moved file.
    case recordMoved = "record-moved"
    /// Renames the files of an episode to the names that its record determines.
    case rename
    /// Moves the files of an episode to another root, as the user has said.
    case moveFiles = "move-files"
    /// Removes files that were copied to another root before a crash.
    case finishMove = "finish-move"
    /// Joins two records of one episode into one.
    case join
    /// Adds a file without a record to the store, from the sidecar beside it.
    case adopt
    /// Writes the sidecar of an episode, and its NFO file, where they are missing.
    case writeSidecar = "write-sidecar"
    /// Reports a file that neither a record nor a sidecar describes.
    case unknownFile = "unknown-file"
    /// Moves an unknown file to the trash.
    case discardFile = "discard-file"
    /// Records the end of such a move.
    case finishDiscard = "finish-discard"
    /// Removes a partial download that no transfer resumes.
    case dropPartial = "drop-partial"
    /// Removes a temporary file that a crash left behind.
    case dropDraft = "drop-draft"
    /// Removes an original file that no record references.
    case dropOriginal = "drop-original"
    /// Removes the sidecar of an episode that no longer exists.
    case dropSidecar = "drop-sidecar"
    /// Removes an empty folder.
    case removeFolder = "remove-folder"
    /// Removes a trash entry permanently.
    case purgeTrash = "purge-trash"
    /// Removes a journal entry that can no longer be undone.
    case forgetStep = "forget-step"
    /// Removes cached data that can be fetched again.
    case dropCache = "drop-cache"
    /// Rewrites the store without superseded lines.
    case compact
  }

  /// The kind of this step.
  package var kind: Kind
  /// The episode that the step applies to.
  package var episode: EpisodeID?
  /// The name of the part that the step applies to.
  package var part: String?
  /// The UUID of the root that the step applies to.
  package var root: String?
  /// The file or folder that the step applies to, relative to the root or to the cache.
  package var path: PathBytes?
  /// The current path of the file, relative to the root, if it differs from `path`.
  package var found: PathBytes?
  /// The path that the file is to get, relative to the root.
  package var target: PathBytes?
  /// The target's name where it is neither a path nor an episode.
  package var name: String?
  /// The reason for the step, in words for the user.
  package var explanation: String
  /// The reason of a removal by rule.
  package var reason: EpisodeRemoval.Reason?
  /// The number of bytes that the step frees or applies to.
  package var bytes: ByteCount?
  /// `rev` of the episode's record when the step was planned.
  package var rev: Int64?
  /// The identity of the file when the step was planned.
  package var file: FileMark?
  /// The SHA-256 that was computed from the file.
  package var sha256: Digest?
  /// Whether the episode's files are removed permanently, not moved to the trash.
  package var isPermanent = false
  /// The error that ended the inspection of a file, folder or root; never part of a plan's row.
  package var failure: Failure?

  /// Creates a step of the given kind, with its reason.
  package init(_ kind: Kind, explanation: String) {
    self.kind = kind
    self.explanation = explanation
  }

  /// The identifier of the row: the episode, else the file, else the name, the root or the kind.
  package var id: String {
    episode?.description ?? path?.displayText ?? name ?? root ?? kind.rawValue
  }

  /// The command that undoes the step, or `none` if nothing can be undone.
  package var inverse: String {
    switch kind {
    case .discardFile, .rename, .recordLost, .moveFiles, .join: return "vmx undo"
    case .remove where !isPermanent: return "vmx undo"
    case .remove, .expire: return episode.map { "vmx queue add \($0)" } ?? "none"
    case .recordMissing, .recordMoved: return episode.map { "vmx verify \($0)" } ?? "none"
    case .request: return episode.map { "vmx queue drop \($0)" } ?? "none"
    case .adopt: return episode.map { "vmx rm \($0)" } ?? "none"
    default: return "none"
    }
  }

  /// The error code in messages and rows about this step.
  package var code: ErrorCode? { kind == .unknownFile ? .fileUnknown : failure?.code }
}

extension CleaningStep {
  /// The step's own fields in a plan's row; the caller writes `schema` and `id` before them.
  package var fields: JSONObject {
    var object = JSONObject()
    object.append("step", kind.rawValue)
    object.append("text", explanation)
    object.append("reason", reason?.rawValue)
    object.append("bytes", bytes.map { .integer($0.bytes) })
    object.append("part", part)
    object.append("rev", rev.map { .integer($0) })
    object.append("root", root)
    object.append("relative_path", path)
    object.append("found", found)
    object.append("target", target)
    object.append("name", name)
    object.append("code", code?.rawValue)
    file?.add(to: &object)
    object.append("sha256", sha256?.hex)
    object.append("permanent", isPermanent ? true : nil)
    object.append("inverse", inverse)
    return object
  }

  /// Decodes a row of a plan, ignoring unknown fields.
  ///
  /// - Throws: `bad-line` for a row that is not a step, or whose path leads out of its root.
  package init(row object: JSONObject) throws(Failure) {
    let id = object["id"]?.string ?? ""
    let fields = FieldReader(object, of: id, code: .badLine)
    guard let kind: Kind = try fields.value("step") else {
      throw Failure(.badLine, "the row has no 'step'", hint: "pipe in rows of 'vmx clean --plan'")
    }
    self.init(kind, explanation: try fields.string("text") ?? "")
    if Self.concerningEpisodes.contains(kind) { episode = try EpisodeID(row: id) }
    // Only 'vmx rm' records a removal by the user.
    reason = try fields.string("reason").flatMap { EpisodeRemoval.Reason(rawValue: $0) }
    if reason == .byHand { reason = nil }
    part = try fields.string("part")
    rev = try fields.integer("rev")
    root = try fields.string("root")
    path = try Self.path("relative_path", of: object, id)
    found = try Self.path("found", of: object, id)
    target = try Self.path("target", of: object, id)
    name = try fields.string("name")
    bytes = try fields.byteCount("bytes")
    sha256 = try fields.sha256("sha256")
    isPermanent = try fields.bool("permanent") ?? false
    file = FileMark(row: object)
  }

  /// Whether this planned step is still valid. `fresh`, planned now, must have the same target,
  /// revision, file and location.
  package func isSame(as fresh: CleaningStep) -> Bool {
    key == fresh.key && rev == fresh.rev && file == fresh.file && found == fresh.found
      && sha256 == fresh.sha256 && target == fresh.target
  }

  /// The key that matches this step with the same step of another plan.
  package var key: Key {
    Key(kind: kind, episode: episode, part: part, root: root, path: path, name: name)
  }

  /// The target of a step, which identifies it across plans.
  package struct Key: Hashable, Sendable {
    let kind: Kind
    let episode: EpisodeID?
    let part: String?
    let root: String?
    let path: PathBytes?
    let name: String?
  }

  private static let concerningEpisodes: Set<Kind> = [
    .finishRemoval, .expire, .remove, .recordMissing, .recordLost, .recordMoved, .adopt,
    .writeSidecar, .rename, .request, .moveFiles, .finishMove, .join,
  ]

  private static func path(
    _ key: String, of object: JSONObject, _ id: String
  ) throws(Failure) -> PathBytes? {
    guard let path = object.path(key) else { return nil }
    guard path.isNormalised else {
      throw Failure(.badLine, "field '\(key)' of '\(id)' is outside its root")
    }
    return path
  }
}

extension EpisodeID {
  fileprivate init(row text: String) throws(Failure) {
    guard let id = EpisodeID(valid: text) else {
      throw Failure(.badLine, "the id of the row is not an episode id: '\(text)'")
    }
    self = id
  }
}

extension CleaningStep.Kind: FieldValue {}
