import Glibc
import SystemPackage
import VmxModel
import VmxSystem

/// Searches folders for executables `vmx-NAME`; the first hit wins, and nothing is executed.
///
/// Relative and empty entries of the search paths are skipped: the meaning of a name must not
/// depend on the working directory.
struct ToolFinder {
  /// An executable with a tool's name.
  struct Hit: Equatable {
    let name: String
    let path: String
    /// The path of the executable that precedes it; nil for the first hit.
    var hiddenBy: String?
  }

  /// The folders in the order in which they are searched.
  let folders: [String]

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - execPath: the folders that are searched first, joined by colons.
  ///   - executable: the real path of the dispatcher.
  ///   - searchPath: `PATH`.
  init(execPath: String?, executable: String, searchPath: String?) {
    let home = Self.parent(of: executable)
    let own = [Self.parent(of: home) + "/libexec/vmx", home.isEmpty ? "/" : home]
    var folders: [String] = []
    for folder in Self.entries(of: execPath) + own + Self.entries(of: searchPath)
    where !folders.contains(folder) {
      folders.append(folder)
    }
    self.folders = folders
  }

  /// Whether a text is a valid tool name: `[a-z][a-z0-9-]*`, so never a path.
  static func isName(_ text: some StringProtocol) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = text.utf8.first, letters.contains(first) else { return false }
    return text.utf8.allSatisfy {
      letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// Returns the executable of a tool; searches only for that name.
  func path(of name: String) -> String? {
    guard Self.isName(name) else { return nil }
    for folder in folders {
      let path = "\(folder)/vmx-\(name)"
      if Self.isExecutable(path) { return path }
    }
    return nil
  }

  /// Returns the target of a link of vmx, for a link that is not installed.
  func path(ofLink name: String) -> String? {
    Toolbox.link(named: name)?.target.flatMap { path(of: $0) }
  }

  /// The first folder that has tools of vmx; it is exported to them.
  var ownFolder: String {
    folders.first { folder in
      Toolbox.tools.contains { Self.isExecutable("\(folder)/vmx-\($0.name)") }
    } ?? folders[0]
  }

  /// Returns every executable with a tool's name, sorted by name; a hidden one follows the one that
  /// hides it.
  func all() -> [Hit] {
    var hits: [Hit] = []
    for folder in folders {
      for name in Self.names(in: folder) {
        let first = hits.first { $0.name == name }
        hits.append(Hit(name: name, path: "\(folder)/vmx-\(name)", hiddenBy: first?.path))
      }
    }
    return hits.enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
  }

  /// Returns the tool names in a folder; a missing or unreadable folder has none.
  private static func names(in folder: String) -> [String] {
    var names: [String] = []
    do throws(FileError) {
      let open = try OpenFolder(FilePath(folder), followingLinks: true)
      while let entry = try open.next() {
        let file = String(decoding: entry.name, as: UTF8.self)
        guard file.hasPrefix("vmx-"), isName(file.dropFirst(4)),
          isExecutable("\(folder)/\(file)")
        else { continue }
        names.append(String(file.dropFirst(4)))
      }
    } catch {}
    return names
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }

  private static func entries(of path: String?) -> [String] {
    (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
