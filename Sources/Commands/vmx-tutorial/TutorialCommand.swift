import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation
import VmxSystem

/// Teaches the main commands in ten steps, on a library that exists only during the lesson.
@main
struct TutorialCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "tutorial", usage: "vmx tutorial [<options>]",
    discussion: """
      You type ten commands, and see what each does and why. The films come from this computer, \
      and the library is a temporary one: yours is not touched, and nothing remains. \
      'skip' has a command typed for you, 'quit' or Ctrl-C ends the lesson. Without a terminal, \
      prints the steps.

      Examples:
        vmx tutorial
        vmx tutorial < /dev/null
      """)

  static let worksWithoutSettings = true

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if output.json { throw ValidationError("--json does not apply to 'vmx tutorial'") }
  }

  func perform(in context: CommandContext) throws {
    guard context.isInteractive, context.terminal.isTerminal else {
      return try context.output.write(Self.overview)
    }
    let interruption = try Interruption.install()
    try context.ending(by: interruption) {
      let room = try TutorialRoom(in: context)
      defer { room.remove() }
      try Lesson(in: room, context, until: interruption).give()
    }
  }

  /// The steps as a list, for a reader without a terminal.
  private static var overview: String {
    let steps = zip(1..., TutorialStep.all(at: "http://127.0.0.1:PORT")).map { number, step in
      "  \(number). \(step.goal)\n       \(step.command)\n"
    }
    return "vmx tutorial teaches ten commands:\n\n" + steps.joined()
      + "\nTo begin, run 'vmx tutorial' in a terminal. 'man vmx-tutorial' says more.\n"
  }
}
