package import SystemPackage
package import VmxModel
import VmxSystem

/// What the errands at login keep between two logins: the cursor, and the log of what went wrong.
package struct LoginFolder: Sendable {
  /// Bytes that the log may have before its older half goes.
  private static let longestLog = 64 << 10

  private let folder: FilePath
  private let name: String

  /// The folder of a person's state.
  ///
  /// - Parameter home: of the library that is looked at; each has a cursor of its own.
  package init(_ folder: FilePath, of home: FilePath) {
    self.folder = folder
    name = "login-\(Hex.text(of: StableHash.of(home.string))).json"
  }

  private var cursorFile: FilePath { folder.appending(name) }
  private var log: FilePath { folder.appending("clean.log") }

  /// What the last look left.
  ///
  /// - Throws: `FileError` other than that there is no file.
  func cursor() throws(FileError) -> LoginCursor {
    LoginCursor(try Self.contents(of: cursorFile))
  }

  /// Puts a cursor in the place of the last one.
  ///
  /// - Throws: `FileError`.
  func keep(_ cursor: LoginCursor) throws(FileError) {
    try makeFolders(folder)
    try AtomicFile.replace(cursorFile, with: cursor.bytes, durable: false)
  }

  /// Writes down what went wrong; where that is not possible either, there is nobody to tell.
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
      // A home that is full or read-only is told by every other tool.
    }
  }

  /// One line: what a name smuggles in does not look like another line of the log.
  private static func plain(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
  }

  private static func contents(of path: FilePath) throws(FileError) -> [UInt8] {
    guard let facts = try FileFacts.of(path) else { return [] }
    let file = try OpenFile(path, .readOnly)
    var bytes = [UInt8](repeating: 0, count: Int(min(facts.size, 1 << 20)))
    let outcome = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in try file.read(into: buffer, at: 0) }
    }
    return Array(bytes.prefix(try outcome.get()))
  }
}
