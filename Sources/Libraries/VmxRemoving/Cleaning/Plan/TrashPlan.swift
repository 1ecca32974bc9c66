import SystemPackage
import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

// A folder of the trash without a readable `entry.json` contains files of unknown origin. It is
// kept as long as other trash, counted from the folder's modification time. So a user who sees
// these files in the report can move them out.
//
// A crash before the first step of a removal leaves a folder that contains only temporary files. It
// must be at least a day old, so that a removal in progress is not disturbed.

/// The folders in the trash of one root, with and without a list of their files.
struct TrashListing {
  /// The entries that may be purged, oldest first.
  private(set) var entries: [TrashPlan.Entry] = []
  /// Entries whose list remains after a crash or a failed call. Either no file was moved, or the
  /// journal entry was undone or purged.
  private(set) var closed: [TrashPlan.Entry] = []
  /// Folders without a list and without files.
  private(set) var abandoned: [TrashPlan.Entry] = []
  /// Files in folders without a list.
  private(set) var unlisted: [UnrecordedFile] = []
  /// The temporary files of lists in folders that have a list. Others are removed with their
  /// folder, whose age counts from its modification time.
  private(set) var temporaryFiles: [UnrecordedFile] = []

  private let trash: Trash
  private let now: Timestamp
  private let journaled: (TrashEntry) -> Timestamp?
  private let isClosed: (TrashEntry) throws -> Bool

  /// Lists the trash.
  ///
  /// - Parameters:
  ///   - failures: the list to which folders that cannot be read are added.
  ///   - now: the current time; a folder without a list counts only if it is older than a day.
  ///   - journaled: returns the time of an entry in the store, where the time of a wrong clock is
  ///     corrected; nil if it is unknown.
  ///   - isClosed: whether an entry has a list but no files, or its journal entry was undone or
  ///     purged.
  init(
    _ trash: Trash, _ failures: ReadFailures, now: Timestamp,
    journaled: @escaping (TrashEntry) -> Timestamp? = { _ in nil },
    isClosed: @escaping (TrashEntry) throws -> Bool = { _ in false }
  ) throws {
    self.trash = trash
    self.journaled = journaled
    self.isClosed = isClosed
    self.now = now
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
    entries.sort { ($0.at, $0.name) < ($1.at, $1.name) }
  }

  /// Returns the time from which an entry is kept. One that a wrong clock wrote is not old yet: it
  /// counts from now.
  private func time(of entry: TrashEntry) -> Timestamp {
    func isPossible(_ time: Timestamp) -> Bool { TrustedClock.isPossible(time, now: now) }
    if isPossible(entry.at) { return entry.at }
    return journaled(entry).flatMap { isPossible($0) ? $0 : nil } ?? now
  }

  private mutating func add(_ name: String, at path: PathBytes) throws {
    guard let facts = try FileFacts.of(trash.folder.appending(name)) else { return }
    let files = try trash.root.files(below: path.displayText)
    if let entry = try trash.listedEntry(named: name) {
      temporaryFiles += files.filter(\.isDraft)
      if try isClosed(entry) {
        closed.append(TrashPlan.Entry(name: name, at: time(of: entry), bytes: 0))
      } else {
        entries.append(TrashPlan.Entry(name: name, at: time(of: entry), bytes: entry.bytes))
      }
      return
    }
    guard LibraryLayout.isTrashEntry(name), facts.isOlder(than: CleaningOptions.minAge, at: now)
    else { return }
    let kept = files.filter { !$0.isDraft && $0.path.lastName != LibraryLayout.trashList }
    guard !kept.isEmpty else {
      return abandoned.append(TrashPlan.Entry(name: name, at: facts.modifiedAt, bytes: 0))
    }
    let bytes = kept.reduce(0) { $0 + $1.facts.size }
    entries.append(TrashPlan.Entry(name: name, at: facts.modifiedAt, bytes: bytes, isListed: false))
    unlisted += kept
  }
}

extension Trash {
  /// Deletes the files of a folder that has no list, and the folder.
  ///
  /// - Returns: false if the folder contains entries other than files, and therefore remains.
  func purge(unlisted name: String) throws(FileError) -> Bool {
    let path = LibraryLayout.trashEntry(name)
    for file in try root.files(below: path) {
      try removeFile(root.file(at: file.path))
    }
    return try removeFolderIfEmpty(root.folder.appending(path))
  }
}

/// The limits on the size and age of the trash of a root.
package struct TrashRules: Sendable, Equatable {
  /// The time for which an entry is kept, in milliseconds.
  package var keep: Int64
  /// The maximum disk space of the trash.
  package var quota: DiskQuota
  /// The number of bytes to stay free on the disk; if fewer are free, trash is purged first.
  package var reserve: ByteCount

  /// Creates the rules from the settings.
  package init(keep: Int64, quota: DiskQuota, reserve: ByteCount) {
    self.keep = keep
    self.quota = quota
    self.reserve = reserve
  }
}

/// Selects the trash entries of one root to purge, oldest first.
struct TrashPlan {
  /// One entry of the trash.
  struct Entry: Equatable {
    let name: String
    let at: Timestamp
    let bytes: Int64
    /// Whether the entry has a list of its files.
    var isListed = true
  }

  private let rules: TrashRules
  private let root: String
  private let now: Timestamp

  /// - Parameter root: the UUID of the root.
  init(_ rules: TrashRules, in root: String, now: Timestamp) {
    self.rules = rules
    self.root = root
    self.now = now
  }

  /// Returns the steps, and the number of bytes that they free.
  ///
  /// - Parameters:
  ///   - entries: the entries of the trash, oldest first.
  ///   - disk: the capacity of the disk.
  ///   - free: the free space on the disk.
  ///   - target: the free space that the user requested; nil for no such request.
  ///   - purgesAll: whether the user requested to empty the trash.
  func steps(
    _ entries: [Entry], disk: ByteCount, free: ByteCount, target: ByteCount?,
    purgesAll: Bool = false
  ) -> (steps: [CleaningStep], freed: Int64) {
    var held = entries.map(\.bytes).clampedSum()
    let wanted = max(target ?? rules.reserve, rules.reserve)
    let quota = rules.quota.bytes(of: disk)
    var freed: Int64 = 0
    var steps: [CleaningStep] = []
    for entry in entries {
      let explanation: String
      if purgesAll {
        explanation = "to empty the trash"
      } else if entry.at < now.adding(milliseconds: -rules.keep) {
        explanation = "in the trash for more than \(DurationText.text(of: rules.keep))"
      } else if free.bytes.addingClamped(freed) < wanted.bytes {
        explanation = "to free \(wanted.forPeople)"
      } else if held > quota.bytes {
        explanation = "the trash holds more than \(quota.forPeople)"
      } else {
        continue
      }
      steps.append(CleaningStep(purging: entry, in: root, explanation: explanation))
      held = held.addingClamped(-entry.bytes)
      freed = freed.addingClamped(entry.bytes)
    }
    return (steps, freed)
  }
}

extension CleaningStep {
  /// Creates a step that permanently deletes a folder of the trash.
  init(purging entry: TrashPlan.Entry, in root: String, explanation: String) {
    self.init(
      .purgeTrash(root: root, entry: entry.name),
      explanation: entry.isListed ? explanation : "\(explanation); its list is missing",
      bytes: ByteCount(clamping: entry.bytes))
  }
}
