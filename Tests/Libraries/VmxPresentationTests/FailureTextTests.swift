import Testing
import VmxModel
import VmxPresentation

@Suite struct FailureTextTests {
  private let failure = Failure(.badLine, "expected ':'", hint: "mend it")
  private let place = InputPosition("stdin", line: 3, column: 17)
  private let plain = Palette(isEnabled: false)

  @Test func `a bad line is reported with stream, line and column`() {
    #expect(
      FailureText.lines(failure, of: "vmx-fetch", at: place, plain)
        == "vmx-fetch: stdin:3:17: error[bad-line]: expected ':'\nhint: mend it\n")
  }

  @Test func `one of several items is named`() {
    #expect(
      FailureText.lines(failure, of: "vmx-fetch", id: "a/b", plain)
        .hasPrefix("vmx-fetch: a/b: error[bad-line]:"))
  }

  @Test func `external text contains no terminal control characters`() {
    let hostile = Failure(.badLine, "'\u{1b}[2J'", hint: "")
    #expect(
      FailureText.lines(hostile, of: "vmx-add", plain) == "vmx-add: error[bad-line]: '\\x1b[2J'\n")
  }

  @Test func `as JSON it is one object with the same code`() {
    let object = FailureText.object(failure, of: "vmx-fetch", at: place)
    #expect(
      JSONValue.object(object).text
        == #"{"schema":1,"tool":"vmx-fetch","stream":"stdin","line":3,"column":17,"error":{"code":"bad-line","message":"expected ':'","hint":"mend it","retry":"never"}}"#
    )
  }
}
