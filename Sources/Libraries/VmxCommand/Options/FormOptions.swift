package import ArgumentParser
package import VmxModel
package import VmxPresentation

/// The options of tools that print rows.
package struct FormOptions: ParsableArguments, Sendable {
  /// The requested fields, separated by commas.
  @Option(help: ArgumentHelp("Only these fields, joined by commas.", valueName: "a,b"))
  package var fields: String?

  /// The requested template.
  @Option(
    help: ArgumentHelp(
      "Print each row by this template: text with {field}, {{, }}, \\t and \\n.",
      valueName: "template"))
  package var format: String?

  /// Whether rows end with NUL.
  @Flag(name: [.customShort("0"), .long], help: "End each row with NUL instead of a line end.")
  package var null = false

  package init() {}

  /// Returns the requested form of output.
  ///
  /// - Parameters:
  ///   - output: the options that select JSON.
  ///   - usual: the fields if none were requested.
  /// - Throws: `usage` for an unknown field, an invalid template, or forms that exclude each other.
  package func form<Field: ListingField>(
    _ output: OutputOptions, usual: [Field] = Field.usual
  ) throws(Failure) -> OutputForm<Field> {
    let asked: [Field]? = try fields.map { text throws(Failure) in try Field.fields(from: text) }
    let forms = [output.json ? "--json" : nil, format.map { _ in "--format" }, null ? "-0" : nil]
      .compactMap { $0 }
    if forms.count > 1 {
      throw Failure(
        .usage, "\(forms[0]) and \(forms[1]) exclude each other", hint: "give one of them")
    }
    if output.json { return .json(asked) }
    if null { return .nul(asked ?? Array(usual.prefix(1))) }
    guard let format else { return .columns(asked ?? usual) }
    guard asked == nil else {
      throw Failure(
        .usage, "--fields and --format exclude each other", hint: "name the fields in the template")
    }
    return .template(try OutputTemplate(format))
  }
}
