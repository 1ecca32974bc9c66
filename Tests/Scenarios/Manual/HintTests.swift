import Testing
import VmxModel
import VmxTestSupport

/// Every command that a text of vmx mentions exists, with its options.
struct HintTests {
  private let stage: StoryStage

  init() throws {
    let built = try #require(StoryFiles.built)
    stage = try StoryStage(tools: StoryFiles.tools ?? built, support: built)
  }

  /// Returns the quoted command lines in a text, with sample words in place of interpolated values.
  private static func commands(in text: String) -> [String] {
    let joined = text.replacing(/\\\n */, with: "").replacing(/" *\n *\+ *"/, with: "")
    return joined.matches(of: /'((?:vmx|man) [^'\n]*)'/).map { match in
      String(match.1).replacing(/\\\([^()]*(?:\([^()]*\))?[^()]*\)/, with: "t/a")
        .split(separator: " ").map { word in
          [
            "ID": "t/a", "URL": "http://127.0.0.1:1/a", "FILE": "film.mp4", "FOLDER": "here",
            "SIZE": "4", "NEW": "t/b",
          ][word]
            ?? String(word)
        }.joined(separator: " ")
    }
  }

  @Test(arguments: ErrorCode.allCases)
  func `the hint of a code can be followed to the letter`(code: ErrorCode) throws {
    try stage.folder.write("film.mp4", "no film")
    for line in Self.commands(in: code.entry.hint) where line.hasPrefix("vmx ") {
      let result = try stage.run("VMX_ASSUME_YES=1 \(line) < /dev/null")
      #expect(result.status != 64, "\(line): \(result.stderr)")
      #expect(!result.stderr.contains("unknown-command"), "\(line)")
    }
  }

  @Test func `every command in a text of the sources exists with its options`() throws {
    let listing = try stage.run("find \"$SOURCE/Sources\" -name '*.swift'")
    let texts = try listing.stdout.split(separator: "\n").map { try ProjectFile.text(String($0)) }
    // The commands of a pipe or list are checked one by one.
    let lines = Set(
      texts.flatMap(Self.commands).flatMap { $0.split(separator: " | ") }
        .flatMap { $0.split(separator: "; ") }
    )
    .filter { $0.hasPrefix("vmx ") || $0.hasPrefix("man ") }
    try #require(lines.count > 40)
    var taken: [String: Set<String>] = [:]
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let name = words[1]
      if words[0] == "man" {
        #expect((1...8).contains { ProjectFile.exists("man/\(name).\($0)") }, "\(line)")
        continue
      }
      // 'vmx help TOOL', and texts about vmx itself, name no command to check.
      guard name.first?.isLetter == true, name != "help", name != "t/a",
        name.allSatisfy({ $0.isLowercase || $0 == "-" })
      else { continue }
      guard let tool = Toolbox.tool(named: name) else {
        Issue.record("there is no tool '\(name)': \(line)")
        continue
      }
      let options = try taken[name] ?? ToolOptions(of: tool.target ?? name, on: stage).names
      taken[name] = options
      for word in words.dropFirst(2) where word.hasPrefix("-") && word.count > 1 {
        let option = String(word.prefix { $0 != "=" })
        #expect(options.contains(option) || option == "--help", "\(line)")
      }
    }
  }

  @Test func `no text names a tool by the name of its file`() throws {
    for tool in Toolbox.tools.map(\.name) {
      let help = try stage.run("vmx-\(tool) --help").stdout.replacing("(man vmx-\(tool))", with: "")
      #expect(!help.contains("vmx-\(tool)"), "\(help)")
      let refused = try stage.run("vmx-\(tool) --no-such-option").stderr
      #expect(refused.contains("hint: run 'vmx \(tool) --help' "), "\(refused)")
    }
  }

  @Test(arguments: Toolbox.purposes.map(\.command))
  func `a command for a purpose exists with its options`(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let tool = try #require(Toolbox.tool(named: words[0]))
    let options = try ToolOptions(of: tool.target ?? tool.name, on: stage).names
    for word in words where word.hasPrefix("-") { #expect(options.contains(word), "\(command)") }
  }

  @Test func `what people try leads to a tool`() throws {
    for (names, hint) in Toolbox.synonyms {
      for name in names {
        #expect(Toolbox.tool(named: name) == nil)
        let result = try stage.run("vmx \(name) t/a")
        #expect(result.status == 64 && result.stderr.contains("hint: \(hint)\n"))
      }
    }
  }
}
