import SystemPackage
import VmxJSON
package import VmxModel

/// What lies in one folder of the trash: the files of a row, and where they were.
package struct TrashEntry: Sendable, Equatable {
  /// One file.
  struct File: Sendable, Equatable {
    /// Where it was, below the root.
    let path: PathBytes
    /// Its name in the entry's folder.
    let name: String
    /// Bytes in it.
    var size: Int64
  }

  /// The name of its folder.
  package let name: String
  /// When its row began.
  package let at: Timestamp
  /// The id of its row.
  package let step: String
  var files: [File] = []
  /// The row as the store has it, for whoever has lost the store.
  let row: JSONObject

  /// The episode whose files it has; nil for a file that belongs to none.
  var episode: EpisodeID? { row["episode"]?.string.flatMap { EpisodeID(valid: $0) } }

  /// Bytes of its files.
  package var bytes: Int64 { files.map(\.size).clampedSum() }

  init(of row: JournalEntry) {
    name = row.trashName
    at = row.run.at
    step = row.id
    self.row = row.fields
  }

  /// A name in the folder for a file that was at a path: its own, unless another has that.
  func freeName(for path: PathBytes) -> String {
    let taken = Set(files.map(\.name))
    let own = path.text?.split(separator: "/").last.map(String.init)
    if let own, own != Self.listName, !taken.contains(own) { return own }
    return (0...).lazy.map { "\($0)" }.first { !taken.contains($0) } ?? ""
  }
}

extension TrashEntry {
  /// The name of the file that lists the others.
  package static let listName = "entry.json"

  /// Reads the list; nil for a text that is none.
  init?(reading bytes: [UInt8], named name: String) {
    let object: JSONObject?
    do throws(JSONSyntaxError) { object = try JSONParser().parse(bytes).object } catch {
      return nil
    }
    guard let object, let step = object["step"]?.string,
      let row = object["row"]?.object, let at = row["when"]?.string.flatMap({ Timestamp($0) }),
      let list = object["files"]?.array
    else { return nil }
    self.name = name
    self.step = step
    self.at = at
    self.row = row
    for file in list {
      guard let file = file.object.flatMap({ File($0) }) else { return nil }
      files.append(file)
    }
  }

  /// The list as a file.
  var list: [UInt8] {
    var object = JSONObject()
    object.append("schema", 1)
    object.append("step", step)
    object.append("files", .array(files.map { .object($0.record) }))
    object.append("row", .object(row))
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

extension TrashEntry.File {
  /// Refuses a path that leads out of the root, and a name that is more than a name.
  init?(_ object: JSONObject) {
    guard let name = object["name"]?.string, let size = object["size"]?.integer,
      let path = object.path("path"), path.isBelow, PathBytes(name).isBelow,
      FilePath(name).components.count == 1,
      FilePath(name).lastComponent?.kind == .regular
    else { return nil }
    self.path = path
    self.name = name
    self.size = max(0, size)
  }

  var record: JSONObject {
    var object = JSONObject()
    object.append("path", path)
    object.append("name", name)
    object.append("size", .integer(size))
    return object
  }
}
