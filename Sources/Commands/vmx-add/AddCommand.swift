import ArgumentParser
import VmxBrowsing
import VmxCommand
import VmxImporting
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Adds episodes to the library: from URLs, local files, or lines of JSON or of URLs.
@main
struct AddCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "add", usage: "vmx add [<options>] (<url>|<file>)...",
    discussion: """
      Prints the id of each episode. What is there already stays as it is, and its id is printed \
      too. A file is copied, proven and placed at once; what has a URL waits for 'vmx fetch'. \
      Without operands, lines of JSON are read from standard input; with '-', lines of URLs.

      vmx add --show 'Our Films' --season 1 --number 2 https://example.org/film.mp4
      vmx add ~/Videos/*.mp4
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var details: DescriptionOptions

  @Argument(help: "URLs or files; '-' reads lines of URLs from standard input.")
  var sources: [String] = []

  var pathArguments: [String] { sources.filter { !$0.contains("://") } }

  func validate() throws {
    try details.validate(describing: sources == ["-"] ? 0 : sources.count)
  }

  func perform(in context: CommandContext) throws {
    let reporter = OutcomeReporter(try form.form(output, usual: [.id]), in: context)
    var input = try AddInput(sources, details, in: context)
    let interruption = try Interruption.install()
    let store = try context.openStore(library.lock, until: interruption)
    let importer = LocalImport(
      store: store,
      mediaRoots: MediaRoots(store: store, newFilesBelow: try library.rootFolder(in: context)),
      clock: context.clock, writesNFO: try context.settings.bool(.libraryNFO),
      shouldStop: { interruption.isRequested })
    let adder = Adder(
      episodeImporter: EpisodeBatchImporter(store: store, clock: context.clock), importer: importer,
      reporter: reporter, rows: EpisodeRows(of: store, in: context),
      messages: context.messages)
    do {
      while !interruption.isRequested, let batch = try input.nextBatch() {
        try adder.add(batch)
      }
    } catch  where error.isInterruption {
      // The interruption is reported below, and by the exit status.
    }
    try reporter.conclude(interruptedBy: interruption)
  }
}
