import Testing
import VmxJSON
import VmxModel

/// The options of a command, as reported by its own parser.
struct ToolOptions {
  /// The names with their hyphens, such as `-q` and `--quiet`.
  let names: Set<String>

  /// The names with two hyphens, which completions offer.
  var long: Set<String> { names.filter { $0.hasPrefix("--") } }

  /// Queries the built command.
  init(of tool: String, on stage: StoryStage) throws {
    let result = try stage.run("vmx-\(tool) --experimental-dump-help")
    let arguments = try JSONParser().parse(result.stdout).object?["command"]?.object?["arguments"]
    var names: Set<String> = []
    for argument in arguments?.array ?? [] where argument.object?["shouldDisplay"]?.bool == true {
      for name in argument.object?["names"]?.array ?? [] {
        guard let text = name.object?["name"]?.string else { continue }
        names.insert(name.object?["kind"]?.string == "long" ? "--\(text)" : "-\(text)")
      }
    }
    self.names = names
  }

  /// Returns the options named in a text, such as `-q` and `--quiet` in `-q, --quiet`.
  static func named(in text: some StringProtocol) -> Set<String> {
    var names: Set<String> = []
    var word = ""
    for character in String(text) + " " {
      if character == "-" || character.isLetter || character.isNumber {
        word.append(character)
        continue
      }
      if word.hasPrefix("-"), word.contains(where: \.isLetter) || word.count == 2 {
        names.insert(word)
      }
      word = ""
    }
    return names
  }
}

/// The manual pages and completions that the build generates from the commands' own option
/// descriptions.
enum Described {
  /// The folder `share` with both, beside the built programs.
  private static let folder = Result {
    let built = try #require(StoryFiles.built)
    let stage = try StoryStage(tools: StoryFiles.tools ?? built, support: built)
    let result = try stage.run(
      "sh \"$SOURCE/Sources/Packaging/describe.sh\" '\(built)/described'")
    try #require(result.status == 0 && result.stderr.isEmpty, "\(result.stderr)")
    return "\(built)/described/share"
  }

  static func path(_ file: String) throws -> String { "\(try folder.get())/\(file)" }

  static func text(_ file: String) throws -> String { try ProjectFile.text(path(file)) }

  /// Returns the page of a command with all its options.
  static func page(_ name: String) throws -> ManualPage {
    try ManualPage(name, 1, in: path("man/man1"))
  }
}
