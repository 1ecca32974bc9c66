package import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// A home that is restored from a backup is older than the media beside it. The user must know
// that marks, removals and subscriptions of the days since are missing, before new lines hide
// it. Reading all sidecars is too much for each run. The folder of the sidecars changes after each
// line that is written for an episode, so only a folder that is newer than the last line is read.

/// The records beside the media that are newer than the store.
package struct OlderStore: Sendable, Equatable {
  /// The time in milliseconds by which the media may be newer than the last line.
  private static let slack: Int64 = 60_000

  /// The number of the last line of the store.
  package let storeRev: Int64
  /// The highest number of a line that a sidecar knows.
  package private(set) var mediaRev: Int64 = 0
  /// The number of episodes and shows whose sidecars are newer than the store.
  package private(set) var episodes = 0
  /// The number of entries in the trash that the store does not know.
  package private(set) var removals = 0
  /// The number of roots that the user has declared lost, or no longer lost, since.
  package var lostRoots: Int { declarations.count }
  private var declarations: Set<String> = []
  /// The ids of feeds that these sidecars name and the store does not know.
  package private(set) var feeds: Set<String> = []

  fileprivate init(storeRev: Int64) {
    self.storeRev = storeRev
  }

  /// Whether the store lacks nothing.
  fileprivate var isEmpty: Bool { episodes == 0 && removals == 0 && lostRoots == 0 }

  /// The finding as a sentence for the user.
  package var text: String {
    let parts = [
      CountText.text(episodes, "record"), CountText.text(removals, "removal"),
      CountText.text(feeds.count, "subscription"), CountText.text(lostRoots, "lost root"),
    ].compactMap(\.self)
    let revs = mediaRev > storeRev ? " (rev \(mediaRev) > \(storeRev))" : ""
    return
      "this store is older than its media\(revs): \(parts.joined(separator: ", ")) newer there; "
      + "run 'vmx clean' to take over marks and removals"
  }

  /// Compares the declarations in the mark of a root with those of the store.
  fileprivate mutating func add(_ mark: RootMark, at now: Timestamp, _ snapshot: StoreSnapshot) {
    declarations.formUnion(snapshot.newerDeclarations(in: mark, now: now).keys)
  }

  /// Reads the sidecars and the trash of a root, if they are newer than the last line.
  fileprivate mutating func add(
    _ root: FilePath, since last: Timestamp, _ snapshot: StoreSnapshot
  ) throws(FileError) {
    let limit = last.adding(milliseconds: Self.slack)
    for kind in [LibraryLayout.Folder.records, .shows, .trash] {
      let path = root.appending(kind.path)
      guard let facts = try FileFacts.of(path), facts.isFolder,
        Timestamp(nanoseconds: facts.modified) > limit
      else { continue }
      let folder = try OpenFolder(path)
      let known = kind == .trash ? snapshot.trashNames : []
      while let entry = try folder.next() {
        let file = path.appending(String(decoding: entry.name, as: UTF8.self))
        if kind != .trash {
          if entry.kind == .file { try add(sidecar: file, snapshot) }
        } else if entry.kind == .folder {
          let name = String(decoding: entry.name, as: UTF8.self)
          let list = file.appending(LibraryLayout.trashList)
          if !known.contains(name), try FileFacts.of(list) != nil { removals += 1 }
        }
      }
    }
  }

  private mutating func add(sidecar file: FilePath, _ snapshot: StoreSnapshot) throws(FileError) {
    guard
      let bytes = try RegularFile.prefixIfPresent(of: file, upTo: LineWriter.maxLineLength),
      let object = JSONParser().object(in: bytes), let rev = object["rev"]?.integer,
      rev > storeRev
    else { return }
    episodes += 1
    mediaRev = max(mediaRev, rev)
    if let feed = object["record"]?.object?["feed"]?.string, snapshot.record(.feed, feed) == nil {
      feeds.insert(feed)
    }
  }
}

extension LibraryStore {
  /// Returns what the reachable roots know and the store has lost; nil for nothing, which usually
  /// costs two calls for each root. A root that cannot be read is reported by its use.
  ///
  /// - Throws: as `snapshot`.
  package func olderThanMedia() throws(StoreError) -> OlderStore? {
    let snapshot = try snapshot()
    guard let image = snapshot.image, let last = LineNumbers.lastLine(in: image), let at = last.at
    else { return nil }
    var found = OlderStore(storeRev: snapshot.lastRev)
    func add(_ folder: FilePath, _ root: String?) {
      do {
        guard let mark = try RootMark(at: folder.appending(LibraryLayout.mark)),
          root == nil || mark.root == root
        else { return }
        found.add(mark, at: now, snapshot)
        try found.add(folder, since: at, snapshot)
      } catch {
        // The tool that uses the root reports it.
      }
    }
    snapshot.records(of: .root) { record in
      if let folder = record.path { add(FilePath(folder), record.id) }
      return true
    }
    for folder in try unrecordedRoots() { add(folder, nil) }
    return found.isEmpty ? nil : found
  }
}

extension LibraryStore {
  /// Returns the configured folders that have the mark of this library and no record, as after a
  /// home was restored from before they were created.
  ///
  /// - Throws: as `snapshot`.
  package func unrecordedRoots() throws(StoreError) -> [FilePath] {
    let snapshot = try snapshot()
    guard let library = snapshot.header?.library else { return [] }
    return writer.options.roots.filter { folder in
      guard let mark = LibraryHome.mark(of: folder) else { return false }
      return mark.library == library && snapshot.record(.root, mark.root) == nil
    }
  }
}

extension StoreSnapshot {
  /// The number of the last line; 0 for an empty store.
  package var lastRev: Int64 {
    max(image.map { LineNumbers.last(in: $0) } ?? 0, header?.seqFloor ?? 0)
  }

  /// The names of the trash entries of all journal entries.
  package var trashNames: Set<String> {
    var names: Set<String> = []
    records(of: .step) { record in
      names.insert(String(record.id.map { $0 == "/" ? "~" : $0 }))
      return true
    }
    return names
  }
}
