import SystemPackage
import VmxModel
import VmxSystem

/// Copies files of the library to a folder. Each is written to a temporary file, which is renamed
/// once it is verified and flushed. A temporary file that replaces an earlier one is renamed only
/// after all files are copied. So if another file of its episode fails, the folder keeps the
/// earlier file.
struct FolderCopy: SourceConsumer {
  /// An open temporary file.
  private final class Draft {
    let path: FilePath
    private let file: OpenFile
    private var offset: Int64 = 0

    init(_ file: consuming OpenFile) {
      path = file.path
      self.file = file
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
      try file.writeBeforeFlush(bytes, at: offset)
      offset += Int64(bytes.count)
    }

    func flush() throws(FileError) { try dataSync(file.descriptor, of: path) }
  }

  private let exported: ExportedFolder
  private var folder: FilePath { exported.path }
  private let files: PlannedFiles
  private let isExported: (String) -> Bool
  private let progress: (Int) -> Void
  private var nextIndex = 0
  private var draft: Draft?
  /// The indices of the files that have their final names.
  private var copied: [Int] = []
  /// The first failure of each episode with a file that could not be copied.
  private(set) var failures: [EpisodeID: Failure] = [:]
  /// The indices of the copied files that will replace an earlier file.
  private var replacing: [Int] = []
  /// The folders whose entries have changed and are not yet flushed.
  private var changedFolders: Set<FilePath> = []

  /// Creates a consumer that copies files.
  ///
  /// - Parameter isExported: returns whether the file at a path may be replaced, since an export
  ///   wrote it.
  init(
    exported: ExportedFolder, files: PlannedFiles, isExported: @escaping (String) -> Bool,
    progress: @escaping (Int) -> Void
  ) {
    self.exported = exported
    self.files = files
    self.isExported = isExported
    self.progress = progress
  }

  private var path: String { files[nextIndex].file.path }

  mutating func begin(_ index: Int) throws {
    self.nextIndex = index
    let made = try exported.makeFolders(above: path)
    changedFolders.formUnion(made.map(\.folder))
    draft = Draft(
      try OpenFile(
        folder.appending(BundleTags.draft(of: path)), .writeOnly, options: [.create, .truncate],
        permissions: .published))
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    try draft?.append(bytes)
    progress(bytes.count)
  }

  mutating func end() throws {
    guard let draft else { return }
    try draft.flush()
    self.draft = nil
    let target = folder.appending(path)
    if isExported(path), try FileFacts.of(target) != nil {
      replacing.append(nextIndex)
    } else if try publish(draft.path, at: target) {
      record(copied: target)
    } else {
      try removeFile(draft.path)
      record(Self.nameTaken(target))
    }
  }

  /// Renames the files that replace an earlier one to their final names, except those of failed
  /// episodes.
  mutating func replace() throws {
    for index in replacing {
      self.nextIndex = index
      let draft = folder.appending(BundleTags.draft(of: path))
      let target = folder.appending(path)
      if failures[files[index].episode] != nil {
        try removeFile(draft)
      } else {
        try renameReplacing(from: draft, to: target)
        record(copied: target)
      }
    }
  }

  /// - Returns: false if another file has the name.
  private func publish(_ draft: FilePath, at target: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      try renameNoReplace(from: draft, to: target)
      return true
    } catch  where error.errno == .fileExists {
      return false
    }
  }

  /// Returns the failure of an episode if a file that no export wrote has one of its names.
  static func nameTaken(_ target: FilePath) -> Failure {
    Failure(
      .nameTaken, "a file that no export wrote is in the way: '\(target)'",
      hint: "move it away, or export to another folder")
  }

  private mutating func record(copied target: FilePath) {
    copied.append(nextIndex)
    changedFolders.insert(target.folder)
  }

  mutating func fail(_ index: Int, _ failure: Failure) throws {
    self.nextIndex = index
    if let draft { try removeFile(draft.path) }
    draft = nil
    record(failure)
  }

  /// The paths of the files that were copied before another file of their episode failed.
  var copiedForFailedEpisodes: Set<String> {
    if failures.isEmpty { return [] }
    return Set(copied.filter { failures[files[$0].episode] != nil }.map { files[$0].file.path })
  }

  /// Removes the temporary files of an update that has failed.
  func discard() {
    let drafts = replacing.map { BundleTags.draft(of: files[$0].file.path) }
    for draft in drafts.map({ folder.appending($0) }) + [draft?.path].compactMap({ $0 }) {
      RegularFile.discard(draft)
    }
  }

  /// Makes the names of the copied files durable.
  func flushFolders() throws(FileError) {
    for folder in changedFolders { try syncFolder(folder) }
  }

  private mutating func record(_ failure: Failure) {
    let episode = files[nextIndex].episode
    failures[episode] = failures[episode] ?? failure
  }
}
