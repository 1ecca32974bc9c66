import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The state that a login check saves for the next one: the files that it saw, and the position
/// where it stopped. With it, the next check ends at once if nothing has changed.
struct LoginCursor: Sendable, Equatable {
  /// The state of one file or folder when it was inspected.
  struct FileState: Sendable, Equatable {
    let path: String
    /// The size, modification time and inode; nil if the path had no entry.
    let mark: FileMark?

    init(_ path: String, _ mark: FileMark?) {
      self.path = path
      self.mark = mark
    }

    /// Inspects the path now.
    ///
    /// - Throws: `FileError`.
    init(_ path: FilePath) throws(FileError) {
      self.init(path.string, try FileFacts.of(path).map { FileMark($0) })
    }
  }

  /// The state of the store, and of the markers and folders of the roots, before the check began.
  var seen: [FileState] = []
  /// The time of the next due step if nothing changes; nil for never.
  var next: Timestamp?
  /// The index of the episode with which the next check begins; 0 if the last check was complete.
  var place = 0

  /// Creates the cursor of a user without an earlier check.
  init() {}

  /// Whether no step is due and nothing has changed.
  ///
  /// - Throws: `FileError`.
  func isCurrent(now: Timestamp) throws(FileError) -> Bool {
    guard place == 0, !seen.isEmpty, next.map({ now < $0 }) ?? true else { return false }
    for sight in seen where try FileState(FilePath(sight.path)) != sight { return false }
    return true
  }
}

extension LoginCursor {
  /// Parses the cursor of the last check. An unreadable cursor is treated as if there had been no
  /// earlier check.
  init(_ bytes: [UInt8]) {
    do {
      let object = try JSONParser().parse(bytes).object
      let fields = FieldReader(object ?? JSONObject(), of: "the login cursor")
      place = Int(try fields.natural("place") ?? 0)
      next = try fields.timestamp("next")
      seen = try fields.objects("seen").map { object in
        let fields = FieldReader(object, of: "the login cursor")
        guard let size = try fields.integer("size"), let modified = try fields.integer("modified"),
          let inode = try fields.string("inode").flatMap({ UInt64($0) })
        else { return FileState(try fields.string("path") ?? "", nil) }
        let mark = FileMark(size: size, modified: modified, inode: inode)
        return FileState(try fields.string("path") ?? "", mark)
      }
    } catch {
      self = LoginCursor()
    }
  }

  /// The bytes of the cursor file.
  var bytes: [UInt8] {
    var object = JSONObject()
    object.append("schema", 1)
    object.append("place", .integer(Int64(place)))
    object.append("next", next?.text)
    object.append(
      "seen",
      .array(
        seen.map { sight in
          var object = JSONObject()
          object.append("path", sight.path)
          object.append("size", sight.mark.map { .integer($0.size) })
          object.append("modified", sight.mark.map { .integer($0.modified) })
          object.append("inode", sight.mark.map { .string("\($0.inode)") })
          return .object(object)
        }))
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
