import ArgumentParser
import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Manages the list of favourite shows.
@main
struct FavouriteCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "favourite", usage: "vmx favourite [<options>] add|remove|list [<show>]...",
    discussion: """
      Episodes of favourites are fetched before others of the same priority, and cleaning rules \
      keep them, except the show's own 'keep-next'. A show is given as for 'vmx shows'; without \
      one, 'add' and 'remove' read rows from standard input.

      vmx favourite add girls
      vmx favourite list
      vmx favourite list --json | vmx episodes --season 1
      """)

  /// The request.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case add, remove, list
  }

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var catalogue: CatalogueOptions

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(help: "The request.")
  var action: Action

  @Argument(help: "The shows.")
  var shows: [String] = []

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  func validate() throws {
    if action == .list, !shows.isEmpty { throw ValidationError("list takes no shows") }
  }

  func perform(in context: CommandContext) throws {
    try checkOptions(of: action.rawValue, readOnly: "list")
    let usual: [FavouriteField] =
      action == .list ? FavouriteField.defaultFields : [.id, .outcome, .title]
    let reporter = RowReporter<FavouriteRow>(
      try form.form(output, usual: usual), usual: usual, in: context)
    if action == .list { return try list(reporter, in: context) }
    ignoreBrokenPipes()
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let selection = InputSelection<ShowRequest>(shows: shows, in: context)
    guard selection.source != .filters else {
      throw Failure(.usage, "no show given", hint: "give shows, or pipe in rows")
    }
    let session = try CatalogueSession(
      store, try catalogue.access(in: context), clock: context.clock, interruption: interruption
    ) { context.messages.note($0) }
    defer { session.close() }
    let lookup = ShowLookup(session.catalogue, store) { context.messages.note($0) }
    let editor = FavouriteEditor(store: store, clock: context.clock)
    try context.ending(by: interruption) {
      try selection.forEachRequest(reporter) { request in
        let edited =
          try action == .add
          ? editor.add(try lookup.knownShow(request))
          : editor.remove(try lookup.favouriteSlug(request))
        let result: OperationResult =
          isDryRun && edited.isChanged ? .planned : OperationResult(isChanged: edited.isChanged)
        try reporter.print(
          FavouriteRow(edited.show, result, stage: context.stage, now: context.clock.now))
        return result
      }
    }
    try reporter.finish(interruptedBy: interruption)
  }

  private func list(_ reporter: RowReporter<FavouriteRow>, in context: CommandContext) throws {
    let shows = try context.openStore().snapshot().favourites()
    for show in shows {
      try reporter.print(
        FavouriteRow(show, nil, stage: context.stage, now: context.clock.now), flushing: false)
    }
    try reporter.finish(notes: [])
  }
}
