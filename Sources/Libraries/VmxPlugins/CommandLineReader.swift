package import VmxModel
import VmxSettings

/// The request of the dispatcher's command line.
package enum Request: Equatable {
  /// Run a tool.
  case run(name: String, arguments: [String])
  /// Print the help of the tool that the first word names; else search the help for the words.
  case help(words: [String])
  /// Print the overview of the tools of vmx, or of all tools found.
  case overview(isAll: Bool, wasAsked: Bool)
  /// Print the name and version; if verbose, also those of the libraries.
  case version(isVerbose: Bool)
  /// Print the folder that is searched first for tools.
  case execPath
  /// Print the names of tools, one per line: of the given groups, or of all.
  case names(groups: [String])
}

extension Request {
  /// The name of the tool that is run, or whose help is printed.
  var name: String? {
    switch self {
    case .run(let name, _): name
    case .help(let words): words[0]
    case .overview, .version, .execPath, .names: nil
    }
  }

  /// The arguments of the tool.
  var arguments: [String] {
    if case .run(_, let arguments) = self { arguments } else { [] }
  }
}

/// The parser of the dispatcher's own arguments, which precede the tool's name.
package struct CommandLineReader {
  /// The folders to change to first, one after another.
  package private(set) var folders: [String] = []
  /// The settings given by `-c`.
  package private(set) var settings: [String] = []
  /// The folder given by `--exec-path=`.
  package private(set) var execPath: String?
  /// Whether tools must not use a pager.
  package private(set) var pagesNothing = false
  package private(set) var request = Request.overview(isAll: false, wasAsked: false)

  /// Parses the arguments after the program's name.
  ///
  /// - Throws: `usage`, or `bad-setting` for an invalid value of `-c`.
  package init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard let request = try request(of: word, &rest) else { continue }
      self.request = request
      return
    }
  }

  /// Returns the line in which an alias is replaced by its words: its options follow those of this
  /// line.
  ///
  /// - Throws: as the initialiser; `usage` if the words set the folder of the tools, which has
  ///   decided already whether the alias is a tool.
  func expanding(to words: [String]) throws(Failure) -> CommandLineReader {
    var line = try CommandLineReader(words)
    guard line.execPath == nil else {
      throw Failure(.usage, "'--exec-path' does not belong into an alias")
    }
    line.folders = folders + line.folders
    line.settings = settings + line.settings
    line.execPath = execPath
    line.pagesNothing = pagesNothing || line.pagesNothing
    return line
  }

  /// Requests the help of the tool that the line runs.
  mutating func requestHelp() {
    if let name = request.name { request = .help(words: [name]) }
  }

  private mutating func request(
    of word: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> Request? {
    try Self.checkEncoding(of: word)
    switch word {
    case "-C": folders.append(try Self.value(of: word, &rest))
    case "-c": settings.append(try Self.setting(try Self.value(of: word, &rest)))
    case "--no-pager": pagesNothing = true
    case "--version":
      return .version(isVerbose: rest.contains { ["-v", "--verbose"].contains($0) })
    case "--exec-path": return .execPath
    case "--list-cmds": return .names(groups: [])
    case "-a", "--all": return .overview(isAll: true, wasAsked: true)
    case "help", "-h", "--help": return try Self.help(rest)
    default:
      if let groups = Self.after("--list-cmds=", in: word) {
        return .names(groups: groups.split(separator: ",").map(String.init))
      }
      guard word.hasPrefix("-") else { return .run(name: word, arguments: Array(rest)) }
      guard let folder = Self.after("--exec-path=", in: word) else {
        if word == "--home" || Self.after("--home=", in: word) != nil {
          throw Failure(
            .usage, "unknown option '--home'", hint: "set VMX_HOME to the home of the library")
        }
        let tool = rest.first { Toolbox.tool(named: $0) != nil }
        throw Failure(
          .usage, "unknown option '\(word)'",
          hint: tool.map { "options of a tool follow its name: vmx \($0) \(word)" }
            ?? "run 'vmx help' for usage")
      }
      execPath = folder
    }
    return nil
  }

  private static func help(_ rest: ArraySlice<String>) throws(Failure) -> Request {
    var isAll = false
    var words: [String] = []
    for word in rest {
      try checkEncoding(of: word)
      switch word {
      case "-a", "--all": isAll = true
      case "-h", "--help": break
      default:
        guard !word.hasPrefix("-") else {
          throw Failure(
            .usage, "unknown option '\(word)'", hint: "run 'vmx help [-a] [TOOL | WORD...]'")
        }
        words.append(word)
      }
    }
    return words.isEmpty ? .overview(isAll: isAll, wasAsked: true) : .help(words: words)
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw Failure(
        .usage, "option '\(option)' requires a value", hint: "run 'vmx help' for usage")
    }
    return value
  }

  /// Parses a setting. It is checked here, since a tool that reads no settings would ignore an
  /// error.
  private static func setting(_ text: String) throws(Failure) -> String {
    try checkEncoding(of: text)
    var settings = Settings()
    try settings.add(parameter: text)
    return text
  }

  /// Rejects a word that is not UTF-8. Of the dispatcher's own arguments, only the value of `-C`
  /// may have other bytes.
  private static func checkEncoding(of word: String) throws(Failure) {
    guard ArgumentText.carriesBytes(word) else { return }
    throw Failure(
      .usage, "not UTF-8: '\(ArgumentText.shown(word))'",
      hint: "run 'vmx help' for usage")
  }

  private static func after(_ prefix: String, in word: String) -> String? {
    word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : nil
  }
}
