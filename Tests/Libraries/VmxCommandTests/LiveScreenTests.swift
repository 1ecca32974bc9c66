import Testing
import VmxCommand
import VmxPresentation

@Suite struct LiveScreenTests {
  private let buffer = ByteBuffer()

  private func terminal(_ width: Int) -> TerminalFacts {
    TerminalFacts(isTerminal: true, width: width)
  }

  @Test func `each frame replaces the previous one`() throws {
    var screen = LiveScreen(on: buffer)
    try screen.show(["one", "two"], terminal(80))
    try screen.show(["three"], terminal(80))
    #expect(buffer.text == "one\ntwo\n\r\u{1b}[2Athree\u{1b}[K\n\u{1b}[J")
  }

  @Test func `unchanged content is not drawn again`() throws {
    var screen = LiveScreen(on: buffer)
    try screen.show(["one"], terminal(80))
    try screen.show(["one"], terminal(80))
    #expect(buffer.text == "one\n")
  }

  @Test func `lines that a narrower window wraps are erased completely`() throws {
    var screen = LiveScreen(on: buffer)
    try screen.show(["\u{1b}[1m0123456789\u{1b}[0m", "", "x"], terminal(80))
    try screen.show(["y"], terminal(4))
    #expect(buffer.text.hasSuffix("x\n\r\u{1b}[5Ay\u{1b}[K\n\u{1b}[J"))
  }

  @Test func `a frame after lines that were left begins below the cursor`() throws {
    var screen = LiveScreen(on: buffer)
    try screen.show(["one", "two"], terminal(80))
    screen.leave()
    try screen.show(["one", "two"], terminal(80))
    #expect(buffer.text == "one\ntwo\none\ntwo\n")
  }

  @Test func `a terminal without UTF-8 gets no ellipsis`() throws {
    var screen = LiveScreen(on: buffer)
    try screen.show(["a…b"], TerminalFacts(isTerminal: true, isUTF8: false))
    #expect(buffer.text == "a~b\n")
  }
}
