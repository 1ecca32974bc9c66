import ArgumentParser
import SystemPackage
import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxModel
import VmxNaming
import VmxPresentation
import VmxStore
import VmxSystem

/// Lists the episodes of shows of the catalogue, or shows one in full.
@main
struct EpisodesCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "episodes", usage: "vmx episodes [<options>] [<show> [<episode>]]",
    discussion: """
      A show is given as for 'vmx shows'; without one, rows are read from standard input. An \
      episode is given by season and number, such as S01E02, or by its TVMaze id. Specials are \
      listed last.

      vmx episodes girls
      vmx episodes girls S01E02
      vmx episodes 139 --season 1 --json | vmx add --merge
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var catalogue: CatalogueOptions
  @OptionGroup var pictures: PictureOptions

  @Option(help: ArgumentHelp("Only this season; 0 for specials.", valueName: "n"))
  var season: Int64?

  @Argument(help: "The show.")
  var show: String?

  @Argument(help: "The episode to print in full.")
  var episode: String?

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  func validate() throws { try checkNotNegative("--season", season) }

  func perform(in context: CommandContext) throws {
    let form: OutputForm<CatalogueEpisodeField> = try form.form(output, isTable: screen.table)
    let wanted = try episode.map { text throws(Failure) in try EpisodePick(text) }
    ignoreBrokenPipes()
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let selection = InputSelection<ShowRequest>(shows: show.map { [$0] } ?? [], in: context)
    guard selection.source != .filters else {
      throw Failure(.usage, "no show given", hint: "give a show, or pipe in rows")
    }
    let session = try CatalogueSession(
      store, try catalogue.access(in: context), clock: context.clock, interruption: interruption
    ) { context.messages.note($0) }
    defer { session.close() }
    try context.ending(by: interruption) {
      try context.paging(unless: screen.noPager) { context in
        let reporter = RowReporter<CatalogueEpisodeRow>(form, in: context)
        let lookup = ShowLookup(session.catalogue, store) { context.messages.note($0) }
        var slugs = ShowSlugs(in: try store.snapshot())
        try selection.forEachRequest(reporter) { request in
          let show = try lookup.show(request)
          let slug = slugs.slug(of: show)
          let episodes = try session.catalogue.episodes(of: show.id)
          try print(try select(wanted, episodes, of: show), reporter, in: context) { index in
            try episodes[index].map { episode in
              CatalogueEpisodeRow(
                episode, of: show, slug: slug,
                imageFile: try pictures.images
                  ? episode.image.flatMap(session.catalogue.file)?.string : nil)
            }
          }
          return .done
        }
        return { try reporter.finish(notes: []) }
      }?()
    }
    context.noteCatalogueSource()
  }

  /// The indices of episodes by the season under which they are listed; nil for specials.
  private typealias Seasons = [Int64?: [Int]]

  /// Returns the indices of the requested episodes.
  ///
  /// - Throws: `not-in-catalogue` if the show lacks the requested episode or season.
  private func select(
    _ wanted: EpisodePick?, _ episodes: CatalogueEpisodes, of show: CatalogueShow
  ) throws(Failure) -> Seasons {
    var picked: Seasons = [:]
    for index in episodes.indices {
      guard let episode = episodes.numbers(at: index),
        season.map({ $0 == episode.group ?? 0 }) ?? true,
        wanted?.matches(episode) ?? true
      else { continue }
      picked[episode.group, default: []].append(index)
    }
    guard picked.isEmpty, wanted != nil || season != nil else { return picked }
    let name = wanted?.description ?? "season \(season ?? 0)"
    throw Failure(
      .notInCatalogue, "'\(show.title)' has no \(name)",
      hint: "run 'vmx episodes \(show.id)' for its episodes")
  }

  /// Prints episodes: a requested single one in full, others as rows, on a terminal by season. Each
  /// row is created when it is printed, since a show may have many thousands.
  private func print(
    _ seasons: Seasons, _ reporter: RowReporter<CatalogueEpisodeRow>,
    in context: CommandContext, row: (_ index: Int) throws -> CatalogueEpisodeRow?
  ) throws {
    let isDetailed = episode != nil && !output.json && !form.isSpecified && !screen.table
    let isGrouped = context.terminal.isTerminal && !output.json && !form.isSpecified && !isDetailed
    for (season, indices) in seasons.sorted(by: { $0.key ?? .max < $1.key ?? .max }) {
      if isGrouped {
        try reporter.end()
        let heading = season.map { "Season \($0)" } ?? "Specials"
        try context.output.write(context.terminal.palette.paint(heading, .strong) + "\n")
      }
      for index in indices {
        guard let row = try row(index) else { continue }
        if isDetailed {
          try context.output.write(row.details.text(context.terminal))
        } else {
          try reporter.print(row, flushing: false)
        }
      }
    }
    try reporter.flush()
  }
}

/// An episode of a show, as the user gives it.
enum EpisodePick: CustomStringConvertible {
  case numbers(season: Int64, number: Int64)
  case id(Int64)

  /// Parses `S01E02`, `1x02`, or an id.
  ///
  /// - Throws: `usage` for other text.
  init(_ text: String) throws(Failure) {
    if let id = Int64(text), id > 0 {
      self = .id(id)
      return
    }
    let reading = EpisodeFileName("\(text).mp4")
    guard let number = reading.number else {
      throw Failure(
        .usage, "not an episode: '\(text)'", hint: "use S01E02, or the id of the episode")
    }
    self = .numbers(season: reading.season ?? 1, number: number)
  }

  func matches(_ episode: CatalogueEpisode) -> Bool {
    switch self {
    case .id(let id): episode.id == id
    case .numbers(let season, let number):
      episode.number == number && (episode.season ?? 1) == season
    }
  }

  var description: String {
    switch self {
    case .id(let id): "episode with the id \(id)"
    case .numbers(let season, let number): "episode \(Slug.episode(season: season, number: number))"
    }
  }
}
