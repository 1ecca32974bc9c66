import ArgumentParser
import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Searches the catalogue for shows or people, the best match first.
@main
struct SearchCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "search", usage: "vmx search [<options>] <text>...",
    discussion: """
      Prints the ten best matches of TVMaze. Results are cached for an hour.

      vmx search girls
      vmx search --people lena dunham
      vmx search girls --json | vmx episodes --season 1 --json | vmx add --merge
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var catalogue: CatalogueOptions

  @Flag(help: "Search for people instead of shows.")
  var people = false

  @Argument(help: "Words of a title or a name.")
  var words: [String] = []

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  func perform(in context: CommandContext) throws {
    let shows: OutputForm<ShowField> =
      people ? .json(nil) : try form.form(output, isTable: screen.table)
    let names: OutputForm<PersonField> =
      people ? try form.form(output, isTable: screen.table) : .json(nil)
    let text = words.joined(separator: " ")
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw Failure(.usage, "no search text given", hint: "give words of a title")
    }
    ignoreBrokenPipes()
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let session = try CatalogueSession(
      store, try catalogue.access(in: context), clock: context.clock, interruption: interruption
    ) { context.messages.note($0) }
    defer { session.close() }
    let count: Int? = try context.ending(by: interruption) {
      try context.paging(unless: screen.noPager) { context in
        try people
          ? found(text, in: session.catalogue, to: RowReporter(names, in: context))
          : found(text, in: session.catalogue, store: store, to: RowReporter(shows, in: context))
      }
    }
    if count == 0 { return context.messages.note("no match for '\(text)' in the catalogue") }
    context.noteCatalogueSource()
  }

  /// Prints the people that match, and returns their number.
  private func found(
    _ text: String, in catalogue: TVMazeCatalogue, to reporter: RowReporter<PersonRow>
  ) throws -> Int {
    let found = try catalogue.people(matching: text)
    for person in found { try reporter.print(PersonRow(person), flushing: false) }
    try reporter.end()
    return found.count
  }

  /// Prints the shows that match, and returns their number.
  private func found(
    _ text: String, in catalogue: TVMazeCatalogue, store: LibraryStore,
    to reporter: RowReporter<ShowRow>
  ) throws -> Int {
    let found = try catalogue.shows(matching: text)
    var slugs = ShowSlugs(in: try store.snapshot())
    for show in found {
      try reporter.print(ShowRow(show, slug: slugs.slug(of: show)), flushing: false)
    }
    try reporter.end()
    return found.count
  }
}
