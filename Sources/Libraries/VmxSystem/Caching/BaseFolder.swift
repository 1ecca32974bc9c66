package import SystemPackage

/// Returns a base directory of the XDG specification, as `basePath` does.
package func baseFolder(
  _ xdg: String, beneathHome: String, in variables: [String: String]
) -> FilePath? {
  basePath(xdg, beneathHome: beneathHome) { variables[$0] }.map { FilePath($0) }
}
