import Glibc
package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

// A file belongs to an export if the records name it with the digest that the manifest lists, or if
// the list of an unfinished update has it. A manifest alone proves nothing: another program, or a
// person, may have written it. So a folder with the bag of another program is refused, and files that
// only the manifest lists stay, in the folder and in the manifest.

/// A folder that exports write to, with what earlier ones have left there; it need not exist yet.
///
/// While it is open and locked no other export writes to it.
package final class ExportedFolder {
  /// The list of what an unfinished update is to write, in the format of a manifest.
  static let pendingName = ".vmx-update.txt"

  /// The path.
  package let path: FilePath
  /// The digest of each file by its path, according to the manifest.
  let listed: [String: Digest]
  /// The files that an interrupted run may have written.
  let pending: [String: Digest]
  /// The lines of the records, by the id of the episode.
  let records: [String: JSONObject]
  /// Whether an export wrote `fetch.txt`.
  let hasFetchList: Bool
  /// The files that an export wrote, with their digests.
  let ours: [String: Digest]
  private let lock: OpenFile?

  /// The paths of the files of each episode, by its id.
  package var paths: [String: [String]] { records.mapValues(BundleRecord.paths) }

  /// Opens a folder and reads the manifest, the records and the list of an unfinished update.
  ///
  /// - Parameter isLocked: whether other exports are kept out while the folder is open.
  /// - Throws: `lock-busy` if another export writes to it, `name-taken` for the bag of another program,
  ///   `bundle-invalid` for a manifest or records that cannot be read, errors of reading.
  package init(at path: FilePath, isLocked: Bool) throws {
    self.path = path
    guard try FileFacts.of(path) == nil || isFolder(path) else {
      throw Failure(
        .nameTaken, "not a folder: '\(path)'", hint: "choose another name, or another --type")
    }
    lock = isLocked && isFolder(path) ? try Self.lock(path) : nil
    let listed = try Self.manifest(BagManifestName(.sha256).file, in: path)
    let pending = try Self.manifest(Self.pendingName, in: path)
    let lines = try Self.text(path.appending(BundleRecord.fileName))
    if isFolder(path) {
      try Self.refuseForeignBag(
        in: path, hasRecords: lines != nil, isUnfinished: pending != nil && listed == nil)
    }
    records = try Self.records(lines ?? [], in: path)
    let tags = try Self.manifest(
      BagManifestName(.sha256, isOfTags: true).file, in: path, isOfPayload: false)
    hasFetchList = tags?[BagFetchLine.name] != nil
    self.listed = listed ?? [:]
    self.pending = pending ?? [:]
    var ours = self.pending
    for file in records.values.flatMap(BundleRecord.files) {
      guard let digest = self.listed[file.path], file.sha256.map({ $0 == digest.hex }) ?? true
      else { continue }
      ours[file.path] = digest
    }
    self.ours = ours
  }

  /// Returns the folder, existing and locked.
  ///
  /// - Throws: `lock-busy` if another export was faster, errors of the file system.
  func made() throws -> ExportedFolder {
    if lock != nil { return self }
    try makeFolders(path, mode: .publishedFolder)
    let made = try ExportedFolder(at: path, isLocked: true)
    guard made.records.isEmpty, made.pending.isEmpty else { throw Self.busy(path) }
    return made
  }

  /// Returns the digests of a manifest in a folder, by the paths; nil if there is none.
  ///
  /// - Throws: `bundle-invalid`, errors of reading.
  static func manifest(
    _ name: String, in folder: FilePath, isOfPayload: Bool = true
  ) throws -> [String: Digest]? {
    guard let bytes = try text(folder.appending(name)) else { return nil }
    var files: [String: Digest] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let line = BagManifestLine(line, .sha256), let name = line.path.path.text,
        line.path.path.isPayload == isOfPayload, line.path.path.isBelow,
        let digest = Digest(.sha256, bytes: line.digest)
      else { throw Failure(.bundleInvalid, "not a line of a manifest in '\(folder)/\(name)'") }
      files[name] = digest
    }
    return files
  }

  private static func lock(_ path: FilePath) throws -> OpenFile {
    let held = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
    guard flock(held.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else { throw busy(path) }
    return held
  }

  private static func busy(_ path: FilePath) -> Failure {
    Failure(.lockBusy, "another export writes to '\(path)'")
  }

  private static func text(_ path: FilePath) throws(FileError) -> [UInt8]? {
    try readFile(path, limit: ByteCount(clamping: Int64(BundleLimits().metadata)))
  }

  private static func records(_ lines: [UInt8], in folder: FilePath) throws -> [String: JSONObject]
  {
    var records: [String: JSONObject] = [:]
    for (number, record) in try BundleRecords(lines).enumerated() {
      guard let id = record["id"]?.string, record["schema"]?.integer ?? 1 == 1,
        records.updateValue(record, forKey: id) == nil
      else {
        throw Failure(
          .bundleInvalid,
          "line \(number + 1) of '\(folder.appending(BundleRecord.fileName))' is not one that this"
            + " version writes",
          hint: "export to another folder")
      }
    }
    return records
  }

  /// - Parameter isUnfinished: whether the first export to the folder was interrupted: its records
  ///   come before its manifest.
  /// - Throws: `name-taken`, errors of reading.
  private static func refuseForeignBag(
    in path: FilePath, hasRecords: Bool, isUnfinished: Bool
  ) throws {
    let folder = try OpenFolder(path, followingLinks: true)
    while let entry = try folder.next() {
      guard let name = String(validating: entry.name, as: UTF8.self) else { continue }
      let manifest = BagManifestName(PathBytes(name))
      let isTag =
        manifest != nil || [BagDeclaration.name, BagInfo.name, BagFetchLine.name].contains(name)
      // A manifest with another algorithm would be wrong after the update.
      guard isTag, manifest.map({ $0.known != .sha256 }) ?? false || !hasRecords && !isUnfinished
      else { continue }
      throw Failure(
        .nameTaken, "a file of another program's bag is in the way: '\(path.appending(name))'",
        hint: "export to another folder, or to a file")
    }
  }
}
