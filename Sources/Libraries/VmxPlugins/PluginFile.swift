import CLinux
import Glibc
import SystemPackage
import VmxModel
import VmxSystem

/// The file of a plugin, as far as it can be judged without running it.
struct PluginFile {
  /// The number of bytes that are read from the head of a file.
  static let headLength = 4096

  private let path: String
  private let status: stat

  /// Inspects the file at a path, following links; nil if it does not exist.
  init?(_ path: String) {
    guard let status = Self.status(of: path) else { return nil }
    self.path = path
    self.status = status
  }

  /// Whether a path leads to a regular file.
  static func isRegular(_ path: String) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// The numbers that distinguish a file from all others, by whatever path it was found.
  struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// Returns the identity of the file at a path; nil if there is none.
  static func identity(of path: String) -> Identity? {
    status(of: path).map { Identity(device: UInt64($0.st_dev), inode: UInt64($0.st_ino)) }
  }

  /// The size in bytes and the time of the last change in nanoseconds: both differ after nearly
  /// every change of the file.
  var version: String { Self.version(of: status) }

  /// The same of the file at a path; empty if there is none.
  static func version(of path: String) -> String { status(of: path).map(version) ?? "" }

  /// The first bytes; empty if the file cannot be read.
  var head: [UInt8] {
    do throws(FileError) {
      return try OpenFile(FilePath(path), .readOnly, followingLinks: true)
        .read(Self.headLength, at: 0)
    } catch {
      return []
    }
  }

  /// Whether users other than this one and root can change the file or replace it: one of them owns
  /// it or its folder, or everybody may write to it or to its folder. In a folder with the sticky
  /// bit only the owner of a file replaces it.
  var isWritableByOthers: Bool {
    let folder = FilePath(path).removingLastComponent().string
    guard let folder = Self.status(of: folder) else { return false }
    let isSticky = folder.st_mode & S_ISVTX != 0
    return Self.isForeign(status) || status.st_mode & S_IWOTH != 0
      || Self.isForeign(folder) || folder.st_mode & S_IWOTH != 0 && !isSticky
  }

  /// Returns the program that the first line of a script names, if it does not exist; nil if it
  /// exists, and for a file without such a line.
  ///
  /// For `env` the program is the one that `env` finds on the search path.
  ///
  /// - Parameters:
  ///   - head: the first bytes of the file.
  ///   - searchPath: the folders of `PATH`.
  static func missingInterpreter(in head: [UInt8], searchPath: [String]) -> String? {
    guard head.starts(with: "#!".utf8) else { return nil }
    let line = String(decoding: head.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    // The system runs a script whose line is empty as one without such a line.
    guard let interpreter = words.first else { return nil }
    guard linux_is_program(interpreter) != 0 else { return interpreter }
    guard interpreter.split(separator: "/").last == "env" else { return nil }
    guard let program = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") })
    else { return nil }
    let isFound =
      program.contains("/")
      ? linux_is_program(program) != 0
      : searchPath.contains { linux_is_program("\($0)/\(program)") != 0 }
    return isFound ? nil : program
  }

  private static func isForeign(_ status: stat) -> Bool {
    status.st_uid != 0 && status.st_uid != geteuid()
  }

  private static func version(of status: stat) -> String {
    "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
