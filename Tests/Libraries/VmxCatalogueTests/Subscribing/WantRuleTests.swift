import Testing
import VmxModel

struct WantRuleTests {
  @Test(arguments: ["none", "all", "new", "latest:1", "latest:99999"])
  func `a rule is read back as it was written`(_ text: String) {
    #expect(WantRule(text: text)?.text == text)
  }

  @Test(arguments: ["", "latest", "latest:0", "latest:x", "latest:100000", "some", "None"])
  func `other texts are not rules`(_ text: String) {
    #expect(WantRule(text: text) == nil)
  }
}
