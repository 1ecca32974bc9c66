import CLinux

// The dispatcher compiles this file too, through the plugin DispatcherSources: an Embedded Swift
// executable cannot import a module written in Swift. So this file imports only CLinux. It compares
// text bytewise, since the Unicode tables would make that executable twenty times as large.

/// Finds executables `vmx-NAME` in folders and replaces this process with one.
///
/// Relative and empty entries of the search paths are skipped: the meaning of a name must not
/// depend on the working directory.
struct ToolLauncher {
  /// The program for everything except starting a tool. Its name is not a valid tool name.
  static let companion = "vmx--dispatch"

  /// The folders in the order in which they are searched.
  let folders: [String]
  private let execPath: String?

  /// Creates a launcher.
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
    where !folders.contains(where: { $0.utf8.elementsEqual(folder.utf8) }) {
      folders.append(folder)
    }
    self.folders = folders
    self.execPath = execPath
  }

  /// Whether a text is a valid tool name: `[a-z][a-z0-9-]*`, so never a path.
  static func isName(_ text: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = text.utf8.first, letters.contains(first) else { return false }
    return text.utf8.allSatisfy {
      letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// Returns the executable of a tool; searches only for that name.
  func path(of name: String) -> String? {
    Self.isName(name) ? path(ofProgram: "vmx-\(name)") : nil
  }

  /// Returns the first executable of that file name.
  func path(ofProgram file: String) -> String? {
    for folder in folders {
      let path = "\(folder)/\(file)"
      if linux_is_program(path) != 0 { return path }
    }
    return nil
  }

  /// The first folder that contains the tools of vmx; it is exported to them.
  var ownFolder: String {
    path(ofProgram: Self.companion).map { Self.parent(of: $0) } ?? folders[0]
  }

  /// Exports the tool folder, the version of vmx and the absolute home to the tool.
  func export(version: String) {
    _ = linux_set_variable("VMX_EXEC_PATH", execPath ?? ownFolder)
    _ = linux_set_variable("VMX_VERSION", version)
    if let home = Self.variable("VMX_HOME"), !home.isEmpty {
      _ = linux_set_variable("VMX_HOME", Self.absolute(home))
    }
  }

  /// Replaces this process with a program; returns the error number if that fails.
  ///
  /// - Parameters:
  ///   - path: the executable.
  ///   - name: argument 0.
  ///   - arguments: the other arguments.
  static func exec(
    _ path: String, as name: String, _ arguments: [UnsafePointer<CChar>?]
  ) -> Int32 {
    name.withCString { linux_execute(path, [$0] + arguments + [nil]) }
  }

  /// Returns a variable of the environment; nil if it is not set.
  static func variable(_ name: String) -> String? {
    linux_variable(name).map { String(cString: $0) }
  }

  /// Returns the absolute path; the path itself if the working directory is unknown.
  static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return text { linux_working_folder($0, $1) }.map { "\($0)/\(path)" } ?? path
  }

  /// The executable of this process with links resolved; nil if the system does not provide it.
  static var program: String? { text { linux_program($0, $1) } }

  private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int64) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(linux_longest_path)) { buffer in
      guard let start = buffer.baseAddress, fill(start, Int64(buffer.count)) == 0 else {
        return nil
      }
      return String(cString: start)
    }
  }

  private static func entries(of path: String?) -> [String] {
    (path ?? "").utf8.split(separator: UInt8(ascii: ":"))
      .filter { $0.first == UInt8(ascii: "/") }.map { String(Substring($0)) }
  }

  private static func parent(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }
}
