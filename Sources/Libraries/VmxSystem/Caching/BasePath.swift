// The dispatcher compiles this file too, through the plugin DispatcherSources: so it imports
// nothing, and compares text bytewise.

/// Returns the path of a base directory of the XDG specification; nil if neither its variable nor
/// `HOME` is set to an absolute path. A relative value is ignored.
///
/// - Parameter variable: returns a variable of the environment.
package func basePath(
  _ xdg: String, beneathHome: String, variable: (String) -> String?
) -> String? {
  if let value = variable(xdg), value.utf8.first == UInt8(ascii: "/") { return value }
  guard let home = variable("HOME"), home.utf8.first == UInt8(ascii: "/") else { return nil }
  return "\(home)/\(beneathHome)"
}

/// Returns the path of the library of a user who has not set `VMX_HOME`; nil as for `basePath`.
package func defaultHome(variable: (String) -> String?) -> String? {
  basePath("XDG_DATA_HOME", beneathHome: ".local/share", variable: variable).map { "\($0)/vmx" }
}
