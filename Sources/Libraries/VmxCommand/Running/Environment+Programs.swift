import Glibc
package import SystemPackage

extension Environment {
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
