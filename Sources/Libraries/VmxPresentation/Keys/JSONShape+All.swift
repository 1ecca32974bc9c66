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
      "episode", of: ["list", "queue"], "The record of an episode",
      head(episode, schema: JSONKey.schema)
        + keys(of: EpisodeField.recorded.dropLast() + EpisodeField.requested)),
    JSONShape(
      "details", of: ["show"], with: ["episode"], "All details of an episode, with its history",
      EpisodeDetails.keys),
    JSONShape(
      "outcome", of: operations + passThroughCommands, with: ["episode", "result"],
      "The result for an episode or another operand, or a passed-on row of another tool",
      [JSONKey("row", .word, "operand or feed, if it is about no episode")]),
    JSONShape(
      "history", of: ["list"], "A change of the state of a part (list --history)",
      head(episode, schema: JSONKey.schema) + allKeys(of: HistoryField.self)),
  ]

  /// The shapes of rows about work in progress.
  private static let status: [JSONShape] = [
    JSONShape(
      "progress", of: ["fetch", "status"],
      "The progress of a part; printed by fetch --progress json on standard error",
      head(episode, row: "progress") + StatusRow.keys),
    JSONShape(
      "event", of: ["status"], "A change of an episode (status --follow)",
      head(episode, row: "event") + StatusEvent.keys),
    JSONShape(
      "lock", of: ["lock"], "The state of parental control",
      head("Always lock, which is not an episode id", row: "lock") + allKeys(of: LockField.self)),
    JSONShape(
      "sync", of: ["sync"], "The state of the sync with a server",
      head("Always sync, which is not an episode id", row: "sync")
        + allKeys(of: SyncStatusField.self)),
    JSONShape(
      "change", of: ["sync"], with: ["result", "failure"], "A change by a sync",
      head("The id of the episode or feed", row: "change") + allKeys(of: SyncField.self)),
    JSONShape(
      "totals", of: ["status"], "The totals of the library",
      head("Always total, which is not an episode id", row: "totals") + StatusTotals.keys),
    JSONShape(
      "disk", of: ["status"], "A media folder and its disk (status --disk)",
      head("The UUID of the root", row: "disk") + allKeys(of: DiskField.self)),
  ]

  /// The shapes of results, and of rows about files.
  private static let results: [JSONShape] = [
    JSONShape(
      "result", of: [], with: ["failure"], "The keys of rows with a result", OperationResult.keys),
    JSONShape("failure", of: [], "The keys of rows with a failure", FailureText.keys),
    JSONShape(
      "path", of: ["path"], with: ["result"], "The file of an episode", head(episode) + pathKeys),
    JSONShape(
      "playback", of: ["mark", "play"], with: ["result"], "The end of a playback",
      head(episode) + allKeys(of: PlayField.self)),
    JSONShape(
      "licence", of: ["licence"], with: ["result"], "The licence of an episode",
      head(episode) + allKeys(of: LicenceField.self)),
    JSONShape(
      "report", of: ["report"], with: ["result"], "An event for a backend, or an order of it",
      head(episode, row: "operand, if an order names no episode")
        + keys(of: [ReportField.event, .at, .order, .until])),
    JSONShape(
      "copy", of: ["whereis"], "A place with files of an episode",
      head(episode) + allKeys(of: CopyField.self)),
    JSONShape(
      "proof", of: ["verify"], with: ["result"], "The verification of a file",
      head(episode) + allKeys(of: VerificationField.self)),
    JSONShape(
      "step", of: ["clean"], with: ["result"], "A step of vmx clean",
      head("The episode, file, root or kind of step", row: "step, if it is about no episode")
        + CleaningField.rowKeys),
    JSONShape(
      "run", of: ["undo"], "A run that can be undone, or a row of one (undo --list)",
      head("The name for vmx undo", row: "run") + allKeys(of: UndoField.self)),
    JSONShape(
      "migration", of: ["migrate"], with: ["result"], "A file or record of another program",
      head("The file or the episode", row: "migration, if it is about no episode")
        + allKeys(of: MigrationField.self)),
  ]

  private static let pathKeys = [
    JSONKey("part", .text, "The requested part"), JSONKey("path", .text, "The absolute path"),
  ]

  /// The shapes of rows about vmx itself.
  private static let files: [JSONShape] = [
    JSONShape(
      "finding", of: ["doctor"], "A finding of vmx doctor",
      head("The name of the check", row: "finding") + allKeys(of: FindingField.self)),
    JSONShape(
      "machine", of: ["states"], "A state machine, or the resting states",
      head("The machine, or resting", row: "machine") + machineKeys),
    JSONShape(
      "code", of: ["explain"], "An error code",
      head("The code", row: "code") + allKeys(of: ErrorCodeField.self)),
    JSONShape(
      "key", of: ["explain"], "A key of JSON output, or a shape of rows (explain --keys)",
      head("Shape and key", row: "key") + allKeys(of: KeyField.self)),
    JSONShape(
      "error", of: anyTool, with: ["failure"], "A failure, on standard error",
      head("The operand or episode, if there are several") + FailureText.placeKeys),
    JSONShape(
      "warning", of: anyTool, with: ["failure"], "A problem after which the tool continued",
      [
        JSONKey("schema", .number, "1"), JSONKey("row", .word, "warning"),
        JSONKey("tool", .text, "The tool, with vmx-"),
      ]),
  ]

  private static let machineKeys = [
    JSONKey("states", .list, "Its states"), JSONKey("states[].state", .word, "The state"),
    JSONKey("states[].to", .list, "The possible next states"),
  ]

  /// The shapes of rows about feeds and the catalogue.
  private static let catalogue: [JSONShape] = [
    JSONShape(
      "feed", of: ["feed"], with: ["result"], "A subscribed feed",
      head("The feed", row: "feed") + allKeys(of: FeedField.self)),
    JSONShape(
      "show", of: ["search", "shows"], "A show in the catalogue",
      head("The id in the catalogue", row: "show") + allKeys(of: ShowField.self)),
    JSONShape(
      "described", of: ["episodes"], "An episode in the catalogue, as input of vmx add",
      head("The id that it would have in the library") + allKeys(of: CatalogueEpisodeField.self)),
    JSONShape(
      "person", of: ["search", "people"], "A person in the catalogue",
      head("The id in the catalogue", row: "person") + allKeys(of: PersonField.self)),
    JSONShape(
      "credit", of: ["people"], "A credit of a person (people --credits)",
      head("The id of the show in the catalogue", row: "credit") + allKeys(of: CreditField.self)),
    JSONShape(
      "favourite", of: ["favourite"], with: ["result"], "A favourite show",
      head("The show, as the first half of the ids of its episodes", row: "favourite")
        + allKeys(of: FavouriteField.self)),
  ]
}
