extension JSONShape {
  private static let head = [
    JSONKey("schema", .number, "The version of the format: 1, until a key must change"),
    JSONKey("id", .text, "The id of the episode"),
  ]

  /// The commands that print the result of an operation on each episode.
  private static let operations = [
    "add", "clean", "export", "feed", "fetch", "import", "lock", "mark", "queue", "rename", "rm",
    "undo",
  ]
  /// The commands that pass through the rows of episodes that they cannot process.
  private static let passThroughCommands = [
    "list", "path", "play", "show", "status", "verify", "whereis",
  ]

  /// The shapes of rows about episodes, in the order of the manual.
  static let episodes: [JSONShape] = [
    JSONShape(
      "episode", of: ["list", "queue"], "The record of an episode", id: "The id of the episode",
      EpisodeField.recorded.dropLast() + EpisodeField.requested,
      schema: "The version of the format: 1, until a key must change"),
    JSONShape(
      "details", of: ["show"], with: ["episode"], "All details of an episode, with its history",
      trail("trail[].") + [
        JSONKey("position_at", .time, "The time when the position was recorded"),
        JSONKey("licence", .object, "The rights of its licence; they end at expires"),
        JSONKey("licence.state", .word, "The state of the licence, as in vmx-states(7)"),
        JSONKey("licence.starts", .time, "The start of the right to play it"),
        JSONKey(
          "licence.clock_contradicted", .boolean,
          "Whether the provider's clock differed from the local clock by more than an hour"),
        JSONKey("trail", .list, "The last 16 changes of state, oldest first"),
        JSONKey("why", .object, "The reason why it waits"),
        JSONKey("why.waits_for", .text, "The reason, as a phrase"),
        JSONKey("why.release", .text, "How to continue, as a phrase"),
        JSONKey("why.code", .word, "The error code of the reason, as in vmx-errors(7)"),
      ]),
    JSONShape(
      "outcome", of: operations + passThroughCommands, with: ["episode", "result"],
      "The result for an episode or another operand, or a passed-on row of another tool",
      [JSONKey("row", .word, "operand or feed, if it is about no episode")]),
    JSONShape(
      "history", of: ["list"], "A change of the state of a part (list --history)",
      head + trail("") + [
        JSONKey("message", .text, "The code in words, or the reason for the removal"),
        JSONKey("reason", .word, "The reason for the removal, as removal.reason"),
        JSONKey("by", .text, "The tool that removed it"),
      ]),
  ]

  private static func trail(_ prefix: String) -> [JSONKey] {
    [
      JSONKey("\(prefix)at", .time, "The time of the change"),
      JSONKey("\(prefix)part", .text, "The name of the part"),
      JSONKey("\(prefix)from", .word, "The previous state"),
      JSONKey("\(prefix)to", .word, "The new state"),
      JSONKey("\(prefix)code", .word, "The error code, as in vmx-errors(7)"),
    ]
  }
}
