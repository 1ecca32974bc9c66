package import VmxModel
package import VmxStore

// A row is written before anything is done, in the same step of the store as the state `removing`,
// and again when it is done. So whoever finds an episode on its way out, after whatever crash,
// knows where its files go, and `vmx undo` knows what they belong to.

/// What one run of a tool did to one episode or one loose file, as the store keeps it.
package struct JournalEntry: Sendable, Equatable {
  /// How far the row has come.
  package enum State: String, Sendable, CaseIterable {
    /// Intended: files may be on their way.
    case begun
    /// Done, and can be taken back.
    case done
    /// Taken back.
    case undone
    /// Its files were purged from the trash: nothing brings them back.
    case purged
  }

  /// The run that it belongs to.
  package let run: Operation
  /// What names it within its run: the episode's id, or a word of its own.
  package let name: String
  /// How far it has come.
  package internal(set) var state = State.begun
  /// Why it was done, for people.
  package let reason: String
  /// The episode as it was before; nil for a loose file.
  let before: Episode?
  /// `rev` that the episode had when the row was done; nil while it is not, or where the record
  /// was removed.
  package internal(set) var rev: Int64?
  /// Whether files went for good and not into the trash.
  package internal(set) var isPermanent: Bool
  /// Whether the record goes too.
  package internal(set) var forgets: Bool
  /// The roots whose trash holds its files, by their UUIDs.
  package internal(set) var roots: [String] = []
  /// Bytes of its files.
  package internal(set) var bytes: Int64 = 0

  init(
    _ run: Operation, _ name: String, _ reason: String, before: Episode? = nil,
    isPermanent: Bool = false, forgets: Bool = false
  ) {
    self.run = run
    self.name = name
    self.reason = reason
    self.before = before
    self.isPermanent = isPermanent
    self.forgets = forgets
  }

  /// The id of its record: the run, a slash, the name.
  package var id: String { "\(run.id)/\(name)" }

  /// The episode that it is about; nil for a loose file.
  package var episode: EpisodeID? { before?.id }

  /// Whether it is of a file that belongs to no episode.
  package var isOfLooseFile: Bool { before == nil && !roots.isEmpty }

  /// The roots that the episode had files in before, by their UUIDs.
  package var rootsBefore: Set<String> {
    Set(before?.parts.filter { $0.state != .removed }.compactMap(\.root) ?? [])
  }

  /// The name of its folder in the trash.
  package var trashName: String { String(id.map { $0 == "/" ? "~" : $0 }) }
}

extension JournalEntry {
  /// Reads a record; nil for one that is no row, as a later version may write.
  package init?(_ record: StoredRecord) {
    let fields = record.fields
    guard record.kind == .step, let slash = record.id.firstIndex(of: "/"),
      let tool = fields["tool"]?.string, let at = fields["when"]?.string.flatMap({ Timestamp($0) }),
      let state = fields["state"]?.string.flatMap({ State(rawValue: $0) })
    else { return nil }
    run = Operation(tool: tool, at: at, id: String(record.id[..<slash]))
    name = String(record.id[record.id.index(after: slash)...])
    self.state = state
    reason = fields["reason"]?.string ?? ""
    before = Self.episode(fields)
    rev = fields["rev"]?.integer
    isPermanent = fields["permanent"]?.bool ?? false
    forgets = fields["forget"]?.bool ?? false
    roots = fields["roots"]?.array?.compactMap(\.string) ?? []
    bytes = min(max(0, fields["bytes"]?.integer ?? 0), ByteCount.largestFile)
  }

  /// The row as it stands in the store.
  package var record: StoredRecord { StoredRecord(kind: .step, id: id, fields: fields) }

  /// Its fields, which also stand beside the files in the trash.
  var fields: JSONObject {
    var object = JSONObject()
    object.append("tool", run.tool)
    object.append("when", run.at.text)
    object.append("state", state.rawValue)
    object.append("reason", reason)
    object.append("permanent", isPermanent ? true : nil)
    object.append("forget", forgets ? true : nil)
    object.append("roots", roots.isEmpty ? nil : .array(roots.map { .string($0) }))
    object.append("bytes", bytes == 0 ? nil : .integer(bytes))
    object.append("rev", rev.map { .integer($0) })
    object.append("episode", before?.id.description)
    object.append("before_rev", before.map { .integer($0.rev) })
    object.append("before", before.map { .object($0.record) })
    return object
  }

  private static func episode(_ fields: JSONObject) -> Episode? {
    guard let id = fields["episode"]?.string.flatMap({ EpisodeID(valid: $0) }),
      let record = fields["before"]?.object
    else { return nil }
    do throws(Failure) {
      return try Episode(record: record, id: id, rev: fields["before_rev"]?.integer ?? 0)
    } catch {
      // A record that cannot be read back is told as what cannot be undone.
      return nil
    }
  }
}
