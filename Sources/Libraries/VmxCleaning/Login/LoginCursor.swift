import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// What a look at login saw, and where it has to go on: small enough that the next login is over
/// at once where nothing has changed.
struct LoginCursor: Sendable, Equatable {
  /// One file or folder as it was seen.
  struct Sight: Sendable, Equatable {
    let path: String
    /// Nil where nothing stood there.
    let mark: FileMark?

    init(_ path: String, _ mark: FileMark?) {
      self.path = path
      self.mark = mark
    }

    /// Looks now.
    ///
    /// - Throws: `FileError`.
    init(_ path: FilePath) throws(FileError) {
      self.init(path.string, try FileFacts.of(path).map { FileMark($0) })
    }
  }

  /// The store, and the marks and folders of the roots, as they were when the look began.
  var seen: [Sight] = []
  /// When something falls due though nothing changes; nil for never.
  var next: Timestamp?
  /// The episode with which the next look begins; 0 where the last one came to the end.
  var place = 0

  /// A cursor of somebody who has not looked yet.
  init() {}

  /// Whether nothing is to be done.
  ///
  /// - Throws: `FileError`.
  func isCurrent(now: Timestamp) throws(FileError) -> Bool {
    guard place == 0, !seen.isEmpty, next.map({ now < $0 }) ?? true else { return false }
    for sight in seen where try Sight(FilePath(sight.path)) != sight { return false }
    return true
  }
}

extension LoginCursor {
  /// Reads what a look left; what cannot be read is as if nobody had looked.
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
        else { return Sight(try fields.string("path") ?? "", nil) }
        let mark = FileMark(size: size, modified: modified, inode: inode)
        return Sight(try fields.string("path") ?? "", mark)
      }
    } catch {
      self = LoginCursor()
    }
  }

  /// The text of its file.
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
