import VmxLibrary
package import VmxModel
import VmxStore

/// The options of a removal.
package struct RemovalOptions: Sendable, Equatable {
  /// The reason, which determines the want after the removal.
  package var reason: EpisodeRemoval.Reason
  /// The reason as text for the user.
  package var text: String
  /// Whether files are deleted at once instead of moved to the trash.
  package var isPermanent: Bool
  /// Whether the record is removed too.
  package var removesRecord: Bool
  /// The digest of the video that replaces the episode; nil for none.
  var successor: Digest?
  /// The id of the journal entry whose undo removes the episode; nil for any other removal.
  var undoes: String?
  /// The episode whose record takes over what the removed one has; nil for none.
  var joins: EpisodeID?

  /// Creates options. Files without any remaining right never go into the trash.
  package init(
    _ reason: EpisodeRemoval.Reason, _ text: String, isPermanent: Bool = false,
    removesRecord: Bool = false
  ) {
    self.reason = reason
    self.text = text
    self.isPermanent = isPermanent || reason.isPermanent
    self.removesRecord = removesRecord
  }

  /// The first state of the removal.
  var cause: PartState {
    switch reason {
    case .expired: .expired
    case .revoked: .revoked
    default: .removing
    }
  }
}

extension [Part] {
  /// The indices in the order of a removal. Keys come first, so that an interrupted removal leaves
  /// no file that can still be played.
  var removalOrder: [Int] {
    indices.filter { self[$0].role == .key } + indices.filter { self[$0].role != .key }
  }
}

/// The first step of a removal, which is recorded before any file is changed: want, state and the
/// journal entry for `vmx undo`, together.
struct RemovalStart: Sendable {
  let episode: Episode
  /// The journal entry by which the files are removed; nil if there are no files.
  let entry: JournalEntry?
  /// Whether anything has to be done.
  let isChanged: Bool

  /// Determines the effect of a removal on an episode, without any change.
  ///
  /// A record that leaves no room for the removal's journal entry is shortened, also in that entry.
  ///
  /// - Parameter isReachable: whether the root with a UUID can be changed. If not, the removal
  ///   begins without a change of any file.
  init(
    _ options: RemovalOptions, of episode: Episode, run: Operation, now: Timestamp,
    isReachable: (String) -> Bool = { _ in true }
  ) {
    let episode = episode.reservingRemovalSpace()
    var changed = episode
    changed.want = options.reason.want
    for index in changed.parts.indices
    where changed.parts[index].state != .removed && !changed.parts[index].isBeingRemoved {
      changed.step(of: index, to: options.cause, now: now)
    }
    let hasFiles = episode.parts.contains { $0.state != .removed }
    if hasFiles || changed.want != episode.want {
      changed.removal = EpisodeRemoval(at: now, tool: run.tool, reason: options.reason)
    }
    var entry = JournalEntry(run, .removal(of: episode), reason: options.text)
    (entry.isPermanent, entry.removesRecord) = (options.isPermanent, options.removesRecord)
    entry.successor = options.successor
    entry.cause = options.reason
    entry.undoes = options.undoes
    entry.isUntouched = !entry.rootsBefore.allSatisfy(isReachable)
    self.init(
      changed, hasFiles || options.joins != nil ? entry : nil,
      isChanged: hasFiles || options.removesRecord || changed.want != episode.want)
  }

  private init(_ episode: Episode, _ entry: JournalEntry?, isChanged: Bool) {
    self.episode = episode
    self.entry = entry
    self.isChanged = isChanged
  }

  /// Records the first step.
  ///
  /// - Throws: as `JournalEntry.join`; nothing is recorded then.
  /// - Returns: the same step with the effective journal entry. An episode whose removal has an
  ///   open entry keeps that entry, even if only the end of the removal was not recorded.
  func recorded(
    in transaction: inout StoreTransaction, open: JournalEntry?, _ options: RemovalOptions
  ) throws -> RemovalStart {
    // Another process may have closed the entry since it was read, or opened one by an undo.
    var open = open.flatMap { transaction.journalEntry($0.id) }
    if open?.state != .begun {
      let wasBeingRemoved = entry?.before?.parts.contains(where: \.isBeingRemoved) ?? false
      open = wasBeingRemoved ? transaction.openRemoval(of: episode.id) : nil
    }
    if var entry = open ?? entry {
      entry.isPermanent = entry.isPermanent || options.isPermanent
      entry.removesRecord = entry.removesRecord || options.removesRecord
      if let id = options.joins, entry.joined == nil {
        entry.joined = try entry.join(with: id, in: &transaction)
      }
      transaction.write(entry.stored)
      return RemovalStart(transaction.recorded(episode), entry, isChanged: true)
    }
    guard isChanged else { return self }
    if options.removesRecord {
      transaction.forget(episode.id)
      return self
    }
    return RemovalStart(transaction.recorded(episode), nil, isChanged: true)
  }
}

extension JournalEntry {
  /// The total size in bytes of the ready files, as recorded.
  var expectedBytes: Int64 {
    before?.parts.filter { $0.state == .ready }.compactMap { $0.size?.bytes }.clampedSum() ?? 0
  }
}

extension RecordLookup {
  /// Returns the journal entry with an id.
  func journalEntry(_ id: String) -> JournalEntry? {
    record(.step, id).flatMap { JournalEntry($0) }
  }
}

// A store may hold records that nearly fill a line: of an earlier version, or edited by the user.
// The journal entry holds the whole record beside its own fields, and would exceed the longest
// line.

extension Episode {
  /// The number of characters that are kept of a long text.
  private static let maxTextLength = 1000

  /// Returns the record with as many of its texts as leave room for its removal, or the record
  /// itself if all do.
  ///
  /// It drops, one after the other: the summary and fields of other versions, the length of the
  /// titles and messages, the sources, the identity with parts that have no file.
  func reservingRemovalSpace() -> Episode {
    var episode = self
    for shorten in [Self.removeDetails, Self.truncateTexts, Self.removeSources, Self.removeRest] {
      if StoreTransaction.hasSpaceForRemoval(of: episode) { break }
      shorten(&episode)
    }
    return episode
  }

  private static func removeDetails(of episode: inout Episode) {
    episode.summary = nil
    episode.extra = JSONObject()
    for index in episode.parts.indices { episode.parts[index].extra = JSONObject() }
  }

  private static func truncateTexts(of episode: inout Episode) {
    episode.title = String(episode.title.unicodeScalars.prefix(maxTextLength))
    episode.showTitle = String(episode.showTitle.unicodeScalars.prefix(maxTextLength))
    episode.trail = []
    for index in episode.parts.indices { episode.parts[index].message = nil }
  }

  private static func removeSources(of episode: inout Episode) {
    for index in episode.parts.indices {
      episode.parts[index].variants = []
      episode.parts[index].chosen = nil
    }
  }

  private static func removeRest(of episode: inout Episode) {
    episode.identity = []
    episode.after = []
    episode.parts.removeAll { $0.role != .video && $0.path == nil }
  }
}
