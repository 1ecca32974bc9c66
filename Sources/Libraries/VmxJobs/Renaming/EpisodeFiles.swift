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
  func rename(to new: EpisodeID) throws(FileError) {
    for root in roots {
      for part in parts {
        let old = PartFiles(root: root, episode: id, part: part)
        let next = PartFiles(root: root, episode: new, part: part)
        try Self.move(old.partial, to: next.partial)
        try Self.move(old.aside, to: next.aside)
        try Self.move(old.made, to: next.made)
        try Self.readdress(old.resume, to: next.resume, key: "episode", new)
      }
      try Self.readdress(
        Sidecar.path(of: id, below: root), to: Sidecar.path(of: new, below: root), key: "id", new)
      let folder = PartFiles.folder(below: root)
      if isFolder(folder) { try syncFolder(folder) }
    }
  }

  private static func move(_ old: FilePath, to new: FilePath) throws(FileError) {
    do throws(FileError) {
      try renameReplacing(from: old, to: new)
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw error }
    }
  }

  /// Writes a file anew under the other name, with the id in its first line changed too; one
  /// whose first line is no JSON object names nobody and is only moved.
  private static func readdress(
    _ old: FilePath, to new: FilePath, key: String, _ id: EpisodeID
  ) throws(FileError) {
    guard let size = try MediaFile.size(of: old) else { return }
    let bytes = try MediaFile.prefix(of: old, upTo: Int(size.bytes))
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard var object = object(in: Array(first)) else { return try move(old, to: new) }
    object[key] = .string(id.description)
    var text: [UInt8] = []
    JSONWriter.append(object, to: &text)
    text.append(contentsOf: bytes[first.endIndex...])
    try AtomicFile.replace(new, with: text, durable: false)
    try removeFile(old)
  }

  private static func object(in bytes: [UInt8]) -> JSONObject? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(bytes).object
    } catch {
      return nil
    }
  }
}
