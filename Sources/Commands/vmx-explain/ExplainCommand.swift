import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation

/// Prints the catalogue entry of an error code, the whole catalogue, or the keys of JSON output.
@main
struct ExplainCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "explain", usage: "vmx explain [<options>] [<code>]",
    discussion: """
      Examples:
        vmx explain disk-full
        vmx explain --fields code,hint
        vmx explain --keys verify
        vmx list --failed --json | vmx explain -
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions

  @Flag(help: "Print the JSON keys of all tools, or of the given tool.")
  var keys = false

  @Argument(
    help: "Error code from a message; all codes if omitted. With '-', the codes of rows are read.")
  var code: String?

  func perform(in context: CommandContext) throws {
    if keys { return try printKeys(in: context) }
    let form: OutputForm<ErrorCodeField> = try form.form(output)
    var codes = ErrorCode.allCases
    if code == "-" {
      codes = try codesOfRows(in: context)
    } else if let code {
      if let status = Int32(code).flatMap(ExitStatus.init), form.isDefault() {
        return try context.output.write(Self.text(of: status))
      }
      guard let known = ErrorCode(rawValue: code) else { throw unknown(code) }
      codes = [known]
      if form.isDefault() {
        return try context.output.write(ErrorCodeRow(known).details.text(context.terminal))
      }
    }
    let reporter = RowReporter<ErrorCodeRow>(form, in: context)
    for code in codes { try reporter.print(ErrorCodeRow(code), flushing: false) }
    try reporter.finish(notes: [])
  }

  /// Returns the codes of the rows on standard input, each once, in their order.
  private func codesOfRows(in context: CommandContext) throws -> [ErrorCode] {
    let selection = InputSelection<ErrorCode?>(
      ["-"], .failures, accepting: Set(RowKind.allCases), in: context
    ) { row throws(Failure) in
      guard let code = row.object == nil ? row.text : row.object?["code"]?.string else {
        return nil
      }
      guard let known = ErrorCode(rawValue: code) else { throw unknown(code) }
      return known
    }
    var codes: [ErrorCode] = []
    try selection.forEach { entry in
      switch entry {
      case .item(let code?, _): if !codes.contains(code) { codes.append(code) }
      case .invalid(let failure, _): throw failure
      case .item, .passThrough: break
      }
      return true
    }
    return codes
  }

  private func printKeys(in context: CommandContext) throws {
    if let code, Toolbox.tool(named: code) == nil {
      throw Failure(
        .usage, "'\(URLRedaction.redacted(operand: code))' is not a tool",
        hint: "run 'vmx help' for the list of tools")
    }
    let reporter = RowReporter<KeyRow>(try form.form(output), in: context)
    for row in JSONShape.rows(of: code) { try reporter.print(row, flushing: false) }
    try reporter.finish(notes: [])
  }

  /// Returns the meaning of an exit status, and the codes that lead to it.
  private static func text(of status: ExitStatus) -> String {
    let codes = ErrorCode.allCases.filter { $0.entry.status == status }.map(\.rawValue)
    let list = codes.isEmpty ? "" : "codes: \(codes.joined(separator: ", "))\n"
    return "exit status \(status.rawValue): \(status.meaning)\n" + list
  }

  private func unknown(_ code: String) -> Failure {
    if ErrorCode.retired.contains(code) {
      return Failure(.noSuchCode, "the code '\(code)' is no longer used")
    }
    let codes = ErrorCode.allCases.map(\.rawValue)
    let similar = suggestions(for: code, among: codes)
    let near =
      similar.isEmpty && code.contains("404")
      ? [ErrorCode.httpGone.rawValue]
      : similar.isEmpty ? codes.filter { $0.split(separator: "-").contains(code[...]) } : similar
    let hint = near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    let shown = URLRedaction.redacted(operand: code)
    return Failure(.noSuchCode, "no error has the code '\(shown)'", hint: hint)
  }
}
