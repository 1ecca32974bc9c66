package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// An update that is killed leaves files that neither the manifest nor the records list. They may
// be the last good copies by the time of the next update, which may not pack their episodes. So
// each update first writes the records that it will change to a file. The next update completes
// the bag from them: files with the announced digests become part of it, and earlier files
// represent the others. Killed at any step, it is done again from the start.

extension BundleExporter {
  /// Completes the bag in a folder after an interrupted update, and returns the folder as it is
  /// then. A folder without an interrupted update, or one that is open without its lock, is
  /// returned unchanged.
  ///
  /// - Parameter scratch: the folder for temporary files.
  /// - Throws: `WorkEnded.interrupted`, errors of the store and of the file system.
  package func completed(
    _ folder: ExportedFolder, _ info: BundleInfo, scratch: FilePath
  ) throws -> ExportedFolder {
    guard folder.isLocked, !folder.interrupted.isEmpty else { return folder }
    let snapshot = try store.snapshot()
    let nothing = try BundlePlan(
      PackedTexts(), BundleContent(), reading: { _ in nil },
      shows: { try BundledShow.shows(of: $0, in: snapshot) })
    var recovery = FolderRecovery(folder, until: shouldStop)
    try recovery.complete(nothing, info, scratch: scratch)
    return try folder.reopened()
  }
}

/// Completes the bag in a folder from the records of an interrupted update.
private struct FolderRecovery {
  private let folder: ExportedFolder
  private let shouldStop: () -> Bool
  /// The intact files, by their paths.
  private var files: [String: BundleTags.Payload] = [:]

  init(_ folder: ExportedFolder, until shouldStop: @escaping () -> Bool) {
    self.folder = folder
    self.shouldStop = shouldStop
  }

  /// Writes the manifests and the records of the intact files. The remaining list of the
  /// interrupted update contains only files that the next update deletes.
  mutating func complete(_ plan: BundlePlan, _ info: BundleInfo, scratch: FilePath) throws {
    let text = SpooledText(in: scratch)
    try forEachRecord { record in
      var line: [UInt8] = []
      JSONWriter.append(record, to: &line)
      line.append(UInt8(ascii: "\n"))
      try line.withUnsafeBytes { try text.append($0) }
    }
    for (path, digest) in folder.listed.sorted where folder.exportedDigest(path) == nil {
      try keep(path, digest)
    }
    let records = try EarlierRecords(text, of: folder.path) { _ in nil }
    try folder.replaceTags(with: BundleTags(plan, info: info, keeping: records, more: files))
    var left = FileDigests()
    for (path, digest) in folder.pending.sorted {
      if files[path] == nil {
        left.set(path, digest)
      } else {
        try RegularFile.remove(folder.path.appending(BundleTags.draft(of: path)))
      }
    }
    if left.count > 0 {
      try folder.replacePending(with: left, plan.files)
    } else {
      try RegularFile.remove(folder.path.appending(ExportedFolder.pendingName))
    }
    try RegularFile.remove(folder.path.appending(ExportedFolder.pendingRecordsName))
  }

  /// Calls the closure with the record of each episode of the folder.
  private mutating func forEachRecord(_ body: (JSONObject) throws -> Void) throws {
    let (interrupted, records) = (folder.interrupted, folder.records)
    var changed: Set<String> = []
    try interrupted.forEach { text, record in
      let current = interrupted.currentID(of: text)
      changed.insert(current)
      let earlier = try EpisodeID(valid: current).map { try records.records(of: $0) } ?? []
      if let record = try intact(record, else: earlier) { try body(record) }
    }
    try records.forEach { text, record in
      guard !changed.contains(records.currentID(of: text)) else { return }
      for path in BundleRecord.paths(in: record) {
        if let digest = folder.listed[path] { try keep(path, digest) }
      }
      try body(record)
    }
  }

  /// Returns the record with the files that are intact, and earlier ones in place of the others;
  /// nil if there are none.
  private mutating func intact(
    _ record: JSONObject, else earlier: [JSONObject]
  ) throws -> JSONObject? {
    var record = record
    var parts: [JSONObject] = []
    for var part in (record["parts"]?.array ?? []).compactMap(\.object) {
      if let path = part["path"]?.string, try !adopt(path, BundleRecord.digest(of: part)) {
        part["path"] = nil
      }
      if part["path"] == nil {
        let others = earlier.compactMap { BundleRecord.part(part, in: $0) }
        part = try others.first { try keepListed($0["path"]?.string) } ?? part
      }
      parts.append(part)
    }
    record["parts"] = .array(parts.map { .object($0) })
    if let nfo = record["nfo"]?.string, try !adopt(nfo, nil) {
      record["nfo"] = try earlier.lazy.map { $0["nfo"] }.first { try keepListed($0?.string) } ?? nil
    }
    return earlier.isEmpty && !parts.contains { $0["path"] != nil } ? nil : record
  }

  /// Keeps a file with the digest that the interrupted update announced. If only its temporary file
  /// has the digest, it gets its name, as the update intended.
  ///
  /// - Returns: false if neither has the digest.
  private mutating func adopt(_ path: String, _ digest: Digest?) throws -> Bool {
    guard let digest = digest ?? folder.pending[path] ?? folder.listed[path] else { return false }
    if try isIntact(path, digest) {
      try keep(path, digest)
      return true
    }
    let draft = BundleTags.draft(of: path)
    guard folder.pending[path] != nil, try isIntact(draft, digest) else { return false }
    let target = folder.path.appending(path)
    try renameReplacing(from: folder.path.appending(draft), to: target)
    try syncFolder(target.folder)
    try keep(path, digest)
    return true
  }

  /// Keeps a file that the manifest lists, if it is intact, and returns whether it is.
  private mutating func keepListed(_ path: String?) throws -> Bool {
    guard let path, let digest = folder.listed[path], try isIntact(path, digest) else {
      return false
    }
    try keep(path, digest)
    return true
  }

  private mutating func keep(_ path: String, _ digest: Digest) throws {
    guard let facts = try FileFacts.ifPresent(at: folder.path.appending(path)), facts.isRegular
    else { return }
    files[path] = BundleTags.Payload(size: facts.size, digest)
  }

  private func isIntact(_ path: String, _ digest: Digest) throws -> Bool {
    if shouldStop() { throw WorkEnded.interrupted }
    let file = folder.path.appending(path)
    guard let facts = try FileFacts.ifPresent(at: file), facts.isRegular else { return false }
    if folder.known(path, facts) == digest { return true }
    return try FileDigest.sha256(of: file, shouldStop: shouldStop) == digest
  }
}
