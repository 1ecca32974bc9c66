import Glibc
import SystemPackage
import VmxEngine
package import VmxModel
package import VmxStore
import VmxSystem

/// Examines the roots of a library: whether each is mounted, belongs to the library, and is
/// readable.
package struct RootDiagnosis: Sendable {
  /// The status of one root.
  private enum Status {
    case present(library: String)
    case away
    case lost
    case broken(any Error)
  }

  private let roots: [(path: String, sight: Status, renamesAfterLook: Bool)]

  /// Examines the roots that a store knows.
  package init(of snapshot: StoreSnapshot) {
    var roots: [(String, Status, Bool)] = []
    snapshot.records(of: .root) { record in
      if let path = record.path {
        var status = Self.status(of: path, uuid: record.id)
        // Another root may be mounted at the place of a lost one.
        if record.isLostRoot {
          if case .present = status {} else { status = .lost }
        }
        roots.append((path, status, record.renamesAfterLook))
      }
      return true
    }
    self.roots = roots
  }

  /// The library's UUID according to the marks of the roots.
  package var libraryID: LibraryIDSource {
    if roots.isEmpty { return .free }
    for root in roots {
      if case .present(let library) = root.sight { return .found(library) }
    }
    return .hidden
  }

  /// Returns one finding for each root.
  ///
  /// - Parameter library: the UUID of the library; nil if its header is lost.
  package func findings(library: String?) -> [Finding] {
    if roots.isEmpty { return [.ok(.roots, "no media folder yet")] }
    return roots.flatMap { path, sight, renamesAfterLook -> [Finding] in
      switch sight {
      case .present(let own) where library == nil || own == library:
        Self.readingFindings(of: path) + (renamesAfterLook ? [Self.looking(in: path)] : [])
      case .away:
        [
          .note(
            .roots, "the media folder is unreachable", of: path,
            hint: ErrorCode.rootAway.entry.hint)
        ]
      case .lost: [.ok(.roots, "the media folder was declared lost", of: path)]
      case .present:
        [
          .problem(
            .roots, .rootForeign, summary: "the media folder belongs to another library", of: path)
        ]
      case .broken(let error): [.failure(.roots, error)]
      }
    }
  }

  private static func looking(in path: String) -> Finding {
    .note(
      .roots, "the file system cannot rename without replacing: vmx looks for each name first",
      of: path, hint: "let no other program write to that folder while vmx does")
  }

  /// Returns one finding for each folder below a root that cannot be listed, or one finding that
  /// the root is readable.
  private static func readingFindings(of path: String) -> [Finding] {
    let root = FilePath(path)
    var errors = forEachFile(below: root) { _, _ in true }
    for kind in LibraryLayout.Folder.allCases {
      do throws(FileError) {
        let folder = try OpenFolder(root.appending(kind.path))
        while try folder.next() != nil {}
      } catch {
        if error.errno != .noSuchFileOrDirectory { errors.append(error) }
      }
    }
    guard errors.isEmpty else { return errors.map { .failure(.roots, $0) } }
    // The kernel makes a file system read-only after an error of its disk.
    if root.withPlatformString({ access($0, W_OK) }) != 0, Errno.last == .readOnlyFileSystem {
      return [
        .problem(
          .roots, .mediaUnwritable, summary: "the media folder is read-only", of: path,
          hint: "nothing can be fetched or removed there: check the disk, and mount it for writing")
      ]
    }
    return [.ok(.roots, "the media folder is available", of: path)]
  }

  private static func status(of path: String, uuid: String) -> Status {
    do {
      return .present(
        library: try MediaRoot(uuid: uuid, folder: FilePath(path)).mark().library)
    } catch let failure as Failure where failure.isOfUnreachableRoot {
      return failure.code == .rootAway ? .away : .broken(failure)
    } catch {
      return .broken(error)
    }
  }
}

/// Examines a whole library: its store, the files beside it, and its roots.
package struct LibraryDiagnosis: Sendable {
  private let home: LibraryHome
  private let options: StoreOptions
  private let clock: any WallClock

  /// Creates a diagnosis of the library at a home, which need not exist.
  package init(_ home: LibraryHome, options: StoreOptions, clock: any WallClock) {
    self.home = home
    self.options = options
    self.clock = clock
  }

  /// Examines the library; creates and changes nothing, and takes no lock.
  package func examine() -> StoreDiagnosis.Result {
    let diagnosis = StoreDiagnosis(
      home, options: options, clock: clock, paths: StatePaths(partTables)
    ) { RootDiagnosis(of: $0).libraryID }
    var result = diagnosis.examine()
    if let snapshot = result.snapshot {
      result.findings += RootDiagnosis(of: snapshot).findings(library: snapshot.header?.library)
      result.findings += feeds(in: snapshot)
    }
    if let lost = lostStore(result) { result.findings.append(lost) }
    return result
  }

  /// Returns a finding for each feed whose last check failed.
  private func feeds(in snapshot: StoreSnapshot) -> [Finding] {
    var findings: [Finding] = []
    snapshot.records(of: .feed) { record in
      let failing = record.fields["failing"]?.object
      guard let code = failing?["code"]?.string, let since = failing?["since"]?.string else {
        return true
      }
      let attempts = failing?["attempts"]?.integer ?? 1
      findings.append(
        .note(
          .feeds,
          "\(attempts == 1 ? "a check" : "\(attempts) checks") failed since "
            + "\(since.prefix(10)): \(code)", of: record.id,
          hint: "run 'vmx explain \(code)'"))
      return true
    }
    return findings
  }

  /// Returns the finding for a root at the default or a configured place that has sidecars but no
  /// record in the store.
  private func lostStore(_ result: StoreDiagnosis.Result) -> Finding? {
    if result.snapshot == nil {
      // An existing store or snapshot that cannot be read has its own finding.
      let isThere = [home.store, home.snapshot].contains { path in
        do throws(FileError) {
          return try FileFacts.of(path).map { $0.size > 0 } ?? false
        } catch {
          return true
        }
      }
      if isThere { return nil }
    }
    guard let lost = home.lostRoot(among: options.roots, unknownTo: result.snapshot) else {
      return nil
    }
    let folder = lost.folder.string
    if let header = result.snapshot?.header, header.library != lost.mark.library,
      result.snapshot?.hasEpisodes == true
    {
      return .problem(
        .roots, .rootForeign, summary: "the media folder belongs to another library", of: folder)
    }
    return .problem(
      .roots, .storeLost, summary: "the store does not know a media folder with sidecars",
      of: folder)
  }

  /// Repairs the findings that can be repaired, durably.
  ///
  /// - Returns: the failures of single steps; the other steps are done nevertheless.
  /// - Throws: `StoreError` if the store cannot be opened.
  package func repair(_ findings: [Finding]) throws(StoreError) -> [Failure] {
    let store = try LibraryStore.open(home, options: options, clock: clock)
    return StoreRepair(store) { RootDiagnosis(of: $0).libraryID }.repair(findings)
  }
}
