import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxPlugins

@Suite struct PluginDescriptionTests {
  @Test(arguments: [
    ("#!/bin/sh\n# vmx: Say hello\n", "Say hello"), ("// vmx:Say hello \r\n", "Say hello"),
    ("\n\n-- vmx: Say hello", "Say hello"), (";; vmx:   Say hello", "Say hello"),
    ("vmx: no comment", nil), ("# vmx:\n# vmx: second\n", "second"), ("# about vmx: this", nil),
    ("# vmx: first\n# vmx: second", "first"), ("# vmx: with\u{0}NUL", nil), ("", nil),
  ])
  func `a comment at the head of a script is the summary`(head: String, summary: String?) {
    #expect(PluginDescription(script: Array(head.utf8)).summary == summary)
  }

  @Test func `only the first lines are searched, and a line that is not UTF-8 is skipped`() {
    let late = String(repeating: "\n", count: 30) + "# vmx: late"
    #expect(PluginDescription(script: Array(late.utf8)).summary == nil)
    let bytes = Array("# vmx: ".utf8) + [0xFF, 0x0A] + Array("# vmx: text\n# vmx-version: 2".utf8)
    #expect(PluginDescription(script: bytes) == PluginDescription(summary: "text", version: "2"))
  }

  @Test func `a long statement is cut`() {
    let head = "# vmx: " + String(repeating: "é", count: 300)
    #expect(PluginDescription(script: Array(head.utf8)).summary?.count == 200)
  }

  @Test(arguments: [
    (#"{"summary":"From JSON"}"#, "From JSON", "1", false),
    (#"{"summary":"a\nb","version":"2","more":[]}"#, "a", "2", false),
    (#"{}"#, "From script", "1", false), (#"{"summary":""}"#, "From script", "1", false),
    (#"{"summary":1}"#, "From script", "1", true), ("[]", "From script", "1", true),
    ("{", "From script", "1", true), ("", "From script", "1", true),
  ])
  func `the JSON file overrides the comments`(
    json: String, summary: String, version: String, isMalformed: Bool
  ) throws {
    let scratch = try ScratchFolder()
    try scratch.write("vmx-a.json", json)
    let head = "# vmx: From script\n# vmx-version: 1\n"
    let found = PluginDescription(
      ofPluginAt: scratch.path("vmx-a").string, head: Array(head.utf8))
    #expect(
      found
        == PluginDescription(summary: summary, version: version, isMalformed: isMalformed))
  }
}
