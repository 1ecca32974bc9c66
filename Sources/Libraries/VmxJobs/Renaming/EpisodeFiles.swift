import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The files that are named after an episode's id: unfinished parts, what is known of them, and
/// the sidecar. Media have names of their own and stay where they are.
struct EpisodeFiles {
  let id: EpisodeID
  let parts: [Part]
  /// Folders of the roots; those that are away are passed over.
  let roots: [FilePath]

  /// The same files under another id.
  func renamed(to new: EpisodeID) -> EpisodeFiles {
    EpisodeFiles(id: new, parts: parts, roots: roots)
  }

  /// Gives the files that are there the names of another id; those that have them already stay.
  /// Durable on return, so that a record that follows never leads to bytes that are elsewhere.
  ///
  /// The sidecar is copied: until the record has the other id, a removal needs the one that names
  /// the NFO file by the id of the record.
  func rename(to new: EpisodeID) throws(FileError) {
    for root in roots {
      for part in parts {
        let old = PartFiles(root: root, episode: id, part: part)
        let next = PartFiles(root: root, episode: new, part: part)
        try Self.move(old.partial, to: next.partial)
        try Self.move(old.aside, to: next.aside)
        try Self.move(old.made, to: next.made)
        if try Self.copy(old.resume, to: next.resume, key: "episode", new) {
          try removeFile(old.resume)
        }
      }
      try Self.copy(
        Sidecar.path(of: id, below: root), to: Sidecar.path(of: new, below: root), key: "id", new)
      let folder = PartFiles.folder(below: root)
      if isFolder(folder) { try syncFolder(folder) }
    }
  }

  /// Removes the sidecars, which other ones have replaced.
  func removeSidecars() throws(FileError) {
    for root in roots { try MediaFile.remove(Sidecar.path(of: id, below: root)) }
  }

  private static func move(_ old: FilePath, to new: FilePath) throws(FileError) {
    do throws(FileError) {
      try renameReplacing(from: old, to: new)
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw error }
    }
  }

  /// Writes a file anew under the other name, with the id in its first line changed too; the bytes
  /// of one whose first line is no JSON object stay as they are. Durable on return: the old file is
  /// removed next, and a power cut must not take both.
  ///
  /// - Returns: whether there was a file.
  @discardableResult
  private static func copy(
    _ old: FilePath, to new: FilePath, key: String, _ id: EpisodeID
  ) throws(FileError) -> Bool {
    guard let size = try MediaFile.size(of: old) else { return false }
    let bytes = try MediaFile.prefix(of: old, upTo: Int(size.bytes))
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    var text: [UInt8] = []
    if var object = object(in: Array(first)) {
      object[key] = .string(id.description)
      JSONWriter.append(object, to: &text)
      text.append(contentsOf: bytes[first.endIndex...])
    } else {
      text = bytes
    }
    // Before the old file goes: a power cut must not leave a name for bytes that are not there.
    try AtomicFile.replace(new, with: text, durable: true)
    return true
  }

  private static func object(in bytes: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(bytes).object
    } catch {
      return nil
    }
  }
}
