extension JSONShape {
  /// The keys for the result of an operation and its error, which rows of several shapes have.
  private static let common = [
    JSONShape(
      "result", of: [], with: ["failure"], "The keys of rows with a result",
      [
        JSONKey("stage", .text, "The name of the tool that printed the row, without vmx-"),
        JSONKey("outcome", .word, "done, unchanged, waiting, failed or planned"),
        JSONKey("reason", .word, "The reason if it is unchanged, as in vmx-states(7)"),
        JSONKey("hint", .text, "The next step for the user, if it is unchanged"),
      ]),
    JSONShape(
      "failure", of: [], "The keys of rows with a failure",
      [
        JSONKey("error", .object, "The error"),
        JSONKey("error.code", .word, "The error code, as in vmx-errors(7)"),
        JSONKey("error.message", .text, "The message"),
        JSONKey("error.hint", .text, "The next step for the user"),
        JSONKey("error.retry", .word, "The retry class: never, later or wait, as in vmx-errors(7)"),
        JSONKey("error.retry_at", .time, "The time when it can be retried"),
      ]),
  ]

  private static func head(_ meaning: String) -> [JSONKey] {
    [JSONKey("schema", .number, "1"), JSONKey("id", .text, meaning)]
  }

  /// The shapes of rows about files, journal entries and findings.
  static let results: [JSONShape] =
    common + [
      JSONShape(
        "path", of: ["path"], with: ["result"], "The file of an episode",
        head("The id of the episode") + [
          JSONKey("part", .text, "The requested part"),
          JSONKey("path", .text, "The absolute path"),
        ]),
      JSONShape(
        "playback", of: ["mark", "play"], with: ["result"], "The end of a playback",
        head("The id of the episode") + [
          JSONKey("title", .text, "The title"),
          JSONKey("watched", .boolean, "Whether it is marked as watched"),
          JSONKey(
            "position_ms", .milliseconds,
            "The position where playback resumes; absent for the start"),
          JSONKey("duration_ms", .milliseconds, "The duration of the video, if known"),
        ]),
      JSONShape(
        "licence", of: ["licence"], with: ["result"], "The licence of an episode",
        head("The id of the episode") + licence),
      JSONShape(
        "report", of: ["report"], with: ["result"],
        "An event for a backend, or an order of it",
        head("The id of the episode") + [
          JSONKey("row", .word, "operand, if an order names no episode"),
          JSONKey(
            "event", .word, "The step as in vmx-report(1), or the call to a licence provider"),
          JSONKey("at", .time, "The time of the step"),
          JSONKey("order", .word, "The order: remove, revoke, extend or fetch-again"),
          JSONKey("until", .time, "The new end in the order"),
        ]),
      JSONShape(
        "copy", of: ["whereis"], "A place with files of an episode",
        head("The id of the episode") + [
          JSONKey("place", .text, "The absolute path of the file or bundle"),
          JSONKey("type", .word, "library, or the type of the bundle"),
          JSONKey("presence", .word, "reachable, unreachable, missing or changed"),
          JSONKey("same", .boolean, "Whether it has the same bytes as the library, if known"),
          JSONKey("verified", .time, "The time when its bytes were last written or verified"),
          JSONKey("copies", .number, "The number of places with the episode"),
        ]),
      JSONShape("proof", of: ["verify"], with: ["result"], "The verification of a file", proof),
      JSONShape("step", of: ["clean"], with: ["result"], "A step of vmx clean", step),
      JSONShape(
        "run", of: ["undo"], "A run that can be undone, or a row of one (undo --list)",
        head("The name for vmx undo") + [
          JSONKey("row", .word, "run"),
          JSONKey("tool", .text, "The tool that ran"),
          JSONKey("at", .time, "The start time"),
          JSONKey("count", .number, "The number of its rows"),
          JSONKey("bytes", .bytes, "The size that can be restored"),
          JSONKey("state", .word, "open, undone, purged or permanent"),
          JSONKey("text", .text, "The recorded reason, in words"),
        ]),
      JSONShape(
        "migration", of: ["migrate"], with: ["result"], "A file or record of another program",
        head("The file or the episode") + migration),
      JSONShape(
        "finding", of: ["doctor"], "A finding of vmx doctor",
        head("The name of the check") + [
          JSONKey("row", .word, "finding"),
          JSONKey("check", .word, "The name of the check"),
          JSONKey("severity", .word, "ok, note or problem"),
          JSONKey("code", .word, "The error code of a problem, as in vmx-errors(7)"),
          JSONKey("what", .text, "The finding, in words"),
          JSONKey("subject", .text, "The file, episode or setting"),
          JSONKey("line", .number, "The line of the store, counted from 1"),
          JSONKey("outcome", .word, "With --mend: mended, planned or left"),
          JSONKey("hint", .text, "The next step for the user"),
        ]),
      JSONShape(
        "machine", of: ["states"], "A state machine, or the resting states",
        head("The machine, or resting") + [
          JSONKey("row", .word, "machine"),
          JSONKey("states", .list, "Its states"),
          JSONKey("states[].state", .word, "The state"),
          JSONKey("states[].to", .list, "The possible next states"),
        ]),
      JSONShape(
        "code", of: ["explain"], "An error code",
        head("The code") + [
          JSONKey("row", .word, "code"),
          JSONKey("code", .word, "The code"),
          JSONKey("status", .number, "The exit status if all items failed with this code"),
          JSONKey("retry", .word, "The retry class: never, later or wait, as in vmx-errors(7)"),
          JSONKey("sentence", .text, "The description"),
          JSONKey("hint", .text, "The next step for the user"),
        ]),
      JSONShape(
        "key", of: ["explain"], "A key of JSON output, or a shape of rows (explain --keys)",
        head("Shape and key") + [
          JSONKey("row", .word, "key"),
          JSONKey("shape", .word, "The shape of the rows with the key"),
          JSONKey("key", .text, "The path of the key; absent in the row of the shape itself"),
          JSONKey("type", .word, "The JSON type"),
          JSONKey("unit", .text, "The unit or form of the value"),
          JSONKey("meaning", .text, "The description"),
          JSONKey("tools", .list, "The tools that print such rows, without vmx-"),
          JSONKey("contains", .list, "The shapes whose keys the rows have as well"),
        ]),
      JSONShape(
        "error", of: JSONShape.anyTool, with: ["failure"], "A failure, on standard error", failure),
      JSONShape(
        "warning", of: JSONShape.anyTool, with: ["failure"],
        "A problem after which the tool continued",
        [
          JSONKey("schema", .number, "1"),
          JSONKey("row", .word, "warning"),
          JSONKey("tool", .text, "The tool, with vmx-"),
        ]),
    ]

  /// The list of commands of a shape that every command prints.
  static let anyTool = ["any"]

  private static let failure =
    head("The operand or episode, if there are several") + [
      JSONKey("tool", .text, "The tool, with vmx-"),
      JSONKey("stream", .text, "The input with the error: stdin or a path"),
      JSONKey("line", .number, "The line of the input, counted from 1"),
      JSONKey("column", .number, "The character within the line, counted from 1"),
    ]

  private static let licence = [
    JSONKey("title", .text, "The title of the episode"),
    JSONKey("state", .word, "The state of the licence, as in vmx-states(7)"),
    JSONKey("text", .text, "The state in words, with the relevant time"),
    JSONKey("starts", .time, "The start of the right to play it"),
    JSONKey("expires", .time, "The end of the right to play it; absent if there is none"),
    JSONKey("left_ms", .milliseconds, "The time until that end; 0 after it"),
    JSONKey(
      "play_period_ms", .milliseconds, "The playing period, which begins with the first play"),
    JSONKey("played", .time, "The time of the first play on this device"),
    JSONKey("registered", .time, "The time when this device was registered with the provider"),
    JSONKey("licence_id", .text, "The id of the licence"),
    JSONKey("provider", .text, "The URI of the provider"),
    JSONKey("status", .word, "The provider's status, as last read"),
    JSONKey("message", .text, "The provider's message"),
    JSONKey("seen", .time, "The time when the status was last read; absent if never"),
    JSONKey("offers", .list, "The provider's offers: register, renew, renew-page, return"),
    JSONKey("potential_end", .time, "The latest end that a renewal can reach"),
    JSONKey("page", .text, "The URL of a page on which the user can renew it"),
    JSONKey("pending", .word, "The pending call: renew or return"),
  ]

  private static let proof =
    head("The id of the episode") + [
      JSONKey("rev", .number, "The revision of the compared record"),
      JSONKey("part", .text, "The name of the part"),
      JSONKey("role", .word, "video, subtitle, image, metadata or key"),
      JSONKey("root", .text, "The UUID of the root"),
      JSONKey("path", .text, "The path of the file; absolute if the root is known"),
      JSONKey("relative_path", .text, "The path relative to the root"),
      JSONKey("answer", .word, "intact, damaged, missing, moved or unreachable"),
      JSONKey("segments", .list, "The damaged segments of 4 MiB, counted from 0"),
      JSONKey("size", .bytes, "The recorded size"),
      JSONKey("sha256", .text, "The recorded SHA-256 in hexadecimal"),
      JSONKey("proof", .word, "The level of proof of the bytes: vmx-store(5)"),
      JSONKey("proven", .time, "The time of the last verification, including this one"),
      JSONKey("tracks", .list, "The tracks of the file; with --probe"),
      JSONKey("tracks[].type", .word, "The type as reported by ffprobe, such as video or audio"),
      JSONKey("tracks[].duration_ms", .milliseconds, "The duration of the track"),
      JSONKey("declared_ms", .milliseconds, "The declared duration of the file"),
    ]

  private static let step =
    head("The episode, file, root or kind of step") + [
      JSONKey("row", .word, "step, if it is about no episode"),
      JSONKey("step", .word, "The step, as in vmx-clean(1)"),
      JSONKey("text", .text, "The reason, in words"),
      JSONKey("reason", .word, "The reason for the removal: watched, expired, space, rule"),
      JSONKey("bytes", .bytes, "The size that it frees or affects"),
      JSONKey("part", .text, "The name of the part"),
      JSONKey("rev", .number, "The revision of the record, which --apply compares"),
      JSONKey("root", .text, "The UUID of the root"),
      JSONKey("path", .text, "The absolute path of the file or folder"),
      JSONKey("path_hex", .text, "The same in hexadecimal, if not UTF-8"),
      JSONKey("relative_path", .text, "The path relative to the root or the cache"),
      JSONKey("relative_path_hex", .text, "The same in hexadecimal, if not UTF-8"),
      JSONKey("found", .text, "The present path of the file, relative to the root"),
      JSONKey("target", .text, "The new path of the file, relative to the root"),
      JSONKey("name", .text, "The name of the entry in the trash or the journal"),
      JSONKey("code", .word, "The reported error code, as in vmx-errors(7)"),
      JSONKey("size", .bytes, "The size of the file at the time of the plan"),
      JSONKey("modified", .time, "The modification time of the file, with nine decimal digits"),
      JSONKey("inode", .text, "The inode number of the file"),
      JSONKey("sha256", .text, "The computed SHA-256 of the file, in hexadecimal"),
      JSONKey("permanent", .boolean, "Whether the files are deleted without the trash"),
      JSONKey("inverse", .text, "The command that undoes it, or none"),
    ]

  private static let migration = [
    JSONKey("row", .word, "migration, if it is about no episode"),
    JSONKey("kind", .word, "The source program, as in --from"),
    JSONKey("part", .text, "The name of the part"),
    JSONKey("path", .text, "The absolute path of the file"),
    JSONKey("target", .text, "The new path of the file, relative to the root"),
    JSONKey("size", .bytes, "The size of the file"),
    JSONKey("evidence", .list, "The evidence for the episode, as phrases"),
    JSONKey("doubts", .list, "The doubts, as words of vmx-migrate(1)"),
    JSONKey("changed", .list, "The fields of a known episode that change, as in episode rows"),
  ]
}
