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

  /// The subject of an entry, with what an undo of it needs.
  package enum Subject: Sendable, Equatable {
    /// An episode whose files are removed or lost, as it was before.
    case removal(of: Episode)
    /// Files that were added to an episode, and the episode as it was before; nil for a new one.
    case addition(Addition, before: Episode?)
    /// Files of an episode that were renamed.
    case renaming(Renaming)
    /// A show that got another slug or title.
    case show(ShowRenaming)
    /// A file of no episode. Without `roots`, a removal whose episode cannot be read.
    case looseFile
  }

  /// The operation that it belongs to.
  package private(set) var run: Operation
  /// The name within its operation: the episode's id, with a number from the second entry of the
  /// episode on, or a random word for a loose file.
  package private(set) var name: String
  /// The progress.
  package var state = State.begun
  /// The reason, as text for the user.
  package private(set) var reason: String
  /// The subject.
  package private(set) var subject: Subject
  /// The episode's `rev` when the entry was done; nil before that, or if the record was removed.
  /// For a cut film, the `rev` of its successor once that is complete.
  package var rev: Int64?
  /// Whether the files were deleted permanently instead of moved to the trash.
  package var isPermanent = false
  /// Whether the record is removed too.
  package var removesRecord = false
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
  /// The UUID of the root with which the files were lost, as the user has said; nil for any other
  /// operation.
  package var lostRoot: String?
  /// The record with which the episode was joined, as it was before; nil for any other operation.
  package var joined: Episode?

  /// Creates the entry of an operation that begins. Those of additions and renamings count as done
  /// once the episode is recorded.
  ///
  /// - Parameter name: the name of the entry of a loose file.
  package init(_ run: Operation, _ subject: Subject, name: String = "", reason: String) {
    self.run = run
    self.name = name
    self.reason = reason
    self.subject = subject
    if addition != nil || renaming != nil || show != nil { state = .done }
    if let episode { self.name = run.entryName(for: episode) }
  }

  /// The id of its record: the operation's id, a slash, the name.
  package var id: String { "\(run.id)/\(name)" }

  /// The episode before the operation; nil for a new one, for renamed files and a loose file.
  package var before: Episode? {
    switch subject {
    case .removal(let before): before
    case .addition(_, let before): before
    case .renaming, .show, .looseFile: nil
    }
  }

  /// The files that the operation has added to the episode; nil for another subject.
  package var addition: Addition? {
    if case .addition(let addition, _) = subject { addition } else { nil }
  }

  /// The files that the operation has renamed; nil for another subject.
  package var renaming: Renaming? {
    if case .renaming(let renaming) = subject { renaming } else { nil }
  }

  /// The renaming of a show; nil for another subject.
  package var show: ShowRenaming? {
    if case .show(let renaming) = subject { renaming } else { nil }
  }

  /// The episode's id; nil for a show and a loose file.
  package var episode: EpisodeID? { addition?.episode ?? renaming?.episode ?? before?.id }

  /// Whether no episode, and no file, can be read from the record.
  package var isUnreadable: Bool { subject == .looseFile && roots.isEmpty }

  /// Whether the entry is for a file that belongs to no episode.
  package var isOfLooseFile: Bool { subject == .looseFile && !roots.isEmpty }

  /// The UUIDs of the roots in which the episode had files before the operation.
  package var rootsBefore: Set<String> {
    Set(before?.parts.filter { $0.state != .removed }.compactMap(\.root) ?? [])
  }

  /// The name of its folder in the trash.
  package var trashName: String { String(id.map { $0 == "/" ? "~" : $0 }) }
}

extension JournalEntry.State: FieldValue {}

extension JournalEntry: LenientRecord {
  /// The fields of the record before those of the previous episode (`PreviousEpisode`).
  package enum Field: String, RecordField {
    case tool, when, state, reason
    case permanent
    case removesRecord = "forget"
    case cause, untouched, undoes, successor, roots, bytes
    case addition = "added"
    case renaming = "renamed"
    case show
    case lostRoot = "lost_root"
    case rev, joined
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: JournalEntry {
    JournalEntry(Operation(tool: "", at: Timestamp(seconds: 0), id: ""), .looseFile, reason: "")
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .tool: try coder.required(&run.tool)
    case .when: try coder.required(&run.at)
    case .state: try coder.required(&state)
    case .reason: try coder.field(&reason, absent: "")
    case .permanent: try coder.field(&isPermanent, omitting: false)
    case .removesRecord: try coder.field(&removesRecord, omitting: false)
    case .cause: try coder.field(&cause)
    case .untouched: try coder.field(&isUntouched, omitting: false)
    case .undoes: try coder.field(&undoes)
    case .successor: try coder.field(&successor)
    case .roots: try coder.field(&roots, omitting: [])
    case .bytes:
      try coder.field(&bytes, omitting: 0)
      bytes = min(max(0, bytes), ByteCount.maxFileSize)
    case .addition:
      var addition = addition
      try coder.field(&addition)
      if let addition { subject = .addition(addition, before: before) }
    case .renaming:
      var renaming = renaming
      try coder.field(&renaming)
      if let renaming { subject = .renaming(renaming) }
    case .show:
      var renaming = show
      try coder.field(&renaming)
      if let renaming { subject = .show(renaming) }
    case .lostRoot: try coder.field(&lostRoot)
    case .rev: try coder.field(&rev)
    case .joined:
      var previous = joined.map { PreviousEpisode($0, named: $0.id) }
      try coder.field(&previous)
      joined = previous?.decoded
    }
  }

  /// Reads a record; nil if it is not a valid entry, as one of a later version may be.
  package init?(_ record: StoredRecord) {
    guard record.kind == .step, let slash = record.id.firstIndex(of: "/") else { return nil }
    let fields = record.fields
    self.init(reading: fields)
    run.id = String(record.id[..<slash])
    name = String(record.id[record.id.index(after: slash)...])
    // Half of a join cannot be undone.
    guard fields["joined"] == nil || joined != nil else { return }
    guard let before = PreviousEpisode(reading: fields)?.decoded else { return }
    switch subject {
    case .addition(let addition, _): subject = .addition(addition, before: before)
    case .removal, .looseFile: subject = .removal(of: before)
    case .renaming, .show: break
    }
  }

  /// The entry as a record of the store.
  package var stored: StoredRecord { StoredRecord(kind: .step, id: id, fields: content) }

  /// Its fields and those of the previous episode, which are also written beside the files in the
  /// trash.
  package var content: JSONObject {
    var object = record
    for field in PreviousEpisode(before, named: episode).record.fields {
      object.append(field.key, field.value)
    }
    return object
  }
}

/// The record of an episode before an operation.
struct PreviousEpisode: LenientRecord {
  enum Field: String, RecordField {
    case id = "episode"
    case rev = "before_rev"
    case content = "before"
  }

  static let fields = FieldSet<Field>(Field.allCases)
  static var blank: PreviousEpisode { PreviousEpisode(nil, named: nil) }
  private var id: EpisodeID?
  private var rev: Int64?
  private var content: JSONObject?

  init(_ episode: Episode?, named id: EpisodeID?) {
    (self.id, rev, content) = (id, episode?.rev, episode?.record)
  }

  mutating func code<C: FieldCoder>(_ field: Field, _ coder: inout C) throws(C.Problem) {
    switch field {
    case .id: try coder.field(&id)
    case .rev: try coder.field(&rev)
    case .content: try coder.field(&content)
    }
  }

  /// The episode; nil if there is none, or its record is invalid.
  var decoded: Episode? {
    guard let id, let content else { return nil }
    do throws(Failure) {
      return try Episode(record: content, id: id, rev: rev ?? 0)
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
  package fileprivate(set) var tool: String
  /// The time when it began.
  package fileprivate(set) var at: Timestamp
  /// The id: the time in digits and letters, then a random word. Ids sort by time, and are valid
  /// file names on every file system.
  package fileprivate(set) var id: String
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
    var entries: [EpisodeID: JournalEntry] = [:]
    for entry in journalEntries(holding: JournalEntry.State.begun.rawValue)
    where entry.state == .begun {
      entry.episode.map { entries[$0] = entry }
    }
    return entries
  }

  /// Returns the open entries of files that belong to no episode.
  package func openFileEntries() -> [JournalEntry] {
    journalEntries(holding: JournalEntry.State.begun.rawValue).filter {
      $0.state == .begun && $0.isOfLooseFile
    }
  }

  /// Returns the open entry of an episode that is being removed; nil if there is none.
  package func openEntry(of id: EpisodeID) -> JournalEntry? {
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
    var entries: [JournalEntry] = []
    records(of: .step, holding: text) { record in
      if let entry = JournalEntry(record) { entries.append(entry) }
      return true
    }
    return entries
  }
}
