import SystemPackage
import VmxJSON
package import VmxModel

/// The content of one folder of the trash: the files of a journal entry, and their former paths.
package struct TrashEntry: Sendable, Equatable {
  /// One file.
  package struct File: Sendable, Equatable {
    /// Its former path, below the root.
    package let path: PathBytes
    /// Its name in the entry's folder.
    package let name: String
    /// Its size in bytes.
    package var size: Int64
  }

  /// The name of its folder.
  package let name: String
  /// The time when its journal entry began.
  package let at: Timestamp
  /// The id of its journal entry.
  package let step: String
  /// Its files.
  package var files: [File] = []
  /// The journal entry as stored, so that the trash remains usable if the store is lost.
  package let journalEntry: JSONObject

  /// The id of the episode that its files belong to; nil for a loose file.
  package var episode: EpisodeID? {
    journalEntry["episode"]?.string.flatMap { EpisodeID(valid: $0) }
  }

  /// The total size of its files in bytes.
  package var bytes: Int64 { files.map(\.size).clampedSum() }

  /// Creates an entry without files for a journal entry.
  package init(of journalEntry: JournalEntry) {
    name = journalEntry.trashName
    at = journalEntry.run.at
    step = journalEntry.id
    self.journalEntry = journalEntry.content
  }

  /// Returns a name in the folder for a file: its own, unless another file has that.
  package func freeName(for path: PathBytes) -> String {
    let taken = Set(files.map(\.name))
    let own = path.text?.split(separator: "/").last.map(String.init)
    if let own, own != LibraryLayout.trashList, !taken.contains(own) { return own }
    return (0...).lazy.map { "\($0)" }.first { !taken.contains($0) } ?? ""
  }
}

extension TrashEntry {
  /// Reads the list; nil for bytes that are not a valid list.
  package init?(reading bytes: [UInt8], named name: String) {
    guard let object = JSONParser().object(in: bytes), let step = object["step"]?.string,
      let journalEntry = object["row"]?.object,
      let at = journalEntry["when"]?.string.flatMap({ Timestamp($0) }),
      let list = object["files"]?.array
    else { return nil }
    self.name = name
    self.step = step
    self.at = at
    self.journalEntry = journalEntry
    for file in list {
      guard let file = file.object.flatMap({ File($0) }) else { return nil }
      files.append(file)
    }
  }

  /// The content of the list file.
  package var list: [UInt8] {
    var object = JSONObject()
    object.append("schema", 1)
    object.append("step", step)
    object.append("files", .array(files.map { .object($0.record) }))
    object.append("row", .object(journalEntry))
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

extension TrashEntry.File {
  /// Reads one file of the list; nil for a path that leaves the root, or a name with more than one
  /// component.
  package init?(_ object: JSONObject) {
    guard let name = object["name"]?.string, let size = object["size"]?.integer,
      let path = object.path("path"), path.isNormalised, PathBytes(name).isNormalised,
      FilePath(name).components.count == 1,
      FilePath(name).lastComponent?.kind == .regular
    else { return nil }
    self.path = path
    self.name = name
    self.size = max(0, size)
  }

  package var record: JSONObject {
    var object = JSONObject()
    object.append("path", path)
    object.append("name", name)
    object.append("size", .integer(size))
    return object
  }
}
