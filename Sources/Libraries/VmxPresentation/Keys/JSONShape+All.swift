import VmxModel

extension JSONShape {
  /// All shapes, in the order of the manual.
  package static let all = episodes + status + results + files + catalogue

  /// Returns the keys of a kind of rows that other tools read; for nil those of an episode in the
  /// catalogue. Empty for rows of other kinds.
  static func keys(ofKind kind: String?) -> Set<String> { keysByShape[kind ?? "described"] ?? [] }

  private static let keysByShape = Dictionary(
    catalogue.map { ($0.name, Set($0.keys.map(\.path))) }, uniquingKeysWith: { first, _ in first })

  /// The commands that print the result of an operation on each episode.
  private static let operations = [
    "add", "clean", "export", "feed", "fetch", "import", "lock", "mark", "queue", "rename", "rm",
    "undo",
  ]
  /// The commands that pass through the rows of episodes that they cannot process.
  private static let passThroughCommands = [
    "list", "path", "play", "show", "status", "verify", "whereis",
  ]
  /// The list of commands of a shape that every command prints.
  private static let anyTool = ["any"]
  private static let episode = "The id of the episode"

  private static func head(
    _ id: String, row: String? = nil, schema: String = "1"
  ) -> [JSONKey] { JSONKey.head(id, row: row, schema: schema) }

  private static func keys<Field: ListingField>(of fields: [Field]) -> [JSONKey] {
    JSONKey.keys(of: fields)
  }

  private static func allKeys<Field: ListingField>(of type: Field.Type) -> [JSONKey] {
    JSONKey.keys(of: type.recorded)
  }

  /// The shapes of rows about episodes.
  private static let episodes: [JSONShape] = [
    JSONShape(
      "episode", of: ["list", "queue"], meaning: "The record of an episode",
      keys: head(episode, schema: JSONKey.schema)
        + keys(of: EpisodeField.recorded.dropLast() + EpisodeField.requested)),
    JSONShape(
      "details", of: ["show"], with: ["episode"],
      meaning: "All details of an episode, with its history",
      keys: EpisodeDetails.keys),
    JSONShape(
      "outcome", of: operations + passThroughCommands, with: ["episode", "result"],
      meaning: "The result for an episode or another operand, or a passed-on row of another tool",
      keys: [JSONKey("row", .word, meaning: "operand or feed, if it is about no episode")]),
    JSONShape(
      "history", of: ["list"], meaning: "A change of the state of a part (list --history)",
      keys: head(episode, schema: JSONKey.schema) + allKeys(of: HistoryField.self)),
  ]

  /// The shapes of rows about work in progress.
  private static let status: [JSONShape] = [
    JSONShape(
      "progress", of: ["fetch", "status"],
      meaning: "The progress of a part; printed by fetch --progress json on standard error",
      keys: head(episode, row: "progress") + StatusRow.keys),
    JSONShape(
      "event", of: ["status"], meaning: "A change of an episode (status --follow)",
      keys: head(episode, row: "event") + StatusEvent.keys),
    JSONShape(
      "lock", of: ["lock"], meaning: "The state of parental control",
      keys: head("Always lock, which is not an episode id", row: "lock")
        + allKeys(of: LockField.self)),
    JSONShape(
      "sync", of: ["sync"], meaning: "The state of the sync with a server",
      keys: head("Always sync, which is not an episode id", row: "sync")
        + allKeys(of: SyncStatusField.self)),
    JSONShape(
      "change", of: ["sync"], with: ["result", "failure"], meaning: "A change by a sync",
      keys: head("The id of the episode or feed", row: "change") + allKeys(of: SyncField.self)),
    JSONShape(
      "totals", of: ["status"], meaning: "The totals of the library",
      keys: head("Always total, which is not an episode id", row: "totals") + StatusTotals.keys),
    JSONShape(
      "disk", of: ["status"], meaning: "A media folder and its disk (status --disk)",
      keys: head("The UUID of the root", row: "disk") + allKeys(of: DiskField.self)),
  ]

  /// The shapes of results, and of rows about files.
  private static let results: [JSONShape] = [
    JSONShape(
      "result", of: [], with: ["failure"], meaning: "The keys of rows with a result",
      keys: OperationResult.keys),
    JSONShape(
      "failure", of: [], meaning: "The keys of rows with a failure", keys: FailureText.keys),
    JSONShape(
      "path", of: ["path"], with: ["result"], meaning: "The file of an episode",
      keys: head(episode) + pathKeys),
    JSONShape(
      "playback", of: ["mark", "play"], with: ["result"], meaning: "The end of a playback",
      keys: head(episode) + allKeys(of: PlayField.self)),
    JSONShape(
      "licence", of: ["licence"], with: ["result"], meaning: "The licence of an episode",
      keys: head(episode) + allKeys(of: LicenceField.self)),
    JSONShape(
      "report", of: ["report"], with: ["result"],
      meaning: "An event for a backend, or an order of it",
      keys: head(episode, row: "operand, if an order names no episode")
        + keys(of: [ReportField.event, .at, .order, .until])),
    JSONShape(
      "copy", of: ["whereis"], meaning: "A place with files of an episode",
      keys: head(episode) + allKeys(of: CopyField.self)),
    JSONShape(
      "proof", of: ["verify"], with: ["result"], meaning: "The verification of a file",
      keys: head(episode) + allKeys(of: VerificationField.self)),
    JSONShape(
      "step", of: ["clean"], with: ["result"], meaning: "A step of vmx clean",
      keys: head("The episode, file, root or kind of step", row: "step, if it is about no episode")
        + CleaningField.rowKeys),
    JSONShape(
      "run", of: ["undo"], meaning: "A run that can be undone, or a row of one (undo --list)",
      keys: head("The name for vmx undo", row: "run") + allKeys(of: UndoField.self)),
    JSONShape(
      "migration", of: ["migrate"], with: ["result"],
      meaning: "A file or record of another program",
      keys: head("The file or the episode", row: "migration, if it is about no episode")
        + allKeys(of: MigrationField.self)),
  ]

  private static let pathKeys = [
    JSONKey("part", .text, meaning: "The requested part"),
    JSONKey("path", .text, meaning: "The absolute path"),
  ]

  /// The shapes of rows about vmx itself.
  private static let files: [JSONShape] = [
    JSONShape(
      "finding", of: ["doctor"], meaning: "A finding of vmx doctor",
      keys: head("The name of the check", row: "finding") + allKeys(of: FindingField.self)),
    JSONShape(
      "machine", of: ["states"], meaning: "A state machine, or the resting states",
      keys: head("The machine, or resting", row: "machine") + machineKeys),
    JSONShape(
      "plugin", of: ["plugin"], meaning: "A plugin or an alias",
      keys: head("Its name", row: "plugin") + allKeys(of: PluginField.self)),
    JSONShape(
      "code", of: ["explain"], meaning: "An error code",
      keys: head("The code", row: "code") + allKeys(of: ErrorCodeField.self)),
    JSONShape(
      "key", of: ["explain"], meaning: "A key of JSON output, or a shape of rows (explain --keys)",
      keys: head("Shape and key", row: "key") + allKeys(of: KeyField.self)),
    JSONShape(
      "setting", of: ["config"], with: ["result"], meaning: "A value of a setting, or its change",
      keys: head("The name of the setting", row: "setting") + allKeys(of: SettingField.self)),
    JSONShape(
      "error", of: anyTool, with: ["failure"], meaning: "A failure, on standard error",
      keys: head("The operand or episode, if there are several") + FailureText.placeKeys),
    JSONShape(
      "warning", of: anyTool, with: ["failure"],
      meaning: "A problem after which the tool continued",
      keys: [
        JSONKey("schema", .number, meaning: "1"), JSONKey("row", .word, meaning: "warning"),
        JSONKey("tool", .text, meaning: "The tool, with vmx-"),
      ]),
  ]

  private static let machineKeys = [
    JSONKey("states", .list, meaning: "Its states"),
    JSONKey("states[].state", .word, meaning: "The state"),
    JSONKey("states[].to", .list, meaning: "The possible next states"),
  ]

  /// The shapes of rows about feeds and the catalogue.
  private static let catalogue: [JSONShape] = [
    JSONShape(
      "feed", of: ["feed"], with: ["result"], meaning: "A subscribed feed",
      keys: head("The feed", row: "feed") + allKeys(of: FeedField.self)),
    JSONShape(
      "library-show", of: ["list", "show"],
      meaning: "A show of the library (list --shows); its id and show are equal",
      keys: head("The show, as the first half of the ids of its episodes", row: "show")
        + allKeys(of: LibraryShowField.self)),
    JSONShape(
      "show", of: ["search", "shows"], meaning: "A show in the catalogue",
      keys: head("The id in the catalogue", row: "show") + allKeys(of: ShowField.self)),
    JSONShape(
      "described", of: ["episodes"], meaning: "An episode in the catalogue, as input of vmx add",
      keys: head("The id that it would have in the library")
        + allKeys(of: CatalogueEpisodeField.self)),
    JSONShape(
      "person", of: ["search", "people"], meaning: "A person in the catalogue",
      keys: head("The id in the catalogue", row: "person") + allKeys(of: PersonField.self)),
    JSONShape(
      "credit", of: ["people"], meaning: "A credit of a person (people --credits)",
      keys: head("The id of the show in the catalogue", row: "credit")
        + allKeys(of: CreditField.self)),
    JSONShape(
      "favourite", of: ["favourite"], with: ["result"], meaning: "A favourite show",
      keys: head("The show, as the first half of the ids of its episodes", row: "favourite")
        + allKeys(of: FavouriteField.self)),
  ]
}
