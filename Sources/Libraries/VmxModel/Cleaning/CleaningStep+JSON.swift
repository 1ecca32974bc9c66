extension CleaningStep {
  /// The step's own fields in a plan's row; the caller writes `schema` and `id` before them.
  package var fields: JSONObject {
    var object = JSONObject()
    object.append("step", kind.rawValue)
    object.append("why", why)
    object.append("bytes", bytes.map { .integer($0.bytes) })
    object.append("part", part)
    object.append("rev", rev.map { .integer($0) })
    object.append("root", root)
    object.append("path", path)
    object.append("found", found)
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
      throw Failure(.badLine, "the row has no 'step'", hint: "give rows of 'vmx clean --plan'")
    }
    self.init(kind, why: try fields.string("why") ?? "")
    if Self.concerningEpisodes.contains(kind) { episode = try EpisodeID(row: id) }
    part = try fields.string("part")
    rev = try fields.integer("rev")
    root = try fields.string("root")
    path = try Self.path("path", of: object, id)
    found = try Self.path("found", of: object, id)
    name = try fields.string("name")
    bytes = try fields.byteCount("bytes")
    sha256 = try fields.sha256("sha256")
    isPermanent = try fields.bool("permanent") ?? false
    file = FileMark(row: object)
  }

  /// Whether this planned step is still valid, judged by a step planned now: the same target, and
  /// the same revision, file and location.
  package func isSame(as fresh: CleaningStep) -> Bool {
    key == fresh.key && rev == fresh.rev && file == fresh.file && found == fresh.found
      && sha256 == fresh.sha256
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
    .finishRemoval, .expire, .remove, .recordMissing, .recordMoved, .adopt, .writeSidecar,
  ]

  private static func path(
    _ key: String, of object: JSONObject, _ id: String
  ) throws(Failure) -> PathBytes? {
    guard let path = object.path(key) else { return nil }
    guard path.isBelow else {
      throw Failure(.badLine, "field '\(key)' of '\(id)' leads out of its root")
    }
    return path
  }
}

extension EpisodeID {
  fileprivate init(row text: String) throws(Failure) {
    guard let id = EpisodeID(valid: text) else {
      throw Failure(.badLine, "the row's id is no episode: '\(text)'")
    }
    self = id
  }
}
