import Glibc
package import SystemPackage
import VmxModel
import VmxSystem

/// The environment variables and the working directory, both as they were at the start.
package struct Environment: Sendable, Equatable {
  /// The variables and their values.
  package let variables: [String: String]
  private let workFolder: FilePath

  /// Creates an environment with the given variables.
  package init(_ variables: [String: String], workFolder: FilePath = "/") {
    self.variables = variables
    self.workFolder = workFolder
  }

  /// Returns the environment of this process.
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

  /// Returns the absolute path of a typed path, relative to the working directory.
  package func absolute(_ path: String) -> FilePath { absolute(FilePath(path)) }

  /// Returns the absolute path of a command-line argument, relative to the working directory.
  ///
  /// - Parameter argument: the argument, encoded as `ArgumentText` describes.
  package func absolute(argument: String) -> FilePath { absolute(FilePath(argument: argument)) }

  private func absolute(_ path: FilePath) -> FilePath { workFolder.pushing(path) }

  /// Returns the path in a variable, made absolute; nil if the variable is unset or empty.
  package func path(_ name: String) -> FilePath? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return absolute(value)
  }

  /// Returns a base directory of the XDG specification; nil if neither its variable nor `HOME` is
  /// set to an absolute path. A relative value is ignored.
  package func base(_ xdg: String, beneathHome: String) -> FilePath? {
    if let value = self[xdg], value.hasPrefix("/") { return FilePath(value) }
    guard let home = self["HOME"], home.hasPrefix("/") else { return nil }
    return FilePath(home).pushing(FilePath(beneathHome))
  }

  /// Returns the executable file of this name in `PATH`; nil if there is none. Relative entries of
  /// `PATH` are ignored.
  package func program(_ name: String) -> FilePath? {
    (self["PATH"] ?? "").split(separator: ":").lazy
      .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first(where: Self.isExecutable).map { FilePath($0) }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
