package import SystemPackage
package import VmxModel
package import VmxPresentation
import VmxSystem

/// The surroundings of a tool: created once and passed down. No code below it reads the state of
/// the process itself.
package struct CommandContext: Sendable {
  /// The tool's name, such as `vmx-fetch`.
  package let tool: String
  /// The sink for the result, and for nothing else.
  package let output: any ByteSink
  /// The terminal or pipe that receives the result, with its palette.
  package let terminal: TerminalFacts
  /// The same, read at the time of the call, because the window size may change.
  package let terminalNow: @Sendable () -> TerminalFacts
  /// The messages on standard error.
  package let messages: Messages
  /// The source of input rows.
  package let input: any ByteSource
  /// The clock.
  package let clock: any WallClock
  /// The environment variables.
  package let environment: Environment
  /// Whether the result is JSON Lines.
  package let isJSON: Bool
  /// The settings: built-in values, files, environment, `-c`. A tool adds its own options.
  package let settings: Settings
  /// The error of a settings file, if the tool continues with the built-in settings.
  package var settingsFailure: Failure?

  /// Creates the context of a tool with this output mode.
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

  /// The name of the stage in records: the tool's name without `vmx-`.
  package var stage: String {
    tool.hasPrefix("vmx-") ? String(tool.dropFirst(4)) : tool
  }

  /// Returns `VMX_HOME`, else `vmx` in `XDG_DATA_HOME` or in `~/.local/share`; always absolute.
  ///
  /// - Throws: `bad-setting` if none of them is set.
  package func home() throws(Failure) -> FilePath {
    try environment.folder("VMX_HOME", xdg: "XDG_DATA_HOME", beneathHome: ".local/share")
  }

  /// Returns the rule that decides which episodes are due now, from the settings of this tool.
  ///
  /// - Throws: `bad-setting`.
  package func dueRule() throws(Failure) -> DueRule {
    let window = try settings.window(.window)
    // A row of output asks for the rule each; most libraries have no window, and need no zone.
    guard window != .always else { return DueRule(now: clock.now) }
    return DueRule(now: clock.now, window: window, zone: SystemZone())
  }
}
