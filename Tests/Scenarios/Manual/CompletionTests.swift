import Testing
import VmxModel
import VmxPresentation
import VmxSettings

/// The completions that the build generates from the commands' own option descriptions.
struct CompletionTests {
  private static let tools = Toolbox.tools.map(\.name)

  private let stage: StoryStage

  init() throws {
    let built = try #require(StoryFiles.built)
    stage = try StoryStage(tools: StoryFiles.tools ?? built, support: built)
  }

  /// Returns the completions that bash offers for the last of these words.
  private func bash(_ words: String...) throws -> [String] {
    try stage.set("COMPLETION", try Described.path("bash-completion/completions/vmx"))
    let script = """
      source "$COMPLETION"; COMP_WORDS=(\(words.map { "\"\($0)\"" }.joined(separator: " ")))
      COMP_CWORD=\(words.count - 1); _vmx; printf "%s\\n" "${COMPREPLY[@]}"
      """
    return try stage.run("bash --norc -c '\(script)'").stdout.split(separator: "\n")
      .map(String.init)
  }

  // zsh and fish may not be installed, so the text of their scripts is checked.
  @Test(arguments: tools)
  func `each shell offers exactly the options that a tool takes`(tool: String) throws {
    let taken = try ToolOptions(of: tool, on: stage).long
    #expect(Set(try bash("vmx", tool, "--")) == taken)
    #expect(Set(try bash("vmx-\(tool)", "--")) == taken)
    let zsh = try Described.text("zsh/site-functions/_vmx").split(separator: "\n")
      .filter { $0.hasPrefix("    \(tool)) ") }
    #expect(ToolOptions.named(in: zsh.joined()).filter { $0.hasPrefix("--") } == taken)
    var fish: Set<String> = []
    for line in try Described.text("fish/vendor_completions.d/vmx.fish").split(separator: "\n") {
      let parts = line.split(separator: "'", omittingEmptySubsequences: false)
      guard parts.count > 2, parts[1].split(separator: " ").dropFirst().contains("\(tool)") else {
        continue
      }
      let words = parts[2].split(separator: " ")
      for (index, word) in words.dropLast().enumerated() where word == "-l" {
        fish.insert("--\(words[index + 1])")
      }
    }
    #expect(fish == taken)
  }

  @Test func `every tool and short name is offered`() throws {
    let names = (Toolbox.tools + Toolbox.links).map(\.name) + ["help"]
    #expect(Set(try bash("vmx", "")).isSuperset(of: names))
    let zsh = try Described.text("zsh/site-functions/_vmx")
    let fish = try Described.text("fish/vendor_completions.d/vmx.fish")
    for name in names {
      #expect(zsh.contains("\n  '\(name):") && fish.contains(" -a \(name) -d"))
    }
    for link in Toolbox.links { #expect(try bash("vmx", link.name, "--du") == ["--due"]) }
  }

  @Test func `values are those of the model`() throws {
    let states = PartState.allCases.map(\.rawValue) + ["paused"]
    #expect(try bash("vmx", "list", "--state", "") == states)
    #expect(try bash("vmx", "list", "--sort", "") == EpisodeField.allCases.map(\.rawValue))
    #expect(try bash("vmx", "path", "--part", "") == PartRole.allCases.map(\.rawValue))
    #expect(try bash("vmx", "list", "--fields", "id,sta") == ["id,state"])
    #expect(try bash("vmx", "fetch", "--fields", "ou") == ["outcome"])
    #expect(try bash("vmx", "fetch", "--only", "subtitle,im") == ["subtitle,image"])
    #expect(Set(try bash("vmx", "explain", "")) == Set(ErrorCode.allCases.map(\.rawValue)))
  }

  @Test func `settings and their values are offered`() throws {
    let keys =
      SettingKey.allCases.map(\.rawValue) + HostKey.allCases.map { "host.NAME.\($0.rawValue)" }
    let offered = try bash("vmx", "config", "get", "")
    #expect(Set(offered) == Set(keys))
    #expect(try bash("vmx", "config", "set", "--add", "trash.m") == ["trash.make-room"])
    #expect(try bash("vmx", "config", "set", "trash.make-room", "") == ["true", "false"])
    #expect(try bash("vmx", "config", "set", "host.a.org.pro") == ["host.a.org.proxy"])
    #expect(try bash("vmx", "config", "set", "host.a.org.proxy", "") == ["none"])
    #expect(try bash("vmx", "config", "unset", "color.ui", "").isEmpty)
    #expect(try bash("vmx", "config", "ex") == ["explain"])
    #expect(try bash("vmx", "-c", "color.") == ["color.ui="])
    #expect(try bash("vmx", "-c", "hook.").isEmpty)
    #expect(try bash("vmx", "-c", "color.ui", "=", "al") == ["always"])
    #expect(try bash("vmx", "-c", "color.ui", "=") == ["auto", "always", "never"])
    #expect(try bash("vmx", "-c", "color.ui=al") == ["color.ui=always"])
    #expect(
      try bash("vmx", "-c", "color.ui", "=", "always", "list", "--want=ho") == ["--want=hold"])
    let zsh = try Described.text("zsh/site-functions/_vmx")
    let fish = try Described.text("fish/vendor_completions.d/vmx.fish")
    for key in keys {
      let words = SettingName(key)?.facts?.kind.words ?? []
      for script in [zsh, fish] {
        #expect(script.contains(" \(key)") || script.contains("(\(key)"), "\(key)")
        #expect(words.isEmpty || script.contains(" \(words.joined(separator: " "))"), "\(key)")
      }
    }
  }

  @Test func `shows and seasons are those of the library`() throws {
    for (show, season) in [("girls", 1), ("girls", 12), ("girls", 2), ("golf", 7)] {
      _ = try stage.run(
        "vmx add --want none --show \(show) --season \(season) --number 1 "
          + "https://media.example.org/\(show)\(season).mp4")
    }
    #expect(try bash("vmx", "list", "--show", "") == ["girls", "golf"])
    #expect(try bash("vmx", "fetch", "--show", "gi") == ["girls"])
    #expect(try bash("vmx", "lock", "rate", "12", "--show", "go") == ["golf"])
    #expect(try bash("vmx", "list", "--season", "") == ["1", "2", "7", "12"])
    #expect(try bash("vmx", "list", "--show", "girls", "--season", "") == ["1", "2", "12"])
  }

  @Test func `a list does not repeat a word, and requests are apart from ids`() throws {
    #expect(try bash("vmx", "fetch", "--only", "image,i").isEmpty)
    let rest = ["video", "subtitle", "metadata", "key"].map { "image,\($0)" }
    #expect(try bash("vmx", "fetch", "--only", "image,") == rest)
    #expect(try bash("vmx", "queue", "priority", "") == ["10", "5", "1", "0", "-1", "-5"])
    _ = try stage.run("vmx add --want none --id girls/one https://media.example.org/one.mp4")
    #expect(try bash("vmx", "queue", "priority", "5", "") == ["girls", "girls/one"])
    #expect(try !bash("vmx", "queue", "").contains("girls/one"))
    #expect(try bash("vmx", "queue", "-q", "pri") == ["priority"])
  }

  @Test func `shows and ids are asked of the library with what was typed`() throws {
    for id in ["girls/one", "girls/two", "zed/one"] {
      _ = try stage.run("vmx add --want none --id \(id) https://media.example.org/\(id).mp4")
    }
    let ids = ["girls/one", "girls/two"]
    let words = ["girls"] + ids
    #expect(try bash("vmx", "show", "gi") == words)
    #expect(try bash("vmx", "-C", "/", "list", "--due", "gi") == words)
    #expect(try bash("vmx", "show", "girls/") == ids)
    #expect(try bash("vmx", "queue", "move", "--before", "gi") == ids)
    #expect(try bash("vmx", "queue", "pause", "gi") == words)
    #expect(try bash("vmx", "pause", "gi") == words)
    #expect(try bash("vmx", "queue", "pri") == ["priority"])
    #expect(try bash("vmx", "queue", "set", "keep") == ["keep=yes", "keep=no"])
    #expect(try bash("vmx", "list", "--limit", "gi").isEmpty)
  }
}
