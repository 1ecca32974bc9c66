import Testing

@testable import VmxPresentation

@Suite struct DetailsTests {
  @Test func `labels are in one column and sections are below`() {
    let details = Details(
      heading: "a/b", lines: [.init("title", "T"), .init("id", "x")],
      sections: [Details(heading: "video", lines: [.init("state", "ready")])])
    #expect(
      details.text(.pipe) == """
        a/b
          title  T
          id     x
          video
            state  ready

        """)
  }

  @Test func `a long text is wrapped between words at the width of the terminal`() {
    let details = Details(heading: "h", lines: [.init("l", "one two three four five six seven")])
    let text = details.text(TerminalFacts(isTerminal: true, width: 26))
    #expect(text == "h\n  l  one two three four\n     five six seven\n")
  }
}
