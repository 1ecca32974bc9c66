package import SystemPackage
package import VmxModel
package import VmxSystem

/// The failures of the store.
package enum StoreError: CodedError, Equatable {
  /// A lock could not be acquired.
  case lock(LockError)
  /// A system call on the store or on a file beside it failed.
  case file(FileError)
  /// The store is on a network file system.
  case onNetwork(FilePath)
  /// The store has no header, and no other file has it.
  case headerLost(FilePath)
  /// The store is absent or empty, but there is a snapshot from before its last compaction.
  case storeGone(FilePath)
  /// The store is absent or has no episodes, but a root without a record in it has sidecars.
  case storeLost(FilePath, root: FilePath)
  /// The store has no header, and fewer records than the snapshot from before its last compaction.
  case recordsLost(FilePath, found: Int, snapshot: Int)
  /// No sequence number is left for another line.
  case numbersExhausted(FilePath)
  /// Another program overwrote the store while it was read.
  case overwritten(FilePath)
  /// The format is newer than this version can read.
  case tooNew(FilePath, major: Int64)
  /// The format is older than the one that this version writes.
  case tooOld(FilePath, major: Int64)
  /// Bytes could not be written because the disk is full; `free` is nil if it is not known, or if a
  /// quota or a limit of file sizes was reached instead.
  case full(FilePath, Errno, needed: Int, free: Int64?)
  /// An appended line may not be on the disk, and no new copy of the store could be made.
  case notDurable(FilePath, Errno)
  /// A record is longer than the limit for lines.
  case tooLong(String, bytes: Int)
  /// The aliases of an id form a cycle.
  case aliasLoop(String)
  /// The clock contradicts the times in the store.
  case clockSuspect(now: Timestamp, newest: Timestamp)
  /// There is no secret with this reference.
  case noSecret(String)

  package var code: ErrorCode {
    switch self {
    case .lock(let error): error.code
    case .file(let error):
      switch error.code {
      case .diskFull: .storeFull
      case .resourcesShort: .resourcesShort
      default: .storeUnreadable
      }
    case .onNetwork: .storeOnNetwork
    case .headerLost, .storeGone, .recordsLost, .numbersExhausted, .overwritten, .aliasLoop:
      .storeDamaged
    case .storeLost: .storeLost
    case .tooNew: .storeTooNew
    case .tooOld: .storeTooOld
    case .full: .storeFull
    case .notDurable: .storeNotDurable
    case .tooLong: .badLine
    case .clockSuspect: .clockSuspect
    case .noSecret: .secretMissing
    }
  }

  package var summary: String {
    switch self {
    case .lock(let error): error.summary
    case .file(let error): error.summary
    case .onNetwork(let path): "'\(path)' is on a network file system"
    case .headerLost(let path): "the first line of '\(path)' is not a header"
    case .storeGone(let path): "'\(path)' is missing or empty, but 'store.jsonl.1' exists"
    case .storeLost(let path, let root):
      "'\(path)' is missing or has no episodes, but '\(root)' has some"
    case .recordsLost(let path, let found, let snapshot):
      "'\(path)' has lost its header and has \(found) records, 'store.jsonl.1' has \(snapshot)"
    case .numbersExhausted(let path): "'\(path)' has a line whose number is too large"
    case .overwritten(let path): "another program overwrote '\(path)' while it was read"
    case .tooNew(let path, let major): "'\(path)' has format \(major), newer than this vmx"
    case .tooOld(let path, let major): "'\(path)' has format \(major), older than this vmx writes"
    case .full(let path, let errno, let needed, let free):
      "cannot write to '\(path)': \(errno.message), \(Self.room(needed: needed, free: free))"
    case .notDurable(let path, let errno): "cannot flush '\(path)': \(errno.message)"
    case .tooLong(let id, let bytes): "the record '\(id)' would take \(bytes) bytes"
    case .aliasLoop(let id): "the alias '\(id)' leads to itself"
    case .clockSuspect(let now, let newest):
      "the clock says \(now.text), but the newest line of the store is of \(newest.text)"
    case .noSecret(let reference): "no user and password stored as '\(reference)'"
    }
  }

  package var hint: String {
    switch self {
    case .lock(let error): error.hint
    case .file(.isLink): LockError.linkHint
    case .recordsLost:
      "run 'vmx doctor --mend' to restore the records from 'store.jsonl.1'"
    case .overwritten: "run the command again"
    default: code.entry.hint
    }
  }

  /// Describes why bytes could not be written to a file of the home, with the free space of its
  /// disk at this moment.
  static func outOfSpace(_ path: FilePath, _ errno: Errno, needed: Int) -> StoreError {
    var free: Int64?
    if errno == .noSpace {
      do throws(FileError) {
        free = try freeSpace(at: path.folder).bytes
      } catch {
        // The message then names only what is needed.
      }
    }
    return .full(path, errno, needed: needed, free: free)
  }

  private static func room(needed: Int, free: Int64?) -> String {
    let sizes = [Int64(needed), free ?? 0].map { ByteCount(clamping: $0).forPeople }
    return free == nil ? "needs \(sizes[0])" : "needs \(sizes[0]), \(sizes[1]) free"
  }
}
