package import SystemPackage
package import VmxModel
import VmxSystem

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

  /// The final file, where the record names one.
  package var final: FilePath? { path.map { root.folder.appending($0) } }

  /// The file that holds the bytes: the partial one, or behind a crash the final one.
  private func presentFile() throws -> FilePath? {
    if try RegularFile.size(of: files.partial) != nil { return files.partial }
    if let final, try RegularFile.size(of: final) != nil { return final }
    return nil
  }

  /// Returns the file that holds the bytes.
  ///
  /// - Throws: `part-lost` if it does not exist.
  func wholeFile() throws -> FilePath {
    if let file = try presentFile() { return file }
    throw lost
  }

  /// The failure of a part whose bytes are neither in the partial file nor published.
  var lost: Failure {
    Failure(
      .partLost, "the fetched bytes are gone: '\(files.partial.lastComponent?.string ?? "")'")
  }
}
