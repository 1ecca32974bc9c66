import Synchronization
package import VmxModel
package import VmxStore

// A journal entry is written before any change, in the same transaction as the state `removing`,
// and again after the last one. So after a crash, the next process that finds the episode in that
// state knows where its files go. `vmx undo` knows which record they belong to.

/// The stored journal entry of one operation for one episode or one loose file.
package struct JournalEntry: Sendable, Equatable {
  /// The progress of an entry.
  package enum State: String, Sendable, CaseIterable {
    /// Begun: files may have been moved.
    case begun
    /// Done; can be undone.
    case done
    /// Undone.
    case undone
    /// Its files were purged from the trash: they cannot be restored.
    case purged
  }

  /// The operation that it belongs to.
  package let run: Operation
  /// The name within its operation: the episode's id, with a number from the second entry of the
  /// episode on, or a random word for a loose file.
  package let name: String
  /// The progress.
  package var state = State.begun
  /// The reason, as text for the user.
  package let reason: String
  /// The episode before the operation; nil for a loose file.
  package let before: Episode?
  /// The episode's `rev` when the entry was done; nil before that, or if the record was removed.
  /// For a cut film, the `rev` of its successor once that is complete.
  package var rev: Int64?
  /// Whether the files were deleted permanently instead of moved to the trash.
  package var isPermanent: Bool
  /// Whether the record is removed too.
  package var removesRecord: Bool
  /// The digest of the video that replaced the episode and got its id; nil if it was not replaced.
  package var successor: Digest?
  /// The reason of a removal; nil for any other operation, and for entries of earlier versions.
  package var cause: EpisodeRemoval.Reason?
  /// Whether no file was moved or deleted yet, because a root was unreachable when the removal
  /// began. Cleared, durably, before the first change of a file.
  package var isUntouched = false
  /// The id of the journal entry whose undo this removal is a part of; nil for any other operation.
  package var undoes: String?
  /// The UUIDs of the roots whose trash holds its files.
  package var roots: [String] = []
  /// The total size of its files in bytes.
  package var bytes: Int64 = 0
  /// The files that the operation has added to the episode; nil for a removal.
  package var addition: Addition?
  /// The UUID of the root with which the files were lost, as the user has said; nil for any other
  /// operation.
  package var lostRoot: String?
  /// The files that the operation has renamed; nil for any other operation.
  package var renaming: Renaming?
  /// The record with which the episode was joined, as it was before; nil for any other operation.
  package var joined: Episode?

  /// Creates the entry of an addition; it counts as done once the episode is recorded.
  ///
  /// - Parameter before: the episode before the operation; nil for a new one.
  package init(_ run: Operation, _ addition: Addition, before: Episode?) {
    self.init(run, run.entryName(for: addition.episode), "added", before: before)
    self.addition = addition
    state = .done
  }

  /// Creates the entry of renamed files; it counts as done once the episode is recorded.
  package init(_ run: Operation, _ renaming: Renaming) {
    self.init(run, run.entryName(for: renaming.episode), "renamed")
    self.renaming = renaming
    state = .done
  }

  /// Creates the entry of an operation that begins.
  ///
  /// - Parameter before: the episode before the operation; nil for a file of no episode.
  package init(
    _ run: Operation, _ name: String, _ reason: String, before: Episode? = nil,
    isPermanent: Bool = false, removesRecord: Bool = false
  ) {
    self.run = run
    self.name = name
    self.reason = reason
    self.before = before
    self.isPermanent = isPermanent
    self.removesRecord = removesRecord
  }

  /// The id of its record: the operation's id, a slash, the name.
  package var id: String { "\(run.id)/\(name)" }

  /// The episode's id; nil for a loose file.
  package var episode: EpisodeID? { addition?.episode ?? renaming?.episode ?? before?.id }

  /// Whether the entry is for a file that belongs to no episode.
  package var isOfLooseFile: Bool {
    before == nil && addition == nil && renaming == nil && !roots.isEmpty
  }

  /// The UUIDs of the roots in which the episode had files before the operation.
  package var rootsBefore: Set<String> {
    Set(before?.parts.filter { $0.state != .removed }.compactMap(\.root) ?? [])
  }

  /// The name of its folder in the trash.
  package var trashName: String { String(id.map { $0 == "/" ? "~" : $0 }) }
}

extension JournalEntry {
  /// Reads a record; nil if it is not a valid entry, as one of a later version may be.
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
    joined = fields["joined"]?.object.flatMap { Self.episode($0) }
    // Half of a join cannot be undone.
    before = fields["joined"] == nil || joined != nil ? Self.episode(fields) : nil
    rev = fields["rev"]?.integer
    isPermanent = fields["permanent"]?.bool ?? false
    removesRecord = fields["forget"]?.bool ?? false
    cause = fields["cause"]?.string.flatMap { EpisodeRemoval.Reason(rawValue: $0) }
    isUntouched = fields["untouched"]?.bool ?? false
    undoes = fields["undoes"]?.string
    successor = fields["successor"]?.string.flatMap { Digest(.sha256, hex: $0) }
    roots = fields["roots"]?.array?.compactMap(\.string) ?? []
    addition = fields["added"]?.object.flatMap { Addition($0) }
    renaming = fields["renamed"]?.object.flatMap { Renaming($0) }
    lostRoot = fields["lost_root"]?.string
    bytes = min(max(0, fields["bytes"]?.integer ?? 0), ByteCount.maxFileSize)
  }

  /// The entry as a record of the store.
  package var record: StoredRecord { StoredRecord(kind: .step, id: id, fields: fields) }

  /// Its fields, which are also written beside the files in the trash.
  package var fields: JSONObject {
    var object = JSONObject()
    object.append("tool", run.tool)
    object.append("when", run.at.text)
    object.append("state", state.rawValue)
    object.append("reason", reason)
    object.append("permanent", isPermanent ? true : nil)
    object.append("forget", removesRecord ? true : nil)
    object.append("cause", cause?.rawValue)
    object.append("untouched", isUntouched ? true : nil)
    object.append("undoes", undoes)
    object.append("successor", successor.map { .string($0.hex) })
    object.append("roots", roots.isEmpty ? nil : .array(roots.map { .string($0) }))
    object.append("bytes", bytes == 0 ? nil : .integer(bytes))
    object.append("added", addition.map { .object($0.fields) })
    object.append("renamed", renaming.map { .object($0.fields) })
    object.append("lost_root", lostRoot)
    object.append("rev", rev.map { .integer($0) })
    object.append("joined", joined.map { .object(Self.fields(of: $0, named: $0.id)) })
    for field in Self.fields(of: before, named: episode).fields {
      object.append(field.key, field.value)
    }
    return object
  }

  /// The fields of a previous record.
  private static func fields(of before: Episode?, named id: EpisodeID?) -> JSONObject {
    var object = JSONObject()
    object.append("episode", id?.description)
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
      // An entry with an unreadable earlier record is reported as one that cannot be undone.
      return nil
    }
  }
}

/// One run of a tool, whose journal entries `vmx undo` reverts together.
package struct Operation: Sendable, Hashable {
  /// The number of entry names given to each episode, by the hash of its id. A collision only
  /// appends a number without need.
  private final class EntryCounts: Sendable {
    let counts = Mutex<[UInt64: Int]>([:])
  }

  /// The tool's name without `vmx-`.
  package let tool: String
  /// The time when it began.
  package let at: Timestamp
  /// The id: the time in digits and letters, then a random word. Ids sort by time, and are valid
  /// file names on every file system.
  package let id: String
  private let entries = EntryCounts()

  /// Creates an operation that begins now.
  package init(tool: String, at: Timestamp) {
    self.tool = tool
    self.at = at
    let moment = at.text.filter { $0.isLetter || $0.isNumber }
    id = "\(moment)-\(Hex.text(of: UInt64.random(in: .min ... .max)).prefix(8))"
  }

  init(tool: String, at: Timestamp, id: String) {
    self.tool = tool
    self.at = at
    self.id = id
  }

  /// Whether two values describe the same run.
  package static func == (left: Operation, right: Operation) -> Bool { left.id == right.id }

  /// Hashes the id.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Returns an unused name for a journal entry of an episode: its id, then the id with `~2` and so
  /// on, so that no entry replaces an earlier one of the run.
  ///
  /// Only the process that began the operation creates entries of it.
  package func entryName(for episode: EpisodeID) -> String {
    let name = episode.description
    let count = entries.counts.withLock { counts in
      let count = (counts[StableHash.of(name)] ?? 0) + 1
      counts[StableHash.of(name)] = count
      return count
    }
    return count == 1 ? name : "\(name)~\(count)"
  }
}

extension StoreSnapshot {
  /// Returns all journal entries, in the order in which they began.
  package func journalEntries() -> [JournalEntry] { journalEntries(holding: nil) }

  /// Returns the open entries, of removals that have not ended or whose end was not recorded, by
  /// episode.
  package func openEntries() -> [EpisodeID: JournalEntry] {
    var rows: [EpisodeID: JournalEntry] = [:]
    for row in journalEntries(holding: JournalEntry.State.begun.rawValue) where row.state == .begun
    {
      row.episode.map { rows[$0] = row }
    }
    return rows
  }

  /// Returns the open entries of files that belong to no episode.
  package func openFileEntries() -> [JournalEntry] {
    journalEntries(holding: JournalEntry.State.begun.rawValue).filter {
      $0.state == .begun && $0.isOfLooseFile
    }
  }

  /// Returns the open entry of an episode that is being removed; nil if there is none.
  package func openRow(of id: EpisodeID) -> JournalEntry? {
    journalEntries(of: id).last { $0.state == .begun }
  }

  /// Returns the journal entries of one episode, in the order in which they began.
  package func journalEntries(of id: EpisodeID) -> [JournalEntry] {
    journalEntries(holding: id.description).filter { $0.episode == id }
  }

  /// Returns the entries of removals for a replacement by the video with a digest, in the order in
  /// which they began.
  package func replacements(by video: Digest) -> [JournalEntry] {
    journalEntries(holding: video.hex).filter { $0.successor == video && $0.state != .undone }
  }

  private func journalEntries(holding text: String?) -> [JournalEntry] {
    var rows: [JournalEntry] = []
    records(of: .step, holding: text) { record in
      if let row = JournalEntry(record) { rows.append(row) }
      return true
    }
    return rows
  }
}
