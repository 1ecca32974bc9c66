package import SystemPackage

/// Returns a base directory of the XDG specification; nil if neither its variable nor `HOME` is set
/// to an absolute path. A relative value is ignored.
package func baseFolder(
  _ xdg: String, beneathHome: String, in variables: [String: String]
) -> FilePath? {
  if let value = variables[xdg], value.hasPrefix("/") { return FilePath(value) }
  guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
  return FilePath(home).pushing(FilePath(beneathHome))
}
