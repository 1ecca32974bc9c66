import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

// A folder of the trash without a readable `entry.json` contains files whose origin is unknown. It
// is kept as long as other trash, counted from the folder's modification time. So a user who sees
// these files in the report can move them out.
//
// A folder that contains only drafts is what a crash leaves before the first step of a removal. It
// must be at least a day old, so that a removal in progress is not disturbed.

/// The folders in the trash of one root, with and without a list of their files.
struct TrashListing {
  /// The entries that may be purged, oldest first.
  private(set) var held: [TrashPlan.Held] = []
  /// Lists that a crash or a failed call left, of nothing or of rows that were taken back or purged.
  private(set) var closed: [TrashPlan.Held] = []
  /// Folders without a list and without files.
  private(set) var abandoned: [TrashPlan.Held] = []
  /// Files in folders without a list.
  private(set) var unlisted: [LooseFile] = []
  /// The drafts of lists in folders that have a list. Other drafts are removed with their folder,
  /// whose age counts from its modification time.
  private(set) var drafts: [LooseFile] = []

  private let trash: Trash
  private let limit: Timestamp
  private let isClosed: (TrashEntry) throws(FileError) -> Bool

  /// Lists the trash.
  ///
  /// - Parameters:
  ///   - failures: the list to which folders that cannot be read are added.
  ///   - now: the moment by which a folder without a list counts only if it is older than a day.
  ///   - isClosed: whether an entry is a mere list, or its row was taken back or purged.
  init(
    _ trash: Trash, _ failures: ReadFailures, now: Timestamp,
    isClosed: @escaping (TrashEntry) throws(FileError) -> Bool = { _ in false }
  ) throws {
    self.trash = trash
    self.isClosed = isClosed
    limit = now.adding(milliseconds: -CleaningOrder.rest)
    let top = PathBytes(LibraryLayout.Folder.trash.path)
    let names = try failures.attempt(at: top) { () -> [[UInt8]] in
      guard try FileFacts.of(trash.folder)?.isFolder == true else { return [] }
      let folder = try OpenFolder(trash.folder)
      var names: [[UInt8]] = []
      while let entry = try folder.next() {
        if entry.kind == .folder { names.append(entry.name) }
      }
      return names
    }
    for case let name? in (names ?? []).map({ String(validating: $0, as: UTF8.self) }) {
      let path = PathBytes(LibraryLayout.trashEntry(name))
      _ = try failures.attempt(at: path) { try add(name, at: path) }
    }
    held.sort { ($0.at, $0.name) < ($1.at, $1.name) }
  }

  private mutating func add(_ name: String, at path: PathBytes) throws(FileError) {
    guard let facts = try FileFacts.of(trash.folder.appending(name)) else { return }
    let files = try RootFolder(root: trash.root).files(below: path.words)
    if let entry = try trash.entry(named: name) {
      drafts += files.filter(\.isDraft)
      if try isClosed(entry) {
        closed.append(TrashPlan.Held(name: name, at: entry.at, bytes: 0))
      } else {
        held.append(TrashPlan.Held(name: name, at: entry.at, bytes: entry.bytes))
      }
      return
    }
    let changed = Timestamp(milliseconds: facts.modified / 1_000_000)
    guard LibraryLayout.isTrashEntry(name), changed < limit else { return }
    let kept = files.filter { !$0.isDraft && $0.path.lastName != LibraryLayout.trashList }
    guard !kept.isEmpty else {
      return abandoned.append(TrashPlan.Held(name: name, at: changed, bytes: 0))
    }
    let bytes = kept.reduce(0) { $0 + $1.facts.size }
    held.append(TrashPlan.Held(name: name, at: changed, bytes: bytes, isListed: false))
    unlisted += kept
  }
}

extension LooseFile {
  /// Whether the file is the temporary file of a replacement that a crash interrupted.
  var isDraft: Bool { LibraryLayout.isTemporary(path.lastName.utf8) }
}

extension PathBytes {
  /// The last component as text.
  var lastName: String {
    String(decoding: bytes.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }
}

extension Trash {
  /// Deletes the files of a folder that has no list, and the folder.
  ///
  /// - Returns: false if the folder contains entries other than files, and therefore remains.
  func purge(unlisted name: String) throws(FileError) -> Bool {
    let path = LibraryLayout.trashEntry(name)
    for file in try RootFolder(root: root).files(below: path) {
      try removeFile(root.file(at: file.path))
    }
    return try removeFolderIfEmpty(root.folder.appending(path))
  }
}
