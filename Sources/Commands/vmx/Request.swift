import VmxModel

/// What the dispatcher was asked for.
enum Request: Equatable {
  /// To become a tool.
  case run(name: String, arguments: [String])
  /// The overview of the tools, or of all that can be found.
  case overview(isAll: Bool, wasAsked: Bool)
  /// The name and version.
  case version
  /// Where our tools are looked for first.
  case execPath
  /// Names of tools, one a line: of these groups, or all.
  case names(groups: [String])
}

/// The dispatcher's own part of the command line: everything up to the tool's name.
struct CommandLineReader {
  /// Folders to go to first, one after another.
  private(set) var folders: [String] = []
  /// Settings for the tool.
  private(set) var settings: [String] = []
  /// The folder of the tools, where it was given.
  private(set) var execPath: String?
  private(set) var request = Request.overview(isAll: false, wasAsked: false)

  /// Reads the arguments without the program's name.
  ///
  /// - Throws: `usage`, or `bad-setting` for what follows `-c`.
  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard let request = try request(of: word, &rest) else { continue }
      self.request = request
      return
    }
  }

  private mutating func request(
    of word: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> Request? {
    try Self.checkEncoding(of: word)
    switch word {
    case "-C": folders.append(try Self.value(of: word, &rest))
    case "-c": settings.append(try Self.setting(try Self.value(of: word, &rest)))
    case "--version": return .version
    case "--exec-path": return .execPath
    case "--list-cmds": return .names(groups: [])
    case "-h", "--help": return .overview(isAll: false, wasAsked: true)
    case "help": return try Self.help(rest)
    default:
      if let groups = Self.after("--list-cmds=", in: word) {
        return .names(groups: groups.split(separator: ",").map(String.init))
      }
      guard word.hasPrefix("-") else { return .run(name: word, arguments: Array(rest)) }
      guard let folder = Self.after("--exec-path=", in: word) else {
        throw Failure(.usage, "unknown option '\(word)'", hint: "run 'vmx help' for what it takes")
      }
      execPath = folder
    }
    return nil
  }

  private static func help(_ rest: ArraySlice<String>) throws(Failure) -> Request {
    var isAll = false
    for word in rest {
      switch word {
      case "-a", "--all": isAll = true
      case "-h", "--help": return .overview(isAll: isAll, wasAsked: true)
      default:
        guard !word.hasPrefix("-") else {
          throw Failure(.usage, "unknown option '\(word)'", hint: "run 'vmx help [-a] [TOOL]'")
        }
        return .run(name: word, arguments: ["--help"])
      }
    }
    return .overview(isAll: isAll, wasAsked: true)
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw Failure(
        .usage, "the option '\(option)' wants a value", hint: "run 'vmx help' for what it takes")
    }
    return value
  }

  /// Refused here already, so that a tool without settings does not pass over it.
  private static func setting(_ text: String) throws(Failure) -> String {
    try checkEncoding(of: text)
    var settings = Settings()
    try settings.add(parameter: text)
    return text
  }

  /// Refuses a word that is not UTF-8; of the dispatcher's own only the value of `-C` may be.
  private static func checkEncoding(of word: String) throws(Failure) {
    guard ArgumentText.carriesBytes(word) else { return }
    throw Failure(
      .usage, "not UTF-8: '\(ArgumentText.shown(word))'",
      hint: "run 'vmx help' for what it takes")
  }

  private static func after(_ prefix: String, in word: String) -> String? {
    word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : nil
  }
}
