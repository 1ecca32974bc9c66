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
      "episode", of: ["list", "queue"], "The record of an episode",
      head + content + wishes + parts + files + variants + requested),
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

  private static let content = [
    JSONKey("rev", .number, "The revision of the record, which plans compare"),
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The show, as the first half of the id"),
    JSONKey("show_title", .text, "The title of the show"),
    JSONKey("season", .number, "The season; 0 for specials"),
    JSONKey("number", .number, "The number within the season"),
    JSONKey("date", .day, "The date of first showing"),
    JSONKey("duration_ms", .milliseconds, "The published duration"),
    JSONKey("language", .text, "The main language, as a BCP 47 tag"),
    JSONKey("summary", .text, "The summary"),
    JSONKey("rating", .decimal, "The average rating of viewers, from 0 to 10"),
    JSONKey("age_rating", .text, "The published or given age rating: FSK 12, TV-MA, 16"),
    JSONKey("show_age_rating", .text, "The age rating that its show was given"),
    JSONKey("chapters", .list, "The published chapters"),
    JSONKey("chapters[].start_ms", .milliseconds, "The start of the chapter"),
    JSONKey("chapters[].title", .text, "The title of the chapter"),
    JSONKey("chapters_url", .text, "The URL of a document with the chapters"),
    JSONKey("page_url", .text, "The URL of the page on which another program found its sources"),
    JSONKey("feed", .text, "The id of its feed"),
    JSONKey("folder", .text, "The folder for its new files, relative to the root, set by its feed"),
  ]

  private static let wishes = [
    JSONKey("want", .word, "The want: fetch, hold, none or gone"),
    JSONKey("state", .word, "The state, as in vmx-states(7)"),
    JSONKey("code", .word, "The error code, as in vmx-errors(7)"),
    JSONKey("reason", .word, "The reason for a wait, removal or unchanged result: vmx-states(7)"),
    JSONKey("until", .time, "The time when it resumes automatically"),
    JSONKey("lacks", .list, "The names of the optional parts that are not ready"),
    JSONKey("priority", .number, "The priority; higher is sooner, 0 by default"),
    JSONKey("place", .number, "The place within the same priority"),
    JSONKey("after", .list, "The ids of the episodes that must be ready first"),
    JSONKey("keep", .boolean, "Whether it is protected from cleaning rules"),
    JSONKey("watched", .boolean, "Whether it is marked as watched"),
    JSONKey("metered_ok", .boolean, "Whether a metered network is allowed for it"),
    JSONKey("expires", .time, "The time when it expires"),
    JSONKey("added", .time, "The time when it was added"),
    JSONKey("removal", .object, "The last removal, unless it was requested again since"),
    JSONKey("removal.at", .time, "The time of the removal"),
    JSONKey("removal.by", .text, "The tool that removed it"),
    JSONKey("removal.reason", .word, "The reason: by-hand, watched, expired, space, rule, backend"),
    JSONKey("work", .object, "The running transfer, as its worker last reported it"),
    JSONKey("work.part", .text, "The name of the part"),
    JSONKey("work.bytes", .bytes, "The received size"),
    JSONKey("work.total", .bytes, "The total size"),
    JSONKey("work.rate", .rate, "The present rate"),
    JSONKey("work.eta_ms", .milliseconds, "The estimated remaining time"),
    JSONKey("work.attempt", .number, "The attempt, counted from 1"),
    JSONKey("work.host", .text, "The host name of the worker"),
    JSONKey("work.pid", .number, "The process id of the worker"),
    JSONKey("work.since", .time, "The start time of that process"),
    JSONKey("work.at", .time, "The time of this report"),
    JSONKey("work.phase", .word, "connecting, receiving, stalling, verifying or publishing"),
  ]

  private static let parts = [
    JSONKey("parts", .list, "The files of the episode"),
    JSONKey("parts[].role", .word, "video, subtitle, image, metadata or key"),
    JSONKey("parts[].lang", .text, "The language of a subtitle, as a BCP 47 tag"),
    JSONKey("parts[].forced", .boolean, "Whether a subtitle has only foreign-language passages"),
    JSONKey("parts[].sdh", .boolean, "Whether a subtitle describes sounds too"),
    JSONKey("parts[].index", .boolean, "Whether it is the index of a VobSub pair"),
    JSONKey("parts[].format", .word, "The format of a subtitle beside another of its language"),
    JSONKey("parts[].required", .boolean, "Whether the episode requires it to be ready"),
    JSONKey("parts[].state", .word, "The state, as in vmx-states(7)"),
    JSONKey("parts[].resume_state", .word, "The state from which it resumes"),
    JSONKey("parts[].code", .word, "The error code, as in vmx-errors(7)"),
    JSONKey("parts[].message", .text, "The error message"),
    JSONKey("parts[].reason", .word, "The reason for the wait, as in vmx-states(7)"),
    JSONKey("parts[].until", .time, "The time when it resumes automatically"),
  ]

  private static let files = [
    JSONKey("parts[].root", .text, "The UUID of the root of its file"),
    JSONKey("parts[].path", .text, "The path of its file; absolute if the root is known"),
    JSONKey("parts[].relative_path", .text, "The path relative to the root"),
    JSONKey("parts[].size", .bytes, "The size, if known"),
    JSONKey("parts[].held", .bytes, "The size of its data on disk"),
    JSONKey("parts[].sha256", .text, "The SHA-256 of the file, in hexadecimal"),
    JSONKey("parts[].proof", .word, "The level of proof of the bytes: vmx-store(5)"),
    JSONKey("parts[].proven", .time, "The time of the last verification"),
    JSONKey("parts[].original", .object, "The received file, if vmx converted it"),
    JSONKey("parts[].original.sha256", .text, "Its SHA-256, in hexadecimal"),
    JSONKey("parts[].original.size", .bytes, "Its size"),
    JSONKey("parts[].original.encoding", .text, "Its character encoding"),
  ]

  private static let variants = [
    JSONKey("parts[].variants", .list, "The available files"),
    JSONKey("parts[].variants[].height", .number, "The height of the picture, in pixels"),
    JSONKey("parts[].variants[].bitrate", .number, "The bitrate, in bits per second"),
    JSONKey("parts[].variants[].type", .text, "The media type"),
    JSONKey("parts[].variants[].size", .bytes, "The published size"),
    JSONKey("parts[].variants[].sha256", .text, "The published SHA-256, in hexadecimal"),
    JSONKey("parts[].variants[].duration_ms", .milliseconds, "The published duration"),
    JSONKey("parts[].variants[].chosen", .boolean, "Whether this variant is chosen"),
    JSONKey(
      "parts[].variants[].sources", .list, "The sources, in the order in which they are tried"),
    JSONKey("parts[].variants[].sources[].url", .text, "The URL, without user and password"),
    JSONKey(
      "parts[].variants[].sources[].failed", .word,
      "The error code if the source was given up: vmx-errors(7)"),
  ]

  private static let requested = [
    JSONKey("path", .text, "The path of the video; only with --fields"),
    JSONKey("image_file", .text, "The path of its image; in details, or with --fields"),
    JSONKey("size", .bytes, "The size of the video; only with --fields"),
    JSONKey("held", .bytes, "The received size of the video; only with --fields"),
    JSONKey("due", .boolean, "Whether a fetch would start it; only with --fields"),
    JSONKey(
      "position_ms", .milliseconds,
      "The position where playback resumes; in details, or with --fields"),
    JSONKey("rank", .number, "The position among due episodes; list --due, queue, --fields"),
  ]
}
