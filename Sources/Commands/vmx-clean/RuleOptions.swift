import ArgumentParser
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// The rules that choose episodes and files to remove.
struct RuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Keep only the newest N episodes of each show.", valueName: "n"))
  var keepLast: Int?

  @Option(
    help: ArgumentHelp("Remove episodes on disk for this long, such as 30d.", valueName: "time"))
  var olderThan: String?

  @Option(
    help: ArgumentHelp(
      "Remove episodes watched this long ago, such as 7d.", valueName: "time"))
  var watchedFor: String?

  @Option(
    help: ArgumentHelp(
      "Free this much space permanently, such as 5G.", valueName: "size"))
  var free: String?

  @Flag(help: "With --free: then delete unwatched episodes, too.")
  var unwatched = false

  @Flag(help: "Permanently delete what is in the trash.")
  var emptyTrash = false

  @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
  var yes = false

  @Flag(help: "Move files without a record to the trash.")
  var foreign = false

  @Flag(help: "Rename files to match their records.")
  var rename = false

  @Flag(help: "Join records that are one episode; keep one file.")
  var join = false

  @Flag(help: "Also join records that are probably one episode.")
  var likely = false

  @Option(
    help: ArgumentHelp("Clean only this root, by folder or UUID.", valueName: "dir"))
  var root: [String] = []

  @Option(
    help: ArgumentHelp(
      "Declare this root lost, together with its disk.", valueName: "dir"))
  var lost: [String] = []

  @Option(
    help: ArgumentHelp(
      "Move the episodes to this root, by folder or UUID.", valueName: "dir"))
  var moveTo: String?

  @Flag(help: "Let rules remove episodes marked as kept.")
  var evenKept = false

  @Flag(help: "Let rules remove episodes of favourite shows.")
  var evenFavourites = false

  /// Whether no rule was given.
  var isEmpty: Bool {
    keepLast == nil && olderThan == nil && watchedFor == nil && free == nil && !emptyTrash
      && !foreign && !evenKept && !evenFavourites && !rename && !join && lost.isEmpty
      && moveTo == nil
  }

  func validate() throws {
    let others = keepLast != nil || olderThan != nil || free != nil || foreign || rename
    if !lost.isEmpty, others || !root.isEmpty {
      throw ValidationError("--lost excludes other rules and --root")
    }
    if moveTo != nil, others || !root.isEmpty || !lost.isEmpty || emptyTrash || watchedFor != nil {
      throw ValidationError("--move-to excludes rules, --root and --lost")
    }
    if join, others || !root.isEmpty || !lost.isEmpty || moveTo != nil || emptyTrash {
      throw ValidationError("--join excludes rules, --root, --lost and --move-to")
    }
    if likely, !join { throw ValidationError("--likely requires --join") }
    if unwatched, free == nil { throw ValidationError("--unwatched requires --free") }
    if evenKept, free != nil {
      throw ValidationError("--free and --even-kept exclude each other")
    }
  }

  /// Prints how much the run will delete permanently, and asks the user for confirmation.
  ///
  /// - Throws: `usage` without a terminal and without `--yes`; `CommandExit` if the user refuses;
  ///   `interrupted`.
  func confirm(
    _ steps: [CleaningStep], in context: CommandContext, until interruption: Interruption
  ) throws {
    let losses = steps.filter { $0.kind == .recordLost }
    if !losses.isEmpty {
      let count = losses.count { $0.episode != nil }
      let episodes = count == 1 ? "1 episode" : "\(count) episodes"
      context.messages.note("\(episodes) had files there; they become missing")
      return try context.confirm(
        "declare the root lost: \(lost.joined(separator: ", "))", isGiven: yes,
        until: interruption)
    }
    let joins = steps.count { $0.kind == .join }
    if joins > 0 {
      guard yes || context.assumesYes || context.isInteractive else {
        throw Failure(.usage, "a join requires a confirmation", hint: "add --yes to confirm")
      }
      let records = joins == 1 ? "1 record" : "\(joins) records"
      return try context.confirm(
        "join \(records) with older ones of the same episodes", isGiven: yes, until: interruption)
    }
    if emptyTrash { try confirmPurge(steps, in: context, until: interruption) }
    let removals = steps.filter { $0.kind == .remove && $0.isPermanent }
    guard !removals.isEmpty else { return }
    let size = ByteCount(clamping: removals.compactMap { $0.bytes?.bytes }.clampedSum())
    let count = removals.count == 1 ? "1 episode" : "\(removals.count) episodes"
    context.messages.note("\(count), \(size.forPeople): to be deleted permanently")
    try context.confirm("permanently delete \(count)", isGiven: yes, until: interruption)
  }

  private func confirmPurge(
    _ steps: [CleaningStep], in context: CommandContext, until interruption: Interruption
  ) throws {
    let purges = steps.filter { $0.kind == .purgeTrash && ($0.bytes?.bytes ?? 0) > 0 }
    guard !purges.isEmpty else { return }
    let size = ByteCount(clamping: purges.compactMap { $0.bytes?.bytes }.clampedSum()).forPeople
    let text = "permanently delete the trash: \(purges.count) removed, \(size)"
    try context.confirm(text, isGiven: yes, until: interruption)
  }

  /// Returns the options of a run.
  ///
  /// - Parameter appliesPlan: whether the steps come from a plan, which may discard unknown files.
  /// - Throws: `usage` for an invalid value, or filters without a rule; `bad-setting`.
  func cleaningOptions(
    _ filters: FilterOptions, appliesPlan: Bool, in context: CommandContext
  ) throws(Failure) -> CleaningOptions {
    var options = CleaningOptions(
      trash: try Self.trash(in: context),
      licenceGrace: try context.settings.milliseconds(.licenceGrace))
    options.rules = try rules(filters, try context.dueRule())
    options.discardsForeign = foreign || appliesPlan
    options.emptiesTrash = emptyTrash
    options.roots = Self.roots(root, in: context)
    options.lost = Self.roots(lost, in: context)
    options.moveTo = moveTo
    options.joinsTwins = join
    options.joinsLikely = likely
    if rename {
      guard options.rules.isEmpty else {
        throw Failure(
          .usage, "--rename and removal rules exclude each other",
          hint: "give '--rename' alone, or with filters such as '--show'")
      }
      options.renaming = RenamingRules(
        try context.settings.nameTemplate(.libraryTemplate),
        newFilesBelow: try context.rootForNewFiles())
      options.renaming?.query = options.rules.query
    }
    options.cache = context.environment.base("XDG_CACHE_HOME", beneathHome: ".cache")?
      .appending("vmx")
    return options
  }

  private func rules(_ filters: FilterOptions, _ due: DueRule) throws(Failure) -> RetentionRules {
    var rules = RetentionRules()
    if let keepLast {
      guard keepLast >= 0 else { throw Self.usage("--keep-last requires a number, 0 or more") }
      rules.keepLast = keepLast
    }
    if let olderThan {
      guard olderThan == "0" || Int64(olderThan) == nil else {
        throw Failure(
          .usage, "--older-than requires a unit", hint: "write \(olderThan)d for \(olderThan) days")
      }
      rules.olderThan = try SettingKind.duration(olderThan, of: "--older-than")
    }
    if let watchedFor {
      rules.watchedFor = try SettingKind.duration(watchedFor, of: "--watched-for")
    }
    if let free { rules.free = try SettingKind.size(free, of: "--free") }
    rules.freesUnwatched = unwatched
    rules.excludesKept = !evenKept
    rules.keepsFavourites = !evenFavourites
    rules.query = try filters.query(due)
    if watchedFor != nil { rules.query.isWatched = true }
    var others = filters
    others.all = false
    if rules.isEmpty, !rename, !join, moveTo == nil, !emptyTrash || !others.isEmpty,
      evenKept || evenFavourites || !others.isEmpty
    {
      throw Self.usage("filters alone do not remove episodes")
    }
    return rules
  }

  /// Returns the root to which episodes move, and creates it at the first use of its folder.
  ///
  /// - Returns: its UUID; in a dry run the folder of a root that does not exist yet. Nil if nothing
  ///   moves.
  /// - Throws: `root-away`, `root-foreign`, errors of the store and the file system.
  func rootToMoveTo(
    of store: LibraryStore, in context: CommandContext
  ) throws -> String? {
    guard let name = moveTo.flatMap({ Self.roots([$0], in: context).first }) else { return nil }
    let mediaRoots = MediaRoots(store: store, newFilesBelow: FilePath(name))
    if RootMark.isUUID(name) { return try mediaRoots.root(name).uuid }
    var known: String?
    try store.snapshot().records(of: .root) { record in
      if record.path == name, !record.isLostRoot { known = record.id }
      return known == nil
    }
    if let known { return try mediaRoots.root(known).uuid }
    return store.isDryRun ? name : try mediaRoots.forNewFiles().uuid
  }

  /// Returns the given roots: UUIDs unchanged, folders relative to the working directory made
  /// absolute.
  private static func roots(_ names: [String], in context: CommandContext) -> [String] {
    names.map { name in
      if RootMark.isUUID(name) { return name }
      return context.environment.absolute(name).lexicallyNormalized().string
    }
  }

  /// Reads the limits of the trash from the settings.
  ///
  /// - Throws: `bad-setting`.
  static func trash(in context: CommandContext) throws(Failure) -> TrashRules {
    TrashRules(
      keep: try context.settings.milliseconds(.trashKeep),
      quota: try context.settings.diskQuota(.trashQuota),
      reserve: try context.settings.size(.libraryReserve))
  }

  private static func usage(_ summary: String) -> Failure {
    Failure(
      .usage, summary,
      hint: "give --keep-last, --older-than, --watched or --free; see 'vmx clean --help'")
  }
}

extension CleaningOptions {
  /// Restricts the rules to the episodes of the input rows, if rows are read; all rows are read
  /// before the first step.
  ///
  /// - Returns: the row of each of these episodes.
  /// - Throws: `input-missing`, and the errors of the store.
  mutating func restrict(
    to input: InputSelection<EpisodeID>, of store: LibraryStore,
    _ reporter: RowReporter<CleaningRow>, in context: CommandContext
  ) throws -> [EpisodeID: InputRow] {
    guard input.source == .rows else { return [:] }
    var rows: [EpisodeID: InputRow] = [:]
    let view = try LibraryView(try store.snapshot(), of: store, in: context)
    try view.forEachNamed(in: input, reporter: reporter) { episode, row in
      rows[episode.id] = row
      return true
    }
    appliesFeedRules = false
    rules.query.ids = Set(rows.keys)
    renaming?.query.ids = rules.query.ids
    // A query without ids matches every episode, so no row must mean no rule.
    if rows.isEmpty {
      rules = RetentionRules()
      renaming = nil
      moveTo = nil
      joinsTwins = false
    }
    return rows
  }
}
