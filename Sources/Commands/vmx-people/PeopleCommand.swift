import ArgumentParser
import SystemPackage
import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Shows people of the catalogue, and their credits.
@main
struct PeopleCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "people", usage: "vmx people [<options>] [<person>]...",
    discussion: """
      A number is the TVMaze id of a person; other words are a name to search for. Without \
      operands, rows are read from standard input. The row of a credit names its show, so that \
      tools for shows accept it.

      vmx people 37135 --credits
      vmx people lena dunham
      vmx search --people dunham --json | vmx people --credits --json | vmx favourite add
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var catalogue: CatalogueOptions
  @OptionGroup var pictures: PictureOptions

  @Flag(help: "List the shows that they took part in.")
  var credits = false

  @Argument(help: "Ids, or words of a name.")
  var words: [String] = []

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  func perform(in context: CommandContext) throws {
    let people: OutputForm<PersonField> =
      credits ? .json(nil) : try form.form(output, isTable: screen.table)
    let credited: OutputForm<CreditField> =
      credits ? try form.form(output, isTable: screen.table) : .json(nil)
    ignoreBrokenPipes()
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let isSearch = !words.isEmpty && words.contains { Int64($0) == nil }
    let operands = isSearch ? [words.joined(separator: " ")] : words
    let selection = InputSelection<PersonRequest>(people: operands, in: context)
    guard selection.source != .filters else {
      throw Failure(
        .usage, "no person given", hint: "give an id or a name, or pipe in rows")
    }
    let session = try CatalogueSession(
      store, try catalogue.access(in: context), clock: context.clock, interruption: interruption
    ) { context.messages.note($0) }
    defer { session.close() }
    try context.ending(by: interruption) {
      try context.paging(unless: screen.noPager) { context in
        try credits
          ? printCredits(
            selection, from: session.catalogue, store: store, to: RowReporter(credited, in: context)
          )
          : printPeople(
            selection, from: session.catalogue, to: RowReporter(people, in: context), in: context)
      }?()
    }
    context.noteCatalogueSource()
  }

  private func printPeople(
    _ selection: InputSelection<PersonRequest>, from catalogue: TVMazeCatalogue,
    to reporter: RowReporter<PersonRow>, in context: CommandContext
  ) throws -> () throws -> Void {
    let isPlain = !output.json && !form.isSpecified && !screen.table
    try selection.forEachRequest(reporter) { request in
      switch request {
      case .id(let id):
        let row = try row(of: try catalogue.person(id), catalogue)
        if isPlain {
          try context.output.write(row.details.text(context.terminal))
        } else {
          try reporter.print(row)
        }
      case .name(let name):
        for person in try catalogue.people(matching: name) {
          try reporter.print(row(of: person, catalogue), flushing: false)
        }
        try reporter.flush()
      }
      return .done
    }
    return { try reporter.finish(notes: []) }
  }

  private func row(of person: CataloguePerson, _ catalogue: TVMazeCatalogue) throws -> PersonRow {
    PersonRow(
      person,
      imageFile: try pictures.images ? person.image.flatMap(catalogue.file)?.string : nil)
  }

  private func printCredits(
    _ selection: InputSelection<PersonRequest>, from catalogue: TVMazeCatalogue,
    store: LibraryStore, to reporter: RowReporter<CreditRow>
  ) throws -> () throws -> Void {
    var slugs = ShowSlugs(in: try store.snapshot())
    try selection.forEachRequest(reporter) { request in
      let person: CataloguePerson
      switch request {
      case .id(let id): person = try catalogue.person(id)
      case .name(let name):
        guard let best = try catalogue.people(matching: name).first else {
          throw Failure(.notInCatalogue, "the catalogue has no person with the name '\(name)'")
        }
        person = best
      }
      for kind in CatalogueCredit.Kind.allCases {
        for credit in try catalogue.credits(of: person.id, kind) {
          let slug = slugs.slug(of: credit.show)
          try reporter.print(CreditRow(credit, of: person, slug: slug), flushing: false)
        }
        try reporter.flush()
      }
      return .done
    }
    return { try reporter.finish(notes: []) }
  }
}
