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
        vmx states --dot | dot -Tsvg > states.svg
      """)

  @OptionGroup var output: OutputOptions

  @Option(help: "Output language; default: plantuml.")
  var format: StateDiagram.Language?

  @Flag(help: "Print it in the language of Graphviz, as '--format dot'.")
  var dot = false

  var printsUnderQuiet: Bool { format != nil || dot }

  func validate() throws {
    guard dot, output.json || format ?? .dot != .dot else { return }
    throw ValidationError("--dot excludes --json and another --format")
  }

  func perform(in context: CommandContext) throws {
    let diagram = StateDiagram(partTables, licence: LicenceMachine.machine.table)
    try context.output.write(
      diagram.text(in: output.json ? .json : dot ? .dot : format ?? .plantuml))
  }
}

extension StateDiagram.Language: ExpressibleByArgument {}
