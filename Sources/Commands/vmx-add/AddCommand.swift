import ArgumentParser
import SystemPackage
import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// Adds episodes to the library: from URLs, local files, or lines of JSON or of URLs.
@main
struct AddCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "add", usage: "vmx add [<options>] (<url>|<file>)...",
    discussion: """
      Prints the id of each episode, also of an existing one, which is not changed. A file is \
      copied, verified and stored at once; a URL waits for 'vmx fetch'. Without operands, lines of \
      JSON are read from standard input; with '-', lines of URLs.

      vmx add --show 'Our Films' --season 1 --number 2 https://example.org/film.mp4
      vmx add ~/Videos/*.mp4
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var details: DescriptionOptions

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(help: "URLs or files; '-' reads lines of URLs from standard input.")
  var sources: [String] = []

  var pathArguments: [String] {
    (sources + [details.licence].compactMap { $0 }).filter { !$0.contains("://") }
  }

  func validate() throws {
    guard details.from == nil || sources.isEmpty || sources == ["-"] else {
      throw ValidationError("--from reads standard input, and takes no operand but '-'")
    }
    guard !details.merge || sources.isEmpty else {
      throw ValidationError("--merge reads rows on standard input, and takes no operands")
    }
    // A licence file contains the address of its video.
    let isNamedByLicence = sources.isEmpty && details.licence.map { !$0.contains("://") } ?? false
    try details.validate(
      describing: isNamedByLicence ? 1 : sources == ["-"] ? 0 : sources.count)
  }

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output, usual: isDryRun ? OutcomeField.defaultFields : [.id]), in: context,
      tally: Tally(waitingFails: true))
    var details = details
    let licence = try LicenceAddition(details, in: context)
    let sources = try licence?.operands(sources, &details) ?? sources
    let selection = try AddInput(details, sources).selection(in: context)
    let interruption = try Interruption.install()
    let store = try context.openStore(library.lock, until: interruption)
    let display = AddDisplay(sources, isOff: output.quiet || context.isJSON, in: context)
    defer { display.close() }
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage,
      newFilesBelow: try library.rootFolder(in: context),
      shouldStop: { interruption.isRequested })
    let work = AddWork(
      tools, catalogue: details.merge ? try context.settings.catalogueBase().origin : nil,
      licence: licence, display: display, reporter: reporter, in: context)
    do {
      try selection.forEachBatch(largest: selection.source == .rows ? 1000 : 1) { entries in
        guard !interruption.isRequested else { return false }
        try work.add(entries, isTyped: selection.source == .operands)
        return true
      }
    } catch  where error.isInterruption {
      // The interruption is reported below, and by the exit status.
    }
    display.close()
    try reporter.finish(interruptedBy: interruption)
  }
}
