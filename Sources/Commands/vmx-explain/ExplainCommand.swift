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
    let form: OutputForm<CodeField> = try form.form(output)
    guard let code else { return try list(ErrorCode.allCases, form, in: context) }
    guard let known = ErrorCode(rawValue: code) else { throw unknown(code) }
    guard case .columns(CodeField.usual) = form else {
      return try list([known], form, in: context)
    }
    try context.output.write(CodeRow(known).details.text(context.terminal))
  }

  private func list(
    _ codes: [ErrorCode], _ form: OutputForm<CodeField>, in context: CommandContext
  ) throws {
    var listing = Listing<CodeRow>(form, to: context.output, context.terminal)
    for code in codes { try listing.row(CodeRow(code)) }
    try listing.end()
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
