/// Where the value of a setting was given.
package enum SettingOrigin: Sendable, Hashable {
  /// In the table of settings itself.
  case builtIn
  /// In a settings file, with the number of the line, from 1.
  case file(String, line: Int)
  /// In an environment variable of that name.
  case environment(String)
  /// After `-c` on the command line.
  case parameter
  /// By an option of the tool, such as `--jobs`.
  case option(String)

  /// As messages name it.
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
