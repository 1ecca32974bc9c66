package import SystemPackage
import VmxJSON
package import VmxModel
package import VmxSystem

/// The files that are named after an episode's id: unfinished parts, their resume data, and the
/// sidecar. Media files have their own names and are not renamed.
package struct EpisodeFiles {
  /// The id that the files have.
  package let id: EpisodeID
  let parts: [Part]
  /// The folders of the roots; unmounted ones are skipped.
  let roots: [FilePath]

  /// Creates the files of an episode's parts in the given roots.
  package init(id: EpisodeID, parts: [Part], roots: [FilePath]) {
    self.id = id
    self.parts = parts
    self.roots = roots
  }

  /// Returns the same files under another id.
  package func renamed(to new: EpisodeID) -> EpisodeFiles {
    EpisodeFiles(id: new, parts: parts, roots: roots)
  }

  /// Renames the existing files for another id; files that already have the new name are kept.
  /// Durable on return, so that a record which is written afterwards never refers to bytes under
  /// the old names.
  ///
  /// The sidecar is copied, not moved: until the record has the new id, a removal needs the old
  /// sidecar, which names the NFO file.
  ///
  /// - Parameters:
  ///   - record: the fields that the episode gets with its id, for the sidecar; nil if they are the
  ///     same. Evaluated only if there is a sidecar.
  ///   - isDurable: whether it is durable on return; if not, the caller flushes the roots.
  package func rename(
    to new: EpisodeID, record: @autoclosure () -> JSONObject? = nil, isDurable: Bool = true
  ) throws(FileError) {
    for root in roots {
      for part in parts {
        let old = PartFiles(root: root, episode: id, part: part)
        let next = PartFiles(root: root, episode: new, part: part)
        try Self.move(old.partial, to: next.partial)
        try Self.move(old.rejectedFile, to: next.rejectedFile)
        try Self.move(old.convertedFile, to: next.convertedFile)
        if try Self.copy(old.resume, to: next.resume, key: "episode", new, isDurable: isDurable) {
          try removeFile(old.resume)
        }
      }
      try Self.copy(
        root.appending(LibraryLayout.sidecar(of: id)),
        to: root.appending(LibraryLayout.sidecar(of: new)), key: "id", new, record: record(),
        isDurable: isDurable)
      guard isDurable else { continue }
      let folder = root.appending(LibraryLayout.Folder.partial.path)
      if isFolder(folder) { try syncFolder(folder) }
    }
  }

  /// Removes the sidecars of this id, which `rename` has copied.
  package func removeSidecars() throws(FileError) {
    for root in roots { try RegularFile.remove(root.appending(LibraryLayout.sidecar(of: id))) }
  }

  private static func move(_ old: FilePath, to new: FilePath) throws(FileError) {
    do throws(FileError) {
      try renameReplacing(from: old, to: new)
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw error }
    }
  }

  /// Copies a file to the other name and changes the id in its first line; a file whose first line
  /// is not a JSON object is copied unchanged. Durable on return: the old file is removed next, and
  /// a power cut must not lose both.
  ///
  /// - Returns: whether the file existed.
  @discardableResult
  private static func copy(
    _ old: FilePath, to new: FilePath, key: String, _ id: EpisodeID,
    record: @autoclosure () -> JSONObject? = nil, isDurable: Bool
  ) throws(FileError) -> Bool {
    guard let size = try RegularFile.size(of: old) else { return false }
    let bytes = try RegularFile.prefix(of: old, upTo: Int(size.bytes))
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    var text: [UInt8] = []
    if var object = JSONParser().object(in: Array(first)) {
      object[key] = .string(id.description)
      if object["record"] != nil, let record = record() { object["record"] = .object(record) }
      JSONWriter.append(object, to: &text)
      text.append(contentsOf: bytes[first.endIndex...])
    } else {
      text = bytes
    }
    // Durable before the old file is removed: a power cut must not leave a name without its bytes.
    try AtomicFile.replace(new, with: text, durable: isDurable)
    return true
  }
}
