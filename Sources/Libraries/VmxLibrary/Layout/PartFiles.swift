package import SystemPackage
package import VmxModel
package import VmxSystem

/// The paths of a part's unfinished files below a root.
///
/// The names contain the claim offset, so that the process which holds the claim owns the files.
/// The resume data names its episode, since two ids may share an offset.
package struct PartFiles: Sendable, Equatable {
  /// The partial file.
  package let partial: FilePath
  /// Whether a converted form of the bytes may exist; only subtitles are converted.
  private let canBeConverted: Bool

  /// Creates the paths of a part of an episode below the root's folder.
  package init(root: FilePath, episode: EpisodeID, part: Part) {
    self.init(root: root, episode: episode, name: part.name, canBeConverted: part.role == .subtitle)
  }

  /// Creates the paths of a part by its name.
  package init(root: FilePath, episode: EpisodeID, name part: String, canBeConverted: Bool = false)
  {
    self.canBeConverted = canBeConverted
    partial = root.appending(LibraryLayout.partial(of: episode, part: part))
  }

  /// The resume data: the same name with `.json`.
  package var resume: FilePath { partial(with: ".json") }
  /// The rejected bytes: with `.aside`.
  package var rejectedFile: FilePath { partial(with: ".aside") }
  /// The converted bytes, to be kept instead of the received ones: with `.made`.
  package var convertedFile: FilePath { partial(with: ".made") }

  private func partial(with ending: String) -> FilePath {
    partial.removingLastComponent().appending((partial.lastComponent?.string ?? "") + ending)
  }
}

extension PartFiles {
  /// Renames a complete file on the same file system to the part's partial file; the caller holds
  /// the claim.
  package func adopt(whole file: FilePath) throws(FileError) {
    try RegularFile.remove(resume)
    try renameReplacing(from: file, to: partial)
  }

  /// Removes the resume data and the converted file of a part that has its final name.
  func removeResumeData() throws(FileError) {
    try RegularFile.remove(resume)
    if canBeConverted { try RegularFile.remove(convertedFile) }
  }

  /// Removes bytes that no fetch resumes from, and their resume data.
  package func discard() throws(FileError) {
    try removeResumeData()
    try RegularFile.remove(partial)
  }

  /// Renames rejected bytes to `….part.aside`, replacing earlier ones, so that the next fetch
  /// starts from zero.
  func reject() throws(FileError) {
    try removeResumeData()
    if try RegularFile.size(of: partial) != nil {
      try renameReplacing(from: partial, to: rejectedFile)
    }
  }
}

/// The paths of a part's bytes in any stage: its root, its partial file, its final file.
package struct PartLocation: Sendable {
  /// The root that holds or will hold it.
  package let root: MediaRoot
  /// Its partial file and resume data.
  package let files: PartFiles
  private let path: String?

  /// Creates the location of a part in its recorded root, or in the root for new files.
  ///
  /// - Throws: `root-away` or `root-foreign`.
  package init(of work: EpisodePart, on mediaRoots: MediaRoots) throws {
    let part = work.part
    root = try part.root.map { try mediaRoots.root($0) } ?? mediaRoots.forNewFiles()
    files = PartFiles(root: root.folder, episode: work.episode.id, part: part)
    path = part.path
  }

  /// Creates the folder of the partial file in the root, if it is missing.
  ///
  /// - Throws: `root-away` or `root-foreign`, and errors of the file system.
  package func makeFolder() throws { try root.makeFolders(files.partial.folder) }

  /// The final file, if the record names one.
  package var final: FilePath? { path.map { root.folder.appending($0) } }

  /// Returns the file that holds the bytes: the partial one, or after a crash the final one.
  private func presentFile() throws -> FilePath? {
    if try RegularFile.size(of: files.partial) != nil { return files.partial }
    if let final, try RegularFile.size(of: final) != nil { return final }
    return nil
  }

  /// Returns the file that holds the bytes.
  ///
  /// - Throws: `part-lost` if it does not exist.
  func completeFile() throws -> FilePath {
    if let file = try presentFile() { return file }
    throw partLost
  }

  /// The failure of a part whose bytes are neither in the partial file nor published.
  var partLost: Failure {
    Failure(
      .partLost, "the received bytes are missing: '\(files.partial.lastComponent?.string ?? "")'")
  }
}
