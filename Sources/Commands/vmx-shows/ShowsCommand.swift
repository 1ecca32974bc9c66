import ArgumentParser
import SystemPackage
import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Shows a show of the catalogue in full, or lists the index of all shows.
@main
struct ShowsCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "shows", usage: "vmx shows [<options>] [<show>]...",
    discussion: """
      A show is given by its id, the URL of its TVMaze page, its title, or its slug, the first \
      half of the ids of its episodes. Without operands, rows are read from standard input.

      vmx shows 139
      vmx shows --page 0 --json | jq -r 'select(.language == "de").title'
      vmx search girls --json | vmx shows
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var catalogue: CatalogueOptions
  @OptionGroup var pictures: PictureOptions

  @Option(help: ArgumentHelp("List this page of the index; 0 is the first.", valueName: "n"))
  var page: Int64?

  @Flag(help: "List the whole index, page by page.")
  var all = false

  @Argument(help: "Shows to print in full.")
  var shows: [String] = []

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  func validate() throws {
    try checkNotNegative("--page", page)
    if pictures.images, all || page != nil {
      throw ValidationError("--images is only valid with shows, not with the index")
    }
    if all && page != nil { throw ValidationError("--all and --page exclude each other") }
    if !shows.isEmpty && (all || page != nil) {
      throw ValidationError("shows exclude --page and --all")
    }
  }

  func perform(in context: CommandContext) throws {
    let form: OutputForm<ShowField> = try form.form(output, isTable: screen.table)
    ignoreBrokenPipes()
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let session = try CatalogueSession(
      store, try catalogue.access(in: context), clock: context.clock, interruption: interruption
    ) { context.messages.note($0) }
    defer { session.close() }
    let selection = InputSelection<ShowRequest>(
      shows: shows, isTyped: all || page != nil, in: context)
    try context.ending(by: interruption) {
      try context.paging(unless: screen.noPager) { context in
        let reporter = RowReporter<ShowRow>(form, in: context)
        switch selection.source {
        case .filters where all || page != nil:
          try printIndex(session.catalogue, store: store, to: reporter, until: interruption)
        case .filters:
          throw Failure(
            .usage, "no show given", hint: "give shows, --page or --all, or pipe in rows")
        case .operands, .rows:
          try printShows(
            selection, from: session.catalogue, store: store, to: reporter, in: context)
        }
        return { try reporter.finish(notes: []) }
      }?()
    }
    context.noteCatalogueSource()
  }

  /// Prints pages of the index, each as soon as it was received.
  private func printIndex(
    _ catalogue: TVMazeCatalogue, store: LibraryStore, to reporter: RowReporter<ShowRow>,
    until interruption: Interruption
  ) throws {
    var slugs = ShowSlugs(in: try store.snapshot())
    var page = page ?? 0
    repeat {
      guard let shows = try catalogue.shows(page: page) else {
        if !all { throw Failure(.notInCatalogue, "the index has no page \(page)") }
        break
      }
      for show in shows {
        try reporter.print(ShowRow(show, slug: slugs.slug(of: show)), flushing: false)
      }
      try reporter.flush()
      page += 1
    } while all && !interruption.isRequested
  }

  /// Prints shows in full; as rows if output for programs or a table was requested.
  private func printShows(
    _ selection: InputSelection<ShowRequest>, from catalogue: TVMazeCatalogue, store: LibraryStore,
    to reporter: RowReporter<ShowRow>, in context: CommandContext
  ) throws {
    let lookup = ShowLookup(catalogue, store) { context.messages.note($0) }
    let isDetailed = !output.json && !form.isSpecified && !screen.table
    var slugs = ShowSlugs(in: try store.snapshot())
    var isFirst = true
    try selection.forEachRequest(reporter) { request in
      let show = try lookup.show(request)
      let row = ShowRow(
        show, slug: slugs.slug(of: show),
        imageFile: try pictures.images ? show.image.flatMap(catalogue.file)?.string : nil)
      if isDetailed {
        try context.output.write((isFirst ? "" : "\n") + row.details.text(context.terminal))
        isFirst = false
      } else {
        try reporter.print(row)
      }
      return .done
    }
  }
}
