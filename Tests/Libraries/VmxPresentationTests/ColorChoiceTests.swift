import Testing
import VmxPresentation

@Suite struct ColorChoiceTests {
  @Test(
    arguments: [
      (ColorChoice.auto, true, [:], true),
      (.auto, false, [:], false),
      (.auto, true, ["TERM": "dumb"], false),
      (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true),
      (.auto, false, ["CLICOLOR_FORCE": "1"], true),
      (.auto, false, ["CLICOLOR_FORCE": "0"], false),
      (.auto, false, ["CLICOLOR_FORCE": ""], false),
      (.auto, true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
      (.always, false, ["NO_COLOR": "1"], true),
      (.never, true, ["CLICOLOR_FORCE": "1"], false),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
  func `the option overrides the environment, which overrides the terminal`(
    choice: ColorChoice, isTerminal: Bool, variables: [String: String], isOn: Bool
  ) {
    #expect(choice.isEnabled(isTerminal: isTerminal) { variables[$0] } == isOn)
  }

  @Test func `without colours a text is unchanged`() {
    #expect(Palette(isEnabled: false).paint("x", .failure) == "x")
    #expect(Palette(isEnabled: true).paint("x", .failure) == "\u{1b}[31mx\u{1b}[0m")
  }
}
