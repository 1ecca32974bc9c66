import Testing
import VmxModel

@testable import VmxPresentation

@Suite struct OutputTemplateTests {
  @Test(arguments: [
    ("{id}", "a/b\n"), ("{id}\\n", "a/b\n"), ("{id}\\0", "a/b\0"), ("{{{id}}}", "{a/b}\n"),
    ("{title}\\t{size}", "Title\t7\n"), ("", "\n"), ("\\\\", "\\\n"),
  ])
  func `a template is filled and ended by one line break`(template: String, text: String) throws {
    #expect(try printed(.template(try OutputTemplate(template)), [SampleRow()]) == text)
  }

  @Test(arguments: ["{nope}", "{id", "id}", "\\x", "\\", "{}", "best", "bv*+ba/b", "137+140"])
  func `a template that cannot be filled is a usage error`(template: String) {
    #expect(throws: Failure.self) { try OutputTemplate<SampleField>(template) }
  }

  @Test func `a value in a template contains no terminal control characters`() throws {
    let text = try printed(.template(try OutputTemplate("{title}")), [SampleRow(title: "\u{1b}c")])
    #expect(text == "\\x1bc\n")
  }

  @Test func `an unknown field is reported with the known fields`() {
    let failure = Failure(
      .usage, "unknown field 'nope'", hint: "available fields: id, size, title")
    #expect(throws: failure) { try SampleField.fields(from: "id,nope") }
  }
}
