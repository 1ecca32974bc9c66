import ArgumentParser
import VmxCommand
import VmxEngine
import VmxLicence
import VmxModel
import VmxPresentation

/// Prints the state diagram, generated from the tables of the state machines.
@main
struct StatesCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "states", usage: "vmx states [<options>]",
    discussion: """
      Examples:
        vmx states | plantuml -tsvg -pipe > states.svg
        vmx states --format mermaid
      """)

  @OptionGroup var output: OutputOptions

  @Option(help: "Output language; default: plantuml.")
  var format: StateDiagram.Language?

  var printsUnderQuiet: Bool { format != nil }

  func perform(in context: CommandContext) throws {
    let diagram = StateDiagram(partTables, licence: LicenceMachine.machine.table)
    try context.output.write(diagram.text(in: output.json ? .json : format ?? .plantuml))
  }
}

extension StateDiagram.Language: ExpressibleByArgument {}
