import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation

/// Prints the catalogue entry of an error code, or the whole catalogue.
@main
struct ExplainCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "explain", usage: "vmx explain [<options>] [<code>]",
    discussion: """
      Examples:
        vmx explain disk-full
        vmx explain --fields code,hint
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions

  @Argument(help: "The code, as it stands in brackets in a message; without, all of them.")
  var code: String?

  func perform(in context: CommandContext) throws {
    let form: OutputForm<ErrorCodeField> = try form.form(output)
    var codes = ErrorCode.allCases
    if let code {
      guard let known = ErrorCode(rawValue: code) else { throw unknown(code) }
      codes = [known]
      if case .columns(ErrorCodeField.usual) = form {
        return try context.output.write(ErrorCodeRow(known).details.text(context.terminal))
      }
    }
    let reporter = RowReporter<ErrorCodeRow>(form, in: context)
    for code in codes { try reporter.print(ErrorCodeRow(code), flushing: false) }
    try reporter.conclude(notes: [])
  }

  private func unknown(_ code: String) -> Failure {
    if ErrorCode.retired.contains(code) {
      return Failure(.noSuchCode, "the code '\(code)' is no longer used")
    }
    let near = suggestions(for: code, among: ErrorCode.allCases.map(\.rawValue))
    let hint = near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    let shown = URLRedaction.redacted(operand: code)
    return Failure(.noSuchCode, "no error has the code '\(shown)'", hint: hint)
  }
}
