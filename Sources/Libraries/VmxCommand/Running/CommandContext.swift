package import SystemPackage
package import VmxModel
package import VmxPresentation
import VmxSystem

/// What a tool works in: made once, passed down; below it nothing asks the process for anything.
package struct CommandContext: Sendable {
  /// The tool's name, such as `vmx-fetch`.
  package let tool: String
  /// Where the result goes, and nothing else.
  package let output: any ByteSink
  /// Where the result ends, with its palette.
  package let terminal: TerminalFacts
  /// The same at the moment of the call: windows change their size.
  package let terminalNow: @Sendable () -> TerminalFacts
  /// What is told on standard error.
  package let messages: Messages
  /// Where rows may come from.
  package let input: any ByteSource
  /// The clock.
  package let clock: any WallClock
  /// The environment's variables.
  package let environment: Environment
  /// Whether the result is JSON Lines.
  package let isJSON: Bool
  /// The settings: built-in values, files, environment, `-c`; options are added by who has them.
  package let settings: Settings
  /// Why the settings could not be read, where the tool goes on with the built-in ones.
  package var settingsFailure: Failure?

  /// A context for a tool that is to speak in this manner.
  package init(
    _ tool: String, _ manner: Manner, _ surroundings: Surroundings, settings: Settings = Settings()
  ) {
    self.settings = settings
    self.tool = tool
    let environment = surroundings.environment
    @Sendable func painted(_ end: TerminalFacts) -> TerminalFacts {
      var end = end
      let isOn = manner.color.isOn(isTerminal: end.isTerminal) { environment[$0] }
      end.palette = Palette(isOn: isOn)
      return end
    }
    output = surroundings.output
    terminal = painted(surroundings.outputEnd)
    let measure = surroundings.outputEndNow
    terminalNow = { painted(measure()) }
    messages = Messages(
      tool, surroundings.errors, painted(surroundings.errorsEnd), manner)
    input = surroundings.input
    clock = surroundings.clock
    self.environment = environment
    isJSON = manner.isJSON
  }

  /// The name of the stage in records: the tool's without `vmx-`.
  package var stage: String {
    tool.hasPrefix("vmx-") ? String(tool.dropFirst(4)) : tool
  }

  /// `VMX_HOME`, else `vmx` in `XDG_DATA_HOME` or in `~/.local/share`; always absolute.
  ///
  /// - Throws: `bad-setting` where none of them is set.
  package func home() throws(Failure) -> FilePath {
    try environment.folder("VMX_HOME", xdg: "XDG_DATA_HOME", beneathHome: ".local/share")
  }

  /// The rule that decides what is due now, by the settings of this tool.
  ///
  /// - Throws: `bad-setting`.
  package func dueRule() throws(Failure) -> DueRule {
    DueRule(now: clock.now, window: try settings.window(.window), zone: SystemZone())
  }
}
