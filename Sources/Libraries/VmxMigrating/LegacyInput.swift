package import SystemPackage
package import VmxModel
import VmxSystem

/// A path that the user named, or all paths of one program that are read together.
package struct LegacyInput: Sendable {
  /// The path, or the first of several, for messages.
  package let path: String
  /// The kind, if it is known; an input that cannot be read may have one too.
  package private(set) var kind: LegacyKind?
  private var folders: Result<[LegacyFolder], Failure>
  /// The minimum number of findings in a batch, except the last.
  private static let batch = 1000

  /// Returns the inputs of paths, in their order.
  ///
  /// - Parameters:
  ///   - kind: the kind of all of them; nil to guess the kind of each, and of each folder below
  ///     with a store of another program.
  ///   - absolute: returns the absolute path of an operand.
  package static func inputs(
    _ paths: [String], of kind: LegacyKind?, absolute: (String) -> FilePath
  ) -> [LegacyInput] {
    var inputs: [LegacyInput] = []
    for path in paths {
      for input in Self.inputs(path, of: kind, absolute) {
        if let index = inputs.firstIndex(where: { $0.canJoin(input) }) {
          inputs[index].join(input)
        } else {
          inputs.append(input)
        }
      }
    }
    return inputs
  }

  private static func inputs(
    _ path: String, of kind: LegacyKind?, _ absolute: (String) -> FilePath
  ) -> [LegacyInput] {
    do {
      let folder = try LegacyFolder(absolute(path))
      if let kind = kind ?? .ofStore(folder) {
        return [LegacyInput(path, .success(folder), of: kind)]
      }
      let (stores, rest) = folder.separatingStores()
      return stores.map { LegacyInput("\($0.folder.path)", .success($0.folder), of: $0.kind) }
        + (rest.map { [LegacyInput(path, .success($0), of: .ofFiles($0))] } ?? [])
    } catch {
      return [LegacyInput(path, .failure(Failure(error)), of: kind)]
    }
  }

  private init(_ path: String, _ folder: Result<LegacyFolder, Failure>, of kind: LegacyKind?) {
    self.path = path
    self.folders = folder.map { [$0] }
    self.kind = kind
  }

  private func canJoin(_ other: LegacyInput) -> Bool {
    guard case .success = folders, case .success = other.folders else { return false }
    return kind == other.kind && kind?.joinsPaths == true
  }

  private mutating func join(_ other: LegacyInput) {
    folders = folders.flatMap { own in other.folders.map { own + $0 } }
  }

  /// The real paths of the named folders and files. A single file is given by itself, since its
  /// folder may contain the library, as a home folder does.
  package var paths: [FilePath] {
    guard case .success(let folders) = folders else { return [] }
    return folders.map { $0.isSingleFile ? $0.files.first?.path ?? $0.path : $0.named }
  }

  /// Whether all folders below the named ones could be listed. Otherwise an unlisted folder may
  /// hold a subtitle, and its video must not be moved.
  package var isListed: Bool {
    guard case .success(let folders) = folders else { return false }
    return folders.allSatisfy(\.errors.isEmpty)
  }

  /// Returns the named folder that contains all files of episodes, to make it a root.
  ///
  /// - Throws: `usage` if only single files were named, or if files are in several of the folders,
  ///   and as `forEachBatch`.
  package func mediaFolder(_ tools: LegacyTools) throws -> FilePath {
    let named = try folders.get().filter { !$0.isSingleFile }.map(\.named)
    guard let first = named.first else {
      throw Failure(
        .usage, "'--in-place' takes folders, and '\(path)' is a file", hint: "name its folder")
    }
    guard named.count > 1 else { return first }
    var used: Set<FilePath> = []
    try forEachBatch(tools) { findings in
      for case .episode(let episode) in findings {
        for file in episode.files {
          let folder = named.filter { file.path.starts(with: $0) }.max {
            $0.components.count < $1.components.count
          }
          if let folder { used.insert(folder) }
        }
      }
    }
    guard used.count < 2 else {
      throw Failure(.usage, "'--in-place' takes the folders with videos one at a time")
    }
    return used.first ?? first
  }

  /// Calls the body with the findings of the reader, in batches of at least 1,000 except the last.
  /// For any kind, downloads that aria2 has not completed are read as for `aria2`.
  ///
  /// - Throws: `usage` for a kind that this version does not read, and for source URLs of a kind
  ///   that accepts none. `usage` also for a single URL unless exactly one partial file was found.
  ///   Else as `LegacyReader.findings`, and the errors of the body.
  package func forEachBatch(
    _ tools: LegacyTools, _ body: ([LegacyFinding]) throws -> Void
  ) throws {
    let folders = try folders.get()
    guard let reader = kind?.reader(tools) else {
      throw Failure(.usage, "'\(kind?.rawValue ?? path)' is not read by this version")
    }
    let folder = folders.count == 1 ? folders[0] : LegacyFolder(joining: folders)
    let partials = Self.namedPartials(in: folder, of: kind, tools.sources)
    guard tools.sources.isEmpty || kind?.acceptsSources == true || !partials.isEmpty else {
      throw Failure(
        .usage, "addresses are given for partial files of aria2, wget, curl and browsers",
        hint: "name the program with '--from'")
    }
    let downloads = kind == .aria2 ? [] : try Aria2Reader.downloads(in: folder)
    var readPaths = Set(downloads.map(\.path))
    let named = partials.filter { !readPaths.contains($0.path) }
    readPaths.formUnion(named.map(\.path))
    var batch = folder.specialFiles.map { LegacyFinding.skipped($0, nil, .noRegularFile) }
    batch += folder.excluded.map { .excluded($0) }
    batch += try Aria2Reader(tools.sources).findings(of: downloads, in: folder)
    batch += try Self.findings(of: named, in: folder, of: kind ?? .browser, tools.sources)
    let records = try recordFindings(in: folder, tools)
    batch += records.findings
    readPaths.formUnion(records.paths)
    let rest = readPaths.isEmpty ? folder : folder.keeping { !readPaths.contains($0.path) }
    guard tools.sources.only == nil else {
      if !rest.files.isEmpty || named.isEmpty { batch += try reader.findings(in: rest) }
      try Self.checkIsOne(batch)
      return try body(batch)
    }
    if !readPaths.isEmpty, rest.files.isEmpty, rest.errors.isEmpty { return try body(batch) }
    try reader.read(rest) { findings in
      batch += findings
      guard batch.count >= Self.batch else { return }
      try body(batch)
      batch = []
    }
    if !batch.isEmpty { try body(batch) }
  }

  /// Returns the findings of the databases, the queue, the subscriptions and the playback positions
  /// in a folder, and the paths of the files that need no other reader.
  private func recordFindings(
    in folder: LegacyFolder, _ tools: LegacyTools
  ) throws -> (findings: [LegacyFinding], paths: [FilePath]) {
    let kind = kind ?? .tree
    var findings: [LegacyFinding] = []
    var paths: [FilePath] = []
    var queue: PodboatQueue?
    if let file = PodboatQueue.file(in: folder) {
      do throws(Failure) {
        queue = try PodboatQueue(file)
      } catch {
        findings.append(.refused("\(file.path)", error))
      }
      paths.append(file.path)
    }
    for (file, database) in ForeignDatabase.all(in: folder, of: self.kind) {
      try database.read(file, of: kind, with: tools, queue: queue) { findings += $0 }
      paths.append(file.path)
    }
    findings += try queue?.findings(of: kind) ?? []
    findings += kind == .gpodder ? [] : LegacyFinding.subscriptions(in: folder)
    let positions = WatchLater(in: folder)
    findings += positions.findings(of: kind)
    return (findings, paths + positions.files)
  }

  /// Refuses a single source URL unless there is exactly one partial file.
  private static func checkIsOne(_ findings: [LegacyFinding]) throws(Failure) {
    let count = findings.count { finding in
      if case .episode(let episode) = finding { episode.partial != nil } else { false }
    }
    guard count == 1 else {
      throw Failure(
        .usage, "'--source' is the address of one partial file, and \(count) were found",
        hint: "'--sources' takes a table of paths and addresses")
    }
  }

  /// Returns all findings of the reader.
  ///
  /// - Throws: as `forEachBatch`.
  package func findings(_ tools: LegacyTools) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try forEachBatch(tools) { findings += $0 }
    return findings
  }
}
