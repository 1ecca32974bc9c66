import Glibc
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

extension StoreDiagnosis {
  /// Checks the library folder. Returns whether it exists, or nil if it cannot be examined.
  func home(_ findings: inout [Finding]) -> Bool? {
    do throws(FileError) {
      let folder = try OpenFile(
        home.folder, .readOnly, options: .directory, followingLinks: true)
      guard try isNetworkFileSystem(folder.descriptor, of: home.folder) else {
        findings.append(.ok(.home, "the library is on a local disk", of: home.folder.string))
        findings += try temporaryFiles()
        return true
      }
      findings.append(
        options.allowsNetwork
          ? .note(.home, "the library is on a network file system", of: home.folder.string)
          : .problem(
            .home, .storeOnNetwork, summary: "the library is on a network file system",
            of: home.folder.string))
      return true
    } catch {
      if error.errno == .noSuchFileOrDirectory {
        findings.append(.note(.home, "no library yet", of: home.folder.string))
        return false
      }
      findings.append(.failure(.home, StoreError.file(error)))
      return nil
    }
  }

  /// Returns one finding for each temporary file that an interrupted process left. A compaction in
  /// progress also has such files.
  private func temporaryFiles() throws(FileError) -> [Finding] {
    try home.temporaryFiles().map { path in
      .note(
        .home, "a temporary file left by a crash, or being written now", of: path.string,
        hint: "run 'vmx doctor --mend' to remove it", isMendable: true)
    }
  }

  func permissions() -> [Finding] {
    var findings = privatePaths.compactMap { unwritable($0) }
    for path in checkedPaths {
      do throws(FileError) {
        guard let loose = try Self.insecureMode(of: path) else { continue }
        let mode = String(loose.rawValue, radix: 8)
        let isSecret = home.secretFiles.contains(path)
        let others = loose.isDisjoint(with: [.groupWrite, .otherWrite]) ? "read" : "change"
        let what = "other users can \(others) it: mode \(mode)"
        findings.append(
          isSecret || others == "change"
            ? .problem(.permissions, .accessLoose, summary: what, of: path.string, isMendable: true)
            : .note(
              .permissions, what, of: path.string,
              hint: "run 'vmx doctor --mend' to restrict it", isMendable: true))
      } catch {
        findings.append(.failure(.permissions, StoreError.file(error)))
      }
    }
    return findings.isEmpty ? [.ok(.permissions, "no other user can read or change it")] : findings
  }

  /// Returns a finding for a file or folder that this user may not write to.
  private func unwritable(_ path: FilePath) -> Finding? {
    do throws(FileError) {
      guard let facts = try FileFacts.of(path), !facts.isLink else { return nil }
      // The superuser may write to anything, so the mode is checked too.
      let isClosed = !facts.permissions.contains(.ownerWrite)
      guard isClosed || path.withPlatformString({ access($0, W_OK) }) != 0 else { return nil }
      let mode = String(facts.permissions.rawValue, radix: 8)
      return .problem(
        .permissions, .storeUnreadable, summary: "vmx cannot write to it: mode \(mode)",
        of: path.string,
        isMendable: isClosed)
    } catch {
      return .failure(.permissions, StoreError.file(error))
    }
  }

  /// The paths whose mode is checked.
  ///
  /// In a folder closed to other users only the files with secrets must also be closed themselves.
  private var checkedPaths: [FilePath] {
    do throws(FileError) {
      return try Self.insecureMode(of: home.folder) == nil
        ? [home.folder] + home.secretFiles : privatePaths
    } catch {
      // `insecureMode` fails again in `permissions()`, which reports the error as a finding.
      return privatePaths
    }
  }

  /// The paths that other users should neither read nor write.
  static func privatePaths(of home: LibraryHome) -> [FilePath] {
    [home.folder, home.store, home.lock] + home.secretFiles
  }

  private var privatePaths: [FilePath] { Self.privatePaths(of: home) }

  /// Returns the full mode of a path that other users may access; nil if they have no access or the
  /// path does not exist.
  static func insecureMode(of path: FilePath) throws(FileError) -> FilePermissions? {
    guard let facts = try FileFacts.of(path) else { return nil }
    let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
    guard !facts.permissions.isDisjoint(with: others), !facts.isLink else { return nil }
    return facts.permissions
  }

  func locks() -> [Finding] {
    do {
      guard try FileFacts.of(home.lock) != nil else {
        return [.ok(.locks, "no lock file yet")]
      }
      _ = try LockFile.open(home.lock)
      return [.ok(.locks, "locks work here")]
    } catch {
      return [.failure(.locks, error)]
    }
  }

  func space() -> [Finding] {
    do throws(FileError) {
      let free = try freeSpace(at: home.folder).bytes
      let store = try FileFacts.of(home.store)
      let reserve = max(0, (store?.allocated ?? 0) - (store?.size ?? 0))
      let sizes = [free, reserve].map { ByteCount(clamping: $0).forPeople }
      let reserved = "\(sizes[0]) free, \(sizes[1]) reserved after the store"
      if free < Int64(StoreWriter.reserve) {
        return [.problem(.space, .storeFull, summary: reserved)]
      }
      return [.ok(.space, reserved)]
    } catch {
      return [.failure(.space, StoreError.file(error))]
    }
  }

  /// Checks the snapshot file.
  ///
  /// - Parameter store: nil if there is no store that can be read.
  func snapshotFile(beside store: StoreSnapshot?) -> [Finding] {
    do throws(StoreError) {
      guard let file = try StoreFile.open(home.snapshot, writable: false) else {
        return [.ok(.snapshot, "no snapshot; the store was never compacted")]
      }
      var findings: [Finding] = []
      if let image = store?.image, let lost = try lostRecordCount(of: image), lost > 0 {
        findings.append(
          .problem(
            .snapshot, .storeDamaged, summary: "the store lacks \(lost) records of the snapshot",
            hint: "run 'vmx doctor --mend' to restore them from the snapshot", isMendable: true))
      }
      guard let header = file.header else {
        return findings + [
          .note(
            .snapshot, "the snapshot before the last compaction has no header",
            hint: "no action needed; the next compaction replaces it")
        ]
      }
      return findings + [.ok(.snapshot, "\(file.facts.size) bytes of epoch \(header.epoch)")]
    } catch {
      return [.failure(.snapshot, error)]
    }
  }

  /// Returns the number of records that a compaction would copy from the snapshot.
  private func lostRecordCount(of image: StoreImage) throws(StoreError) -> Int? {
    guard let previous = try PreviousStore.open(home, beside: image.file),
      previous.precedes(image.file.header)
    else { return nil }
    let index = StoreSnapshot(image, cache: IndexCache(home)).index(of: image)
    let reader = RecordReader(image: image, parser: JSONParser())
    let damaged = Set(StoreSnapshot.damage(of: image, index).map(\.offset))
    return previous.lostIndices(from: image, index) { offset in
      // A line that is only unknown to this version stays in the store.
      guard damaged.contains(offset), let key = image.key(at: offset, reader.parser),
        image.facts(of: image.line(at: offset), at: offset, reader.parser) == nil
      else { return false }
      return reader.last(key, before: offset, RecordReader.record) == nil
    }.count
  }

  func damagedLines() -> [Finding] {
    do throws(FileError) {
      guard let facts = try FileFacts.of(home.damaged), facts.size > 0 else {
        return [.ok(.aside, "no damaged lines were moved aside")]
      }
      return [
        .note(
          .aside, "\(facts.size) bytes of damaged lines were moved aside", of: home.damaged.string,
          hint: "inspect the file, then remove it; vmx never reads it")
      ]
    } catch {
      return [.failure(.aside, StoreError.file(error))]
    }
  }
}
