extension JSONShape {
  /// The keys for the result of an operation and its error, which rows of several shapes have.
  private static let common = [
    JSONShape(
      "result", of: [], with: ["failure"], "Keys of rows that tell of a result",
      [
        JSONKey("stage", .text, "The tool that printed the row, without vmx-"),
        JSONKey("outcome", .word, "done, unchanged, waiting, failed or planned"),
        JSONKey("reason", .word, "Why it stayed unchanged, as in vmx-states(7)"),
        JSONKey("hint", .text, "What the user can do about it, if it stayed unchanged"),
      ]),
    JSONShape(
      "failure", of: [], "Keys of rows that tell of a failure",
      [
        JSONKey("error", .object, "Why it failed or waits"),
        JSONKey("error.code", .word, "The code, as in vmx-errors(7)"),
        JSONKey("error.message", .text, "What happened"),
        JSONKey("error.hint", .text, "What to do next"),
        JSONKey("error.retry", .word, "never, later or wait, as in vmx-errors(7)"),
        JSONKey("error.retry_at", .time, "When it can go on"),
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
        head("The episode") + [
          JSONKey("part", .text, "The part as it was asked for"),
          JSONKey("path", .text, "The absolute path"),
        ]),
      JSONShape(
        "playback", of: ["mark", "play"], with: ["result"], "The end of a playback",
        head("The episode") + [
          JSONKey("title", .text, "The title"),
          JSONKey("watched", .boolean, "Whether it was watched"),
          JSONKey(
            "position_ms", .milliseconds, "From where it is played on; missing for the start"),
          JSONKey("duration_ms", .milliseconds, "The length of the video, if it is known"),
        ]),
      JSONShape(
        "licence", of: ["licence"], with: ["result"], "The licence of an episode",
        head("The episode") + licence),
      JSONShape(
        "report", of: ["report"], with: ["result"],
        "An event that a backend is told of, or its order",
        head("The episode") + [
          JSONKey(
            "event", .word, "The step as in vmx-report(1), or the call to a provider of licences"),
          JSONKey("at", .time, "When the step was taken"),
          JSONKey("order", .word, "The order: remove, revoke, extend or fetch-again"),
          JSONKey("until", .time, "The new end that the order names"),
        ]),
      JSONShape(
        "copy", of: ["whereis"], "A place that has files of an episode",
        head("The episode") + [
          JSONKey("place", .text, "The absolute path of the file or bundle"),
          JSONKey("type", .word, "library, or the type of the bundle"),
          JSONKey("presence", .word, "reachable, unreachable or changed"),
          JSONKey("same", .boolean, "Whether it has the bytes of the library, if that is known"),
          JSONKey("verified", .time, "When its bytes were last written or verified"),
          JSONKey("copies", .number, "The number of places of the episode"),
        ]),
      JSONShape("proof", of: ["verify"], with: ["result"], "The verification of a file", proof),
      JSONShape("step", of: ["clean"], with: ["result"], "A step of vmx clean", step),
      JSONShape(
        "run", of: ["undo"], "A run that can be taken back, or a row of one (undo --list)",
        head("The name that vmx undo takes") + [
          JSONKey("tool", .text, "The tool that ran"),
          JSONKey("at", .time, "When it began"),
          JSONKey("count", .number, "The number of its rows"),
          JSONKey("bytes", .bytes, "What can be had back"),
          JSONKey("state", .word, "open, undone, purged or permanent"),
          JSONKey("reason", .text, "Why it was done, as the run recorded it"),
        ]),
      JSONShape(
        "migration", of: ["migrate"], with: ["result"], "A file or record of another program",
        head("The file or the episode") + migration),
      JSONShape(
        "finding", of: ["doctor"], "What vmx doctor found",
        head("The check") + [
          JSONKey("check", .word, "The check"),
          JSONKey("severity", .word, "ok, note or problem"),
          JSONKey("code", .word, "The code of a problem, as in vmx-errors(7)"),
          JSONKey("what", .text, "What was found"),
          JSONKey("subject", .text, "The file, episode or setting"),
          JSONKey("line", .number, "The line of the store, counted from 1"),
          JSONKey("outcome", .word, "With --mend: mended, planned or left"),
          JSONKey("hint", .text, "What to do next"),
        ]),
      JSONShape(
        "machine", of: ["states"], "A state machine, or the resting states",
        head("The machine, or resting") + [
          JSONKey("states", .list, "Its states"),
          JSONKey("states[].state", .word, "The state"),
          JSONKey("states[].to", .list, "The states that can follow"),
        ]),
      JSONShape(
        "code", of: ["explain"], "An error code",
        head("The code") + [
          JSONKey("code", .word, "The code"),
          JSONKey("status", .number, "The exit status if all failed so"),
          JSONKey("retry", .word, "never, later or wait, as in vmx-errors(7)"),
          JSONKey("sentence", .text, "What it means"),
          JSONKey("hint", .text, "What to do next"),
        ]),
      JSONShape(
        "key", of: ["explain"], "A key of JSON output, or a shape of rows (explain --keys)",
        head("Shape and key") + [
          JSONKey("shape", .word, "The shape of rows that has it"),
          JSONKey("key", .text, "The path of the key; absent in the row of the shape itself"),
          JSONKey("type", .word, "The JSON type"),
          JSONKey("unit", .text, "The unit or form of the value"),
          JSONKey("meaning", .text, "What it tells"),
          JSONKey("tools", .list, "The tools that print such rows, without vmx-"),
          JSONKey("contains", .list, "The shapes whose keys the rows have too"),
        ]),
      JSONShape(
        "error", of: JSONShape.anyTool, with: ["failure"], "A failure, on standard error", failure),
      JSONShape(
        "warning", of: JSONShape.anyTool, with: ["failure"],
        "A problem after which the tool went on",
        [
          JSONKey("schema", .number, "1"),
          JSONKey("row", .word, "warning"),
          JSONKey("tool", .text, "The tool, with vmx-"),
        ]),
    ]

  /// The list of commands of a shape that every command prints.
  static let anyTool = ["any"]

  private static let failure =
    head("The operand or episode, if it is one of several") + [
      JSONKey("tool", .text, "The tool, with vmx-"),
      JSONKey("stream", .text, "The input with the error: stdin, or a path"),
      JSONKey("line", .number, "The line of the input, counted from 1"),
      JSONKey("column", .number, "The character of the line, counted from 1"),
    ]

  private static let licence = [
    JSONKey("title", .text, "The title of the episode"),
    JSONKey("state", .word, "The state of the licence, as in vmx-states(7)"),
    JSONKey("text", .text, "The same in words, with the time that decides"),
    JSONKey("starts", .time, "From when it may be played"),
    JSONKey("expires", .time, "The end of the right to watch; missing for none"),
    JSONKey("left_ms", .milliseconds, "The time until that end; 0 if it is over"),
    JSONKey("play_period_ms", .milliseconds, "The time that the first play leaves"),
    JSONKey("played", .time, "When it was first played here"),
    JSONKey("registered", .time, "Since when the provider knows this device"),
    JSONKey("licence_id", .text, "The id of the licence"),
    JSONKey("provider", .text, "The URI of the provider"),
    JSONKey("status", .word, "The provider's status, as it was last read"),
    JSONKey("message", .text, "What the provider says of it"),
    JSONKey("seen", .time, "When the status was last read; missing for never"),
    JSONKey("offers", .list, "What the provider offers: register, renew, renew-page, return"),
    JSONKey("potential_end", .time, "The latest end that a renewal can reach"),
    JSONKey("page", .text, "The page on which it can be renewed by hand"),
    JSONKey("pending", .word, "The call that is still to be made: renew or return"),
  ]

  private static let proof =
    head("The episode") + [
      JSONKey("rev", .number, "The revision of the record that was compared"),
      JSONKey("part", .text, "The part, by name"),
      JSONKey("role", .word, "video, subtitle, image, metadata or key"),
      JSONKey("root", .text, "The UUID of the root"),
      JSONKey("path", .text, "The path of the file; absolute if the root is known"),
      JSONKey("relative_path", .text, "The same below the root"),
      JSONKey("answer", .word, "intact, damaged, missing, moved or unreachable"),
      JSONKey("segments", .list, "The damaged segments of 4 MiB, counted from 0"),
      JSONKey("size", .bytes, "The recorded size"),
      JSONKey("sha256", .text, "The recorded SHA-256 in hexadecimal"),
      JSONKey("proof", .word, "How far the bytes are proven: vmx-store(5)"),
      JSONKey("proven", .time, "When the file was last verified, this time included"),
      JSONKey("tracks", .list, "The tracks of the file, with --probe"),
      JSONKey("tracks[].type", .word, "video, audio or another type of ffprobe"),
      JSONKey("tracks[].duration_ms", .milliseconds, "How long the track plays"),
      JSONKey("declared_ms", .milliseconds, "How long the file says that it plays"),
    ]

  private static let step =
    head("The episode, file, root or kind of step") + [
      JSONKey("step", .word, "The step, as in vmx-clean(1)"),
      JSONKey("text", .text, "Why, in words"),
      JSONKey("reason", .word, "Why a rule removes it: watched, expired, space, rule"),
      JSONKey("bytes", .bytes, "What it frees or concerns"),
      JSONKey("part", .text, "The part, by name"),
      JSONKey("rev", .number, "The revision of the record; --apply compares it"),
      JSONKey("root", .text, "The UUID of the root"),
      JSONKey("path", .text, "The absolute path of the file or folder"),
      JSONKey("path_hex", .text, "The same in hexadecimal, if it is not UTF-8"),
      JSONKey("relative_path", .text, "The same below the root or the cache"),
      JSONKey("relative_path_hex", .text, "The same in hexadecimal, if it is not UTF-8"),
      JSONKey("found", .text, "Where the file is now, below the root"),
      JSONKey("target", .text, "Where the file goes, below the root"),
      JSONKey("name", .text, "The entry of the trash or of the journal"),
      JSONKey("code", .word, "What the step reports, as in vmx-errors(7)"),
      JSONKey("size", .bytes, "The size of the file when it was inspected"),
      JSONKey("modified", .time, "Its last change, with nine digits of a second"),
      JSONKey("inode", .text, "Its number on the disk"),
      JSONKey("sha256", .text, "The SHA-256 that was read from it, in hexadecimal"),
      JSONKey("permanent", .boolean, "true if the files do not go into the trash"),
      JSONKey("inverse", .text, "The command that takes it back, or none"),
    ]

  private static let migration = [
    JSONKey("kind", .word, "The program, as --from takes it"),
    JSONKey("part", .text, "The part, by name"),
    JSONKey("path", .text, "The absolute path of the file"),
    JSONKey("target", .text, "Where the file goes, below the root"),
    JSONKey("size", .bytes, "The size of the file"),
    JSONKey("evidence", .list, "How the episode is known, as phrases"),
    JSONKey("doubts", .list, "What is doubtful, as words of vmx-migrate(1)"),
  ]
}
