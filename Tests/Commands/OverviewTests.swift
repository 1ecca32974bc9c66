import Testing
import VmxModel
import VmxPlugins

@testable import vmx__dispatch

@Suite struct OverviewTests {
  private let hits = [
    ToolFinder.Candidate(name: "explain", path: "/l/vmx-explain"),
    ToolFinder.Candidate(name: "list", path: "/l/vmx-list"),
    ToolFinder.Candidate(name: "list", path: "/p/vmx-list", hiddenBy: "/l/vmx-list"),
    ToolFinder.Candidate(name: "mine", path: "/p/vmx-mine"),
  ]

  @Test func `the help lists the tools of vmx that are installed`() {
    let text = Overview.text(hits, isEmpty: false)
    #expect(text.contains("  list      List the episodes of the library\n"))
    #expect(!text.contains("  fetch "))
    #expect(!text.contains("mine") && !text.contains("explain ") && !text.contains("Next:"))
  }

  @Test func `the help has at most 30 lines of at most 80 columns`() {
    let all = (Toolbox.tools + Toolbox.links).map {
      ToolFinder.Candidate(name: $0.name, path: "/l/vmx-\($0.name)")
    }
    let lines = Overview.text(all, isEmpty: true).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 30 && lines.allSatisfy { $0.count <= 80 })
    let words = Set(lines.flatMap { $0.split(separator: " ") })
    for tool in Toolbox.tools + Toolbox.links where tool.group != .reference {
      #expect(words.contains { $0 == tool.name }, "\(tool.name)")
    }
  }

  @Test func `the full help also lists plugins, aliases and hidden tools`() {
    var plugins = [
      Plugin(name: "mine", kind: .plugin, path: "/p/vmx-mine", source: .path),
      Plugin(
        name: "rate", kind: .plugin, summary: "Rate\u{1b}[2J", path: "/p/vmx-rate", source: .path),
      Plugin(name: "tv", kind: .alias, summary: "list --show", path: nil, source: .settings),
      Plugin(name: "list", kind: .plugin, path: "/p/vmx-list", source: .path),
    ]
    plugins[3].warnings = [.shadowed]
    plugins[3].hiddenBy = "/l/vmx-list"
    let text = Overview.fullText(hits, plugins: plugins)
    #expect(text.contains("  explain   Explain an error code\n"))
    #expect(text.contains("\nPlugins\n  mine      /p/vmx-mine\n"))
    #expect(text.contains("  rate      Rate\\x1b[2J\n"))
    #expect(text.contains("\nAliases of the settings\n  tv        list --show\n"))
    #expect(text.contains("/p/vmx-list, by /l/vmx-list\n"))
  }

  @Test(arguments: [
    ([], "explain\nlist\nmine\n"), (["main"], "explain\nlist\n"), (["others"], "mine\n"),
    (["reference", "others"], "explain\nmine\n"),
  ])
  func `names are listed by group`(groups: [String], names: String) throws {
    #expect(try Overview.names(hits, groups: groups) == names)
  }

  @Test func `an unknown group is a usage error`() {
    #expect(throws: Failure.self) { try Overview.names(hits, groups: ["nope"]) }
  }
}
