import VmxJSON
import VmxModel

/// The options of a tool, as its own parser tells them.
struct ToolOptions {
  /// Names with their hyphens, such as `-q` and `--quiet`.
  let names: Set<String>

  /// Those with two hyphens, which completions offer.
  var long: Set<String> { names.filter { $0.hasPrefix("--") } }

  /// Asks the built tool.
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

  /// The options named in a text, such as `-q` and `--quiet` in `-q, --quiet`.
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

/// The options in the completion scripts, parsed from their text, because a shell may not be
/// installed.
enum Completions {
  /// The long options that zsh offers for a tool: its line of the last `case`, and the lists named
  /// in it.
  static func zsh(_ tool: String) throws -> Set<String> {
    let text = try ProjectFile.text("completions/_vmx")
    let arm = text.text(from: "\n    \(tool)) ", to: ";;")
    var all = arm
    for list in ["every", "form", "filters", "library"] where arm.contains("$\(list)") {
      all += text.text(from: "\n  \(list)=(\n", to: "\n  )\n")
    }
    // The shell's brackets around a name end it as well as a blank does.
    return ToolOptions.named(in: all).filter { $0.hasPrefix("--") }
  }

  /// The long options that fish offers for a tool: of lines whose condition names it, or all tools.
  static func fish(_ tool: String) throws -> Set<String> {
    var conditions: [String: String] = [:]
    var names: Set<String> = []
    for line in try ProjectFile.text("completions/vmx.fish").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let quoted = line.split(separator: "'", maxSplits: 2).map(String.init)
      if words.starts(with: ["set", "-l"]), quoted.count > 1 {
        conditions["$\(words[2])"] = quoted[1]
      }
      guard words.starts(with: ["complete", "-c", "vmx", "-n"]), words.count > 4,
        let option = words.firstIndex(of: "-l")
      else { continue }
      let condition = conditions[words[4]] ?? quoted[1]
      let isMeant =
        condition == "not __vmx_is help; and __vmx_tool"
        || condition.hasPrefix("__vmx_is ") && condition.split(separator: " ").contains("\(tool)")
      if isMeant { names.insert("--\(words[option + 1])") }
    }
    return names
  }

  /// The long options that bash offers for a tool, as its own function says.
  static func bash(_ tool: String, on stage: StoryStage) throws -> Set<String> {
    let script = "source '\(ProjectFile.root)/completions/vmx'; _vmx_options \(tool)"
    return ToolOptions.named(in: try stage.run("bash -c \"\(script)\"").stdout)
  }
}

extension String {
  /// Returns the text between two texts; empty if either is absent.
  fileprivate func text(from start: String, to end: String) -> String {
    guard let first = firstRange(of: start) else { return "" }
    let rest = self[first.upperBound...]
    return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
  }
}
