package import SystemPackage
package import VmxModel
package import VmxSystem

/// Where the unfinished bytes of a part lie below a root.
///
/// The names come from the claim offset, so that whoever holds the claim owns the files; the
/// resume data names its episode, since two ids may share an offset.
package struct PartFiles: Sendable, Equatable {
  /// The bytes: `.vmx/partial/<16 hex>-<part>.part`.
  package let partial: FilePath
  private let folder: FilePath
  private let name: String
  /// Whether another form of the bytes may have been made, which no other role has.
  private let mayBeMade: Bool

  /// The files of a part of an episode below the root's folder.
  package init(root: FilePath, episode: EpisodeID, part: Part) {
    self.init(root: root, episode: episode, name: part.name, mayBeMade: part.role == .subtitle)
  }

  /// The files of a part by its name.
  init(root: FilePath, episode: EpisodeID, name part: String, mayBeMade: Bool = false) {
    folder = Self.folder(below: root)
    self.mayBeMade = mayBeMade
    let part = part.replacing(":", with: "-")
    name = "\(Hex.text(of: UInt64(episode.claimOffset)))-\(part).part"
    partial = folder.appending(name)
  }

  /// What is known of the bytes: the same name with `.json`.
  package var resume: FilePath { folder.appending(name + ".json") }
  /// Bytes that turned out not to be the right ones: with `.aside`.
  var aside: FilePath { folder.appending(name + ".aside") }
  /// Bytes made of those that came, to be kept in their place: with `.made`.
  var made: FilePath { folder.appending(name + ".made") }

  /// The folder of all unfinished parts of a root.
  package static func folder(below root: FilePath) -> FilePath {
    root.appending(".vmx").appending("partial")
  }
}

extension PartFiles {
  /// Makes a whole file on the same file system the part's partial file, for whoever holds the
  /// claim.
  package func take(whole file: FilePath) throws(FileError) {
    try MediaFile.remove(resume)
    try renameReplacing(from: file, to: partial)
  }

  /// Forgets what was known of a part that has its final name.
  func forget() throws(FileError) {
    try MediaFile.remove(resume)
    if mayBeMade { try MediaFile.remove(made) }
  }

  /// Removes bytes that no fetch goes on with, and what is known of them.
  package func drop() throws(FileError) {
    try forget()
    try MediaFile.remove(partial)
  }

  /// Puts bytes that are not the right ones aside as `….part.aside`, replacing those put aside
  /// before, so that the next fetch starts afresh.
  func setAside() throws(FileError) {
    try forget()
    if try MediaFile.size(of: partial) != nil { try renameReplacing(from: partial, to: aside) }
  }
}

extension String {
  fileprivate func replacing(_ character: Character, with other: Character) -> String {
    String(map { $0 == character ? other : $0 })
  }
}
