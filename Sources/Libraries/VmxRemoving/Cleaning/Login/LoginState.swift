package import SystemPackage
import VmxJSON
package import VmxModel
import VmxSystem

/// The files that the login work keeps between two logins: the cursor and the error log.
package struct LoginState: Sendable {
  /// The size of the log in bytes above which its older half is dropped.
  private static let maxLogBytes = 64 << 10

  /// The maximum number of bytes to read from a file.
  private static let maxBytes = 1 << 20

  private let folder: FilePath
  private let name: String

  /// Uses the folder of the user's state.
  ///
  /// - Parameter home: the library to check; each library has its own cursor.
  package init(_ folder: FilePath, of home: FilePath) {
    self.folder = folder
    name = "login-\(Hex.text(of: StableHash.of(home.string))).json"
  }

  private var cursorFile: FilePath { folder.appending(name) }
  private var log: FilePath { folder.appending("clean.log") }

  /// Reads the cursor of the last check.
  ///
  /// - Throws: `FileError`, except if the file does not exist.
  func cursor() throws(FileError) -> LoginCursor {
    LoginCursor(try RegularFile.prefixIfPresent(of: cursorFile, upTo: Self.maxBytes) ?? [])
  }

  /// Replaces the cursor file.
  ///
  /// - Throws: `FileError`.
  func save(_ cursor: LoginCursor) throws(FileError) {
    try makeFolders(folder)
    try AtomicFile.replace(cursorFile, with: cursor.bytes, durable: false)
  }

  /// Appends errors to the log. An error of this write is ignored, because it cannot be reported
  /// anywhere.
  package func report(_ failures: [Failure], at now: Timestamp) {
    guard !failures.isEmpty else { return }
    let lines = failures.map { failure in
      "\(now.text) error[\(failure.code.rawValue)]: \(Self.singleLine(failure.summary))\n"
    }
    do throws(FileError) {
      try makeFolders(folder)
      var bytes =
        try (RegularFile.prefixIfPresent(of: log, upTo: Self.maxBytes) ?? [])
        + Array(lines.joined().utf8)
      if bytes.count > Self.maxLogBytes {
        let half = bytes.suffix(Self.maxLogBytes / 2)
        bytes = Array(half.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
      }
      try AtomicFile.replace(log, with: bytes, durable: false)
    } catch {
      // Every other tool reports a home that is full or read-only.
    }
  }

  /// Returns the text as one line, so that a crafted file name cannot forge another line of the
  /// log.
  private static func singleLine(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
  }
}

/// The state that a login check saves for the next one: the files that it inspected, and the
/// position where it stopped. With it, the next check ends at once if nothing has changed.
struct LoginCursor: Sendable, Equatable {
  /// The state of one file or folder when it was inspected.
  struct PathState: Sendable, Equatable {
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
  var seen: [PathState] = []
  /// The time of the next due step if nothing changes; nil for never.
  var next: Timestamp?
  /// The index of the episode with which the next check begins; 0 if the last check was complete.
  var index = 0

  /// Creates the cursor of a user without an earlier check.
  init() {}

  /// Whether no step is due and nothing has changed.
  ///
  /// - Throws: `FileError`.
  func isCurrent(now: Timestamp) throws(FileError) -> Bool {
    guard index == 0, !seen.isEmpty, next.map({ now < $0 }) ?? true else { return false }
    for state in seen where try PathState(FilePath(state.path)) != state { return false }
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
      index = Int(try fields.natural("place") ?? 0)
      next = try fields.timestamp("next")
      seen = try fields.objects("seen").map { object in
        let fields = FieldReader(object, of: "the login cursor")
        guard let size = try fields.integer("size"), let modified = try fields.integer("modified"),
          let inode = try fields.string("inode").flatMap({ UInt64($0) })
        else { return PathState(try fields.string("path") ?? "", nil) }
        let mark = FileMark(size: size, modified: modified, inode: inode)
        return PathState(try fields.string("path") ?? "", mark)
      }
    } catch {
      self = LoginCursor()
    }
  }

  /// The bytes of the cursor file.
  var bytes: [UInt8] {
    var object = JSONObject()
    object.append("schema", 1)
    object.append("place", .integer(Int64(index)))
    object.append("next", next?.text)
    object.append(
      "seen",
      .array(
        seen.map { state in
          var object = JSONObject()
          object.append("path", state.path)
          object.append("size", state.mark.map { .integer($0.size) })
          object.append("modified", state.mark.map { .integer($0.modified) })
          object.append("inode", state.mark.map { .string("\($0.inode)") })
          return .object(object)
        }))
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
