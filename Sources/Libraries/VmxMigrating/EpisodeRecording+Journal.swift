import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore

extension EpisodeRecording {
  /// Returns the sources that the journal entries of an interrupted move of these files name, by
  /// part. They are not recorded again, so that one undo reverts both runs.
  func recordedSources(of known: Episode, in snapshot: StoreSnapshot) -> [String: String] {
    guard migrator.method == .move, files.valid.contains(where: { known.hasReceived($0) }) else {
      return [:]
    }
    return snapshot.journalEntries(of: known.id).filter { $0.state == .done }
      .compactMap(\.addition?.sources)
      .reduce(into: [:]) { $0.merge($1) { _, last in last } }
  }

  /// Adds the journal entry with which the user can undo the migration of the episode.
  func journal(
    _ episode: Episode, before: Episode?, _ told: [String: String], isChanged: Bool,
    in transaction: inout StoreTransaction
  ) {
    let missing = missing(before: before)
    // The entry of an interrupted migration already lists the parts that it received.
    let added = missing.filter { before?.hasReceived($0) != true }
    var sources: [String: String] = [:]
    if migrator.method == .move {
      // A file made from a field of a record has no source of its own.
      let received = missing.filter { $0.facts != nil }.map { ($0.part, $0.path.string) }
      let all = received + files.moved.map { ($0, $1.string) }
      sources = Dictionary(all, uniquingKeysWith: { first, _ in first })
        .filter { told[$0.key] != $0.value }
    }
    // An entry without parts makes this run the last one, so that an undo reverts no older run.
    let isCompletion = missing.count > added.count
    guard before == nil || !added.isEmpty || !sources.isEmpty || (isChanged && !isCompletion)
    else { return }
    let parts = added.map(\.part)
    let digests = (parts + sources.keys).compactMap { name in
      episode.part(named: name)?.receivedDigest.map { (name, $0) }
    }
    let addition = JournalEntry.Addition(
      to: episode.id, parts: parts, sources: sources,
      digests: Dictionary(digests, uniquingKeysWith: { first, _ in first }),
      placedIn: migrator.method == .inPlace ? staging.root.uuid : nil,
      written: migrator.method == .inPlace ? added.filter(\.isStaged).map(\.part) : [],
      marks: before.map { episode.changedMarks(since: $0) } ?? JSONObject())
    let entry = JournalEntry(migrator.run, .addition(addition, before: before), reason: "added")
    transaction.write(entry.stored)
  }
}

extension Episode {
  /// Whether a file with these bytes was received and is not yet published.
  fileprivate func hasReceived(_ file: SourceFile) -> Bool {
    parts.contains { part in
      part.name == file.part && (part.state == .complete || part.state == .checked)
        && part.receivedDigest == file.found.sha256
    }
  }
}
