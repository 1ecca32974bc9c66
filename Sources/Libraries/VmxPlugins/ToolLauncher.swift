import CLinux

// The dispatcher compiles this file too, through the plugin DispatcherSources: an Embedded Swift
// executable cannot import a module written in Swift. So this file imports only CLinux, and the
// module of the file that is compiled beside it there. It compares text bytewise, since the Unicode
// tables would make that executable twenty times as large.
#if !hasFeature(Embedded)
  import VmxSystem
#endif

/// Finds executables `vmx-NAME` in folders and replaces this process with one.
///
/// Relative and empty entries of the search paths are skipped: the meaning of a name must not
/// depend on the working directory.
package struct ToolLauncher {
  /// The program for everything except starting a tool. Its name is not a valid tool name.
  package static let companion = "vmx--dispatch"

  /// The folders in the order in which they are searched.
  package let folders: [String]
  private let execPath: String?
  private let home: String

  /// Creates a launcher.
  ///
  /// - Parameters:
  ///   - execPath: the folders that are searched first, joined by colons.
  ///   - executable: the real path of the dispatcher.
  ///   - searchPath: `PATH`.
  package init(execPath: String?, executable: String, searchPath: String?) {
    let home = Self.parent(of: executable)
    let own = [Self.parent(of: home) + "/libexec/vmx", home.isEmpty ? "/" : home]
    var folders: [String] = []
    for folder in Self.entries(of: execPath) + own + Self.entries(of: searchPath)
    where !folders.contains(where: { $0.utf8.elementsEqual(folder.utf8) }) {
      folders.append(folder)
    }
    self.folders = folders
    self.execPath = execPath
    self.home = home
  }

  /// Returns the launcher of the dispatcher that has started a tool of vmx: it is in `bin` if the
  /// tool is in `libexec/vmx`, and else beside the tool.
  ///
  /// - Parameter executable: the real path of the tool.
  package static func ofTool(executable: String) -> ToolLauncher {
    let folder = parent(of: executable)
    let suffix = "/libexec/vmx"
    let isInstalled = folder.utf8.reversed().starts(with: suffix.utf8.reversed())
    let home =
      isInstalled ? String(Substring(folder.utf8.dropLast(suffix.utf8.count))) + "/bin" : folder
    return ToolLauncher(
      execPath: variable("VMX_EXEC_PATH"), executable: "\(home)/vmx",
      searchPath: variable("PATH"))
  }

  /// Whether a text is a valid tool name: `[a-z][a-z0-9-]*`, so never a path.
  package static func isName(_ text: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = text.utf8.first, letters.contains(first) else { return false }
    return text.utf8.allSatisfy {
      letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// Returns the executable of a tool; searches only for that name.
  package func path(of name: String) -> String? {
    Self.isName(name) ? path(ofProgram: "vmx-\(name)") : nil
  }

  /// Returns the first executable of that file name.
  package func path(ofProgram file: String) -> String? {
    for folder in folders {
      let path = "\(folder)/\(file)"
      if linux_is_program(path) != 0 { return path }
    }
    return nil
  }

  /// The first folder that contains the tools of vmx; it is exported to them.
  package var ownFolder: String {
    path(ofProgram: Self.companion).map { Self.parent(of: $0) } ?? folders[0]
  }

  /// Returns whether a folder is searched because of `VMX_EXEC_PATH`, or because of `PATH`; neither
  /// is true for a folder of vmx itself.
  func origin(of folder: String) -> (isOfExecPath: Bool, isOfSearchPath: Bool) {
    let own = [ownFolder, Self.parent(of: home) + "/libexec/vmx", home]
    guard !own.contains(where: { $0.utf8.elementsEqual(folder.utf8) }) else {
      return (false, false)
    }
    let isFirst = Self.entries(of: execPath).contains { $0.utf8.elementsEqual(folder.utf8) }
    return (isFirst, !isFirst)
  }

  /// Exports the tool folder, the version of vmx and the absolute home to the program at a path.
  ///
  /// If the user has set no home, a plugin gets the usual one. A tool of vmx does not: it would
  /// treat that as the choice of the user.
  package func export(version: String, to path: String) {
    var folder: String?
    if let execPath {
      _ = linux_set_variable("VMX_EXEC_PATH", execPath)
    } else {
      let own = ownFolder
      _ = linux_set_variable("VMX_EXEC_PATH", own)
      folder = own
    }
    _ = linux_set_variable("VMX_VERSION", version)
    if let home = Self.variable("VMX_HOME"), !home.isEmpty {
      _ = linux_set_variable("VMX_HOME", Self.absolute(home))
    } else if !Self.parent(of: path).utf8.elementsEqual((folder ?? ownFolder).utf8),
      let home = defaultHome(variable: Self.variable)
    {
      _ = linux_set_variable("VMX_HOME", home)
    }
  }

  /// Replaces this process with a program; returns the error number if that fails.
  ///
  /// - Parameters:
  ///   - path: the executable.
  ///   - name: argument 0.
  ///   - arguments: the other arguments.
  package static func exec(
    _ path: String, as name: String, _ arguments: [UnsafePointer<CChar>?]
  ) -> Int32 {
    name.withCString { linux_execute(path, [$0] + arguments + [nil]) }
  }

  /// Returns a variable of the environment; nil if it is not set.
  package static func variable(_ name: String) -> String? {
    linux_variable(name).map { String(cString: $0) }
  }

  /// Returns the absolute path; the path itself if the working directory is unknown.
  package static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return text { linux_working_folder($0, $1) }.map { "\($0)/\(path)" } ?? path
  }

  /// The executable of this process with links resolved; nil if the system does not provide it.
  package static var program: String? { text { linux_program($0, $1) } }

  private static func text(_ fill: (UnsafeMutablePointer<CChar>, Int64) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(linux_longest_path)) { buffer in
      guard let start = buffer.baseAddress, fill(start, Int64(buffer.count)) == 0 else {
        return nil
      }
      return String(cString: start)
    }
  }

  /// Returns the absolute folders of a search path.
  static func entries(of path: String?) -> [String] {
    (path ?? "").utf8.split(separator: UInt8(ascii: ":"))
      .filter { $0.first == UInt8(ascii: "/") }.map { String(Substring($0)) }
  }

  private static func parent(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }
}
