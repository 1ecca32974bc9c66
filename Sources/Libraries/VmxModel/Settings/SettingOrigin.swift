/// The origin of a setting's value.
package enum SettingOrigin: Sendable, Hashable {
  /// The table of settings.
  case builtIn
  /// A settings file, with the number of the line, from 1.
  case file(String, line: Int)
  /// The environment variable of that name.
  case environment(String)
  /// An option `-c` on the command line.
  case parameter
  /// An option of the tool, such as `--jobs`.
  case option(String)

  /// The origin as named in messages.
  package var phrase: String {
    switch self {
    case .builtIn: "the built-in value"
    case .file(let path, let line): "'\(path)' line \(line)"
    case .environment(let name): "variable '\(name)'"
    case .parameter: "option '-c'"
    case .option(let name): "option '\(name)'"
    }
  }
}
