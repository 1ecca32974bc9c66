package import VmxModel

/// One step of `vmx clean`, done or planned. Each can be shown, filtered and refused individually.
///
/// The fields of its row, such as `episode` and `path`, can be read from the step itself.
@dynamicMemberLookup
package struct CleaningStep: Sendable, Equatable {
  /// The action, with everything that its execution needs.
  package let action: CleaningAction
  /// The reason for the step, in words for the user.
  package var explanation: String
  /// The number of bytes that the step frees or applies to.
  package let bytes: ByteCount?
  /// The error that ended the inspection of a file, folder or root; never part of a plan's row.
  package var failure: Failure?

  /// Creates a step with its reason.
  package init(_ action: CleaningAction, explanation: String, bytes: ByteCount? = nil) {
    self.action = action
    self.explanation = explanation
    self.bytes = bytes
  }

  /// A field of the step's row.
  package subscript<Value>(dynamicMember field: KeyPath<CleaningPlanRow, Value>) -> Value {
    action.row[keyPath: field]
  }

  /// The identifier of the row: the episode, else the file, else the name, the root or the kind.
  package var id: String {
    let row = action.row
    return row.episode?.description ?? row.path?.displayText ?? row.name ?? row.root
      ?? row.kind.rawValue
  }

  /// The command that undoes the step, or `none` if nothing can be undone.
  package var inverse: String {
    switch action {
    case .discardFile, .rename, .recordLost, .moveFiles, .join, .remove(_, _, isPermanent: false):
      "vmx undo"
    case .remove(let episode, _, _), .expire(let episode, _): "vmx queue add \(episode.id)"
    case .recordMissing(let part), .recordMoved(let part, _): "vmx verify \(part.episode.id)"
    case .request(let episode): "vmx queue drop \(episode.id)"
    case .adopt(let id, _, _, _): "vmx rm \(id)"
    case .reachRoot, .unreadable, .unreadableCache, .finishRemoval, .finishMove, .writeSidecar,
      .writeShow, .unknownFile, .finishDiscard, .dropPartial, .dropDraft, .dropOriginal,
      .dropSidecar,
      .removeFolder, .purgeTrash, .forgetStep, .dropCache, .compact:
      "none"
    }
  }

  /// The error code in messages and rows about this step.
  package var code: ErrorCode? {
    if case .unknownFile = action { .fileUnknown } else { failure?.code }
  }
}

extension CleaningStep {
  /// The step's own fields in a plan's row; the caller writes `schema` and `id` before them.
  package var fields: JSONObject {
    let row = action.row
    var object = JSONObject()
    object.append("step", row.kind.rawValue)
    object.append("text", explanation)
    object.append("reason", row.reason?.rawValue)
    object.append("bytes", bytes.map { .integer($0.bytes) })
    object.append("part", row.part)
    object.append("rev", row.rev.map { .integer($0) })
    object.append("root", row.root)
    object.append("relative_path", row.path)
    object.append("found", row.found)
    object.append("target", row.target)
    object.append("name", row.name)
    object.append("code", code?.rawValue)
    row.file?.add(to: &object)
    object.append("sha256", row.sha256?.hex)
    object.append("permanent", row.isPermanent ? true : nil)
    object.append("inverse", inverse)
    return object
  }

  /// Decodes a row of a plan, ignoring unknown fields.
  ///
  /// - Throws: `bad-line` for a row that is not a step, that lacks a field of its step, or whose
  ///   path leads out of its root.
  package init(row object: JSONObject) throws(Failure) {
    let id = object["id"]?.string ?? ""
    let fields = FieldReader(object, of: id, code: .badLine)
    guard let kind: CleaningPlanRow.Kind = try fields.value("step") else {
      throw Failure(.badLine, "the row has no 'step'", hint: "pipe in rows of 'vmx clean --plan'")
    }
    var row = CleaningPlanRow(kind)
    row.episode = EpisodeID(valid: id)
    // Only 'vmx rm' records a removal by the user.
    row.reason = try fields.string("reason").flatMap { EpisodeRemoval.Reason(rawValue: $0) }
    if row.reason == .byHand { row.reason = nil }
    row.part = try fields.string("part")
    row.rev = try fields.integer("rev")
    row.root = try fields.string("root")
    row.path = try Self.path("relative_path", of: object, id)
    row.found = try Self.path("found", of: object, id)
    row.target = try Self.path("target", of: object, id)
    row.name = try fields.string("name")
    row.sha256 = try fields.sha256("sha256")
    row.isPermanent = try fields.bool("permanent") ?? false
    row.file = FileMark(row: object)
    self.init(
      try CleaningAction(row), explanation: try fields.string("text") ?? "",
      bytes: try fields.byteCount("bytes"))
  }

  /// Whether this planned step is still valid. `fresh`, planned now, must have the same target,
  /// revision, file and location.
  package func isSame(as fresh: CleaningStep) -> Bool {
    let (row, now) = (action.row, fresh.action.row)
    return key == fresh.key && row.rev == now.rev && row.file == now.file && row.found == now.found
      && row.sha256 == now.sha256 && row.target == now.target
  }

  /// The key that matches this step with the same step of another plan.
  package var key: Key {
    let row = action.row
    return Key(
      kind: row.kind, episode: row.episode, part: row.part, root: row.root, path: row.path,
      name: row.name)
  }

  /// The target of a step, which identifies it across plans.
  package struct Key: Hashable, Sendable {
    let kind: CleaningPlanRow.Kind
    let episode: EpisodeID?
    let part: String?
    let root: String?
    let path: PathBytes?
    let name: String?
  }

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
