import Glibc
package import SystemPackage
import VmxModel
import VmxSystem

/// The environment's variables as they were at the start, and the folder the tool was started in.
package struct Environment: Sendable, Equatable {
  /// The variables and their values.
  package let variables: [String: String]
  private let workFolder: FilePath

  /// Made variables.
  package init(_ variables: [String: String], workFolder: FilePath = "/") {
    self.variables = variables
    self.workFolder = workFolder
  }

  /// Those of this process.
  package static func ofProcess() -> Environment {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let end = text.firstIndex(of: "=") {
        variables[String(text[..<end])] = String(text[text.index(after: end)...])
      }
      next += 1
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let folder = getcwd(&buffer, buffer.count).map { FilePath(platformString: $0) } ?? "/"
    return Environment(variables, workFolder: folder)
  }

  /// The value of a variable; nil if it is not set.
  package subscript(name: String) -> String? { variables[name] }

  /// A path as typed, from the folder the tool was started in.
  package func absolute(_ path: String) -> FilePath { absolute(FilePath(path)) }

  /// The path that a command-line argument names, from the folder the tool was started in.
  ///
  /// - Parameter argument: as `ArgumentText`.
  package func absolute(argument: String) -> FilePath { absolute(FilePath(argument: argument)) }

  private func absolute(_ path: FilePath) -> FilePath { workFolder.pushing(path) }

  /// The path in a variable, made absolute; nil if it is not set or empty.
  package func path(_ name: String) -> FilePath? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return absolute(value)
  }

  /// A base directory of the XDG specification, whose relative values do not count; nil where
  /// neither its variable nor the home folder tells.
  package func base(_ xdg: String, beneathHome: String) -> FilePath? {
    if let value = self[xdg], value.hasPrefix("/") { return FilePath(value) }
    guard let home = self["HOME"], home.hasPrefix("/") else { return nil }
    return FilePath(home).pushing(FilePath(beneathHome))
  }

  /// The folder named by a variable of ours, else `vmx` within a base directory.
  ///
  /// - Throws: `bad-setting` where nothing says where it is.
  func folder(
    _ own: String?, xdg: String, beneathHome: String
  ) throws(Failure) -> FilePath {
    if let own, let path = path(own) { return path }
    guard let base = base(xdg, beneathHome: beneathHome) else {
      throw Failure(
        .badSetting, "'HOME' is not an absolute path",
        hint: "set \(own ?? xdg) to the folder to use")
    }
    return base.appending("vmx")
  }
}
