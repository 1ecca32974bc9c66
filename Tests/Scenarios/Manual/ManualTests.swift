import Testing
import VmxModel
import VmxSettings

/// The manual, compared with the programs and tables that it documents.
struct ManualTests {
  private static let tools = Toolbox.tools.map(\.name)
  private static let otherPages = [
    ("vmx", 1), ("vmx-bundle", 5), ("vmx-config", 5), ("vmx-json", 5),
    ("vmx-store", 5), ("vmx-errors", 7), ("vmx-states", 7), ("vmx-moving", 7),
    ("vmx-plugins", 7), ("vmx-changes", 7),
  ]

  private let stage: StoryStage

  init() throws {
    let built = try #require(StoryFiles.built)
    stage = try StoryStage(tools: StoryFiles.tools ?? built, support: built)
  }

  @Test(arguments: tools)
  func `the name of a page says what the toolbox says`(tool: String) throws {
    let summary = try #require(Toolbox.tool(named: tool)?.summary)
    let phrase = summary.prefix(1).lowercased() + summary.dropFirst()
    #expect(try ManualPage("vmx-\(tool)", 1).summary == "vmx-\(tool) - \(phrase)")
  }

  @Test(arguments: tools)
  func `an installed page names exactly the options that its tool takes, each once`(
    tool: String
  ) throws {
    let told = try Described.page("vmx-\(tool)").tags(in: "OPTIONS")
      .flatMap { ToolOptions.named(in: $0) }
    #expect(told.sorted() == (try ToolOptions(of: tool, on: stage).names.sorted()))
  }

  @Test(arguments: tools)
  func `the help of a tool has two examples at least`(tool: String) throws {
    let help = try stage.run("vmx-\(tool) --help").stdout
    let before = help.prefix(upTo: help.firstRange(of: "USAGE:")?.lowerBound ?? help.endIndex)
    let lines = before.split(separator: "\n").map(\.trimmed)
    let isExample = { (line: Substring) in line.hasPrefix("vmx ") || line.contains("$(vmx ") }
    #expect(lines.count(where: isExample) >= 2)
  }

  @Test(arguments: tools)
  func `the help of a tool fits on a page and names its manual`(tool: String) throws {
    let help = try stage.run("vmx-\(tool) --help").stdout
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 62, "\(help)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(help)")
    #expect(lines.first?.hasSuffix(" (man vmx-\(tool))") == true)
  }

  // The story manual-version reads the pages as they are installed.
  @Test func `every page takes the version from the tools`() throws {
    for (name, section) in Self.tools.map({ ("vmx-\($0)", 1) }) + Self.otherPages {
      #expect(try ManualPage(name, section).title.contains("\"vmx @version@\""))
    }
  }

  @Test func `vmx names every tool and what it is for`() throws {
    let text = try Described.page("vmx").text(of: "DESCRIPTION")
    for tool in Toolbox.tools {
      #expect(text.contains("vmx-\(tool.name)(1)") && text.contains("\(tool.summary)."))
    }
  }

  @Test func `vmx tells every exit status`() throws {
    let told = try ManualPage("vmx", 1).tags(in: "EXIT STATUS")
    for status in ExitStatus.allCases { #expect(told.contains("\(status.rawValue)")) }
  }

  @Test func `the list of codes is what the script makes of the catalogue`() throws {
    let script = "\(ProjectFile.root)/Tests/Manual/catalogue.awk"
    let result = try stage.run(
      "vmx explain --fields code,status,retry,sentence,hint | awk -f '\(script)'")
    #expect(try ManualPage("vmx-errors", 7).part("catalogue.awk") == result.stdout)
  }

  @Test func `the list of keys is what the script makes of their table`() throws {
    let script = "\(ProjectFile.root)/Tests/Manual/keys.awk"
    let fields = "shape,key,type,unit,meaning,tools,contains"
    let result = try stage.run("vmx explain --keys --fields \(fields) | awk -f '\(script)'")
    #expect(try ManualPage("vmx-json", 5).part("keys.awk") == result.stdout)
  }

  @Test func `the list of codes has every code`() throws {
    let told = try ManualPage("vmx-errors", 7).tags(in: "CODES")
    #expect(told == ErrorCode.allCases.map(\.rawValue))
  }

  @Test func `the settings are documented with their built-in values`() throws {
    let page = try ManualPage("vmx-config", 5)
    #expect(Set(page.tags(in: "SETTINGS")) == Set(SettingKey.allCases.map(\.rawValue)))
    let values = page.text(of: "SETTINGS").filter { $0.hasPrefix("Built-in: ") }
    let builtIn = SettingKey.allCases.compactMap(\.entry.builtIn).map { "Built-in: \($0)." }
    #expect(values.filter { !$0.contains("none") }.sorted() == builtIn.sorted())
  }

  @Test func `the meaning of a setting is how its entry begins`() throws {
    let page = try ManualPage("vmx-config", 5)
    let settings = page.texts(in: "SETTINGS")
    for key in SettingKey.allCases {
      #expect(settings[key.rawValue]?.hasPrefix(key.meaning) == true, "\(key.rawValue)")
    }
    let hosts = page.texts(in: "HOSTS")
    for key in HostKey.allCases {
      #expect(hosts[key.rawValue]?.hasPrefix(key.meaning) == true, "\(key.rawValue)")
    }
  }

  @Test func `the settings of hosts are documented`() throws {
    let told = try ManualPage("vmx-config", 5).tags(in: "HOSTS")
    #expect(Set(told) == Set(HostKey.allCases.map(\.rawValue)))
    #expect(told.count == HostKey.allCases.count)
  }

  @Test func `the page of states has every reason as the tools word it`() throws {
    let page = try ManualPage("vmx-states", 7)
    let waiting = WaitReason.allCases.map { ($0.rawValue, $0.phrase()) }
    #expect(page.part("waiting") == Self.list(of: waiting))
    let unchanged = UnchangedReason.allCases.map { ($0.rawValue, $0.phrase) }
    #expect(page.part("unchanged") == Self.list(of: unchanged))
  }

  @Test func `the page of migrate has every doubt as the tool words it`() throws {
    let doubts = MigrationDoubt.allCases.map { ($0.rawValue, $0.phrase) }
    #expect(try ManualPage("vmx-migrate", 1).part("doubts") == Self.list(of: doubts))
  }

  /// Returns a list of names and phrases in the form of the page.
  private static func list(of entries: [(name: String, phrase: String)]) -> String {
    func roff(_ text: String) -> String {
      text.replacing("-", with: #"\-"#).replacing("'", with: #"\(aq"#)
    }
    return entries.map { name, phrase in
      let sentence = phrase.prefix(1).uppercased() + phrase.dropFirst()
      return ".TP\n\\fB\(roff(name))\\fP\n\(roff(sentence)).\n"
    }.joined()
  }

  @Test func `the page of states has all of them and the diagram`() throws {
    let page = try ManualPage("vmx-states", 7)
    let words = page.words
    for state in PartState.allCases { #expect(words.contains(state.rawValue)) }
    for want in Want.allCases { #expect(words.contains(want.rawValue)) }
    let diagram = page.part("diagram").split(separator: "\n").map { ManualPage.plain("\($0)") }
      .filter { !$0.hasPrefix(".") }.map { $0 + "\n" }.joined()
    #expect(diagram == (try stage.run("vmx states").stdout))
  }
}
