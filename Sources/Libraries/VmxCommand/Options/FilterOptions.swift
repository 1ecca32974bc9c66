package import ArgumentParser
package import VmxModel
import VmxSettings

/// The filters of tools that select many episodes. An episode must match all given filters, and any
/// one value of a repeated filter.
package struct FilterOptions: ParsableArguments, Sendable {
  /// Shows, by slug or whole title, case ignored.
  @Option(help: ArgumentHelp("Only this show, by slug or full title.", valueName: "show"))
  package var show: [String] = []

  /// Seasons; 0 for specials.
  @Option(help: ArgumentHelp("Only this season; 0 for specials.", valueName: "n"))
  package var season: [Int64] = []

  /// Numbers within a season.
  @Option(help: ArgumentHelp("Only this number within the season.", valueName: "n"))
  package var number: [Int64] = []

  /// States as typed. The help does not list them all.
  @Option(
    name: .customLong("state"),
    help: ArgumentHelp("Only episodes in this state, such as ready.", valueName: "state"),
    completion: .list(Self.stateNames))
  package var states: [String] = []

  /// Wants.
  @Option(help: ArgumentHelp("Only with this want.", valueName: "want"))
  package var want: [Want] = []

  /// Whether only episodes that a fetch would start now match.
  @Flag(help: "Only episodes that a fetch would start now.")
  package var due = false

  /// Whether only failed episodes match.
  @Flag(help: "Only failed episodes.")
  package var failed = false

  /// Optional parts that are absent, by name or role.
  @Option(
    help: ArgumentHelp(
      "Only without this part, such as subtitle:en.", valueName: "part"))
  package var lacking: [String] = []

  /// The minimum time since a file was last verified.
  @Option(
    help: ArgumentHelp(
      "Only if not verified for this long, such as 90d.",
      valueName: "time"))
  package var unproven: String?

  /// The time within which the right to watch ends.
  @Option(
    help: ArgumentHelp(
      "Only if rights end within this time, such as 48h.",
      valueName: "time"))
  package var expiring: String?

  /// The mark `keep`.
  @Flag(inversion: .prefixedNo, help: "Only episodes marked, or not marked, as kept.")
  package var kept: Bool?

  /// The mark `watched`.
  @Flag(inversion: .prefixedNo, help: "Only episodes marked, or not marked, as watched.")
  package var watched: Bool?

  /// The share of a machine among several.
  @Option(
    help: ArgumentHelp("Only this share of all ids, such as 2/4.", valueName: "k/n"))
  package var shard: String?

  /// Whether all episodes match; standard input is then not read.
  @Flag(help: "All episodes; do not read standard input.")
  package var all = false

  package init() {}

  /// Checks the values that the parser accepts as plain text.
  package func validate() throws {
    try checkNotNegative("--season", season.min())
    try checkNotNegative("--number", number.min())
    do throws(Failure) {
      if let unproven { _ = try SettingKind.duration(unproven, of: "--unproven") }
      if let expiring { _ = try SettingKind.duration(expiring, of: "--expiring") }
      if let shard { _ = try Shard(shard) }
      let kind = SettingKind.choice(Self.stateNames)
      for state in states { try kind.check(state, of: "--state") }
    } catch {
      throw ValidationError(error.summary)
    }
  }

  /// The words of `--state`: the states, and `paused`, as tables show episodes on hold.
  private static let stateNames = PartState.allCases.map(\.rawValue) + ["paused"]

  /// The states.
  package var state: [PartState] { states.compactMap(PartState.init(rawValue:)) }

  /// Whether no filter was typed, so that rows may come from standard input.
  package var isEmpty: Bool {
    show.isEmpty && season.isEmpty && number.isEmpty && states.isEmpty && want.isEmpty && !due
      && !failed && lacking.isEmpty && unproven == nil && expiring == nil && kept == nil
      && watched == nil && shard == nil && !all
  }

  /// Whether whole shows were given, without other filters.
  package var isShowAlone: Bool {
    var others = self
    others.show = []
    return !show.isEmpty && others.isEmpty
  }

  /// Whether removed episodes match too: only if the user requests them.
  package var includesRemoved: Bool { all || !want.isEmpty || !states.isEmpty }

  /// Returns the query of the filters.
  ///
  /// - Parameter rule: the rule that decides which episodes are due at which time.
  /// - Throws: `usage` for an unknown part.
  package func query(_ rule: DueRule) throws(Failure) -> EpisodeQuery {
    var query = EpisodeQuery()
    query.shows = show
    query.seasons = Set(season)
    query.numbers = Set(number)
    query.states = Set(state).union(failed ? [.failed] : [])
    query.includesPaused = states.contains("paused")
    query.wants = Set(want)
    query.due = due ? rule : nil
    query.missingParts = try PartSelection(lacking)
    query.isKept = kept
    query.isWatched = watched
    query.shard = try shard.map { text throws(Failure) in try Shard(text) }
    query.unverifiedSince = unproven.flatMap(DurationText.milliseconds).map {
      rule.now.adding(milliseconds: -$0)
    }
    query.expiringBy = expiring.flatMap(DurationText.milliseconds).map {
      rule.now.adding(milliseconds: $0)
    }
    return query
  }
}

extension Want: ExpressibleByArgument {}
