import Testing
import VmxModel

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

  @Test func `the full help also lists other and hidden tools`() {
    let text = Overview.fullText(hits)
    #expect(text.contains("  explain   Explain an error code\n"))
    #expect(text.contains("  mine      /p/vmx-mine\n"))
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
