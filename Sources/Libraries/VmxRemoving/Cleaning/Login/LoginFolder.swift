package import SystemPackage
package import VmxModel
import VmxSystem

/// The files that the login work keeps between two logins: the cursor and the error log.
package struct LoginFolder: Sendable {
  /// The size of the log in bytes from which its older half is dropped.
  private static let longestLog = 64 << 10

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
    LoginCursor(try Self.contents(of: cursorFile))
  }

  /// Replaces the cursor file.
  ///
  /// - Throws: `FileError`.
  func keep(_ cursor: LoginCursor) throws(FileError) {
    try makeFolders(folder)
    try AtomicFile.replace(cursorFile, with: cursor.bytes, durable: false)
  }

  /// Appends errors to the log. An error of this write is ignored, because there is no place left
  /// to report it.
  package func report(_ failures: [Failure], at now: Timestamp) {
    guard !failures.isEmpty else { return }
    let lines = failures.map { failure in
      "\(now.text) error[\(failure.code.rawValue)]: \(Self.plain(failure.summary))\n"
    }
    do throws(FileError) {
      try makeFolders(folder)
      var bytes = try Self.contents(of: log) + Array(lines.joined().utf8)
      if bytes.count > Self.longestLog {
        let half = bytes.suffix(Self.longestLog / 2)
        bytes = Array(half.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
      }
      try AtomicFile.replace(log, with: bytes, durable: false)
    } catch {
      // Every other tool reports a home that is full or read-only.
    }
  }

  /// Returns the text as one line, so that a crafted file name cannot forge another line of the
  /// log.
  private static func plain(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
  }

  private static func contents(of path: FilePath) throws(FileError) -> [UInt8] {
    guard let facts = try FileFacts.of(path) else { return [] }
    return try OpenFile(path, .readOnly).read(Int(min(facts.size, 1 << 20)), at: 0)
  }
}
