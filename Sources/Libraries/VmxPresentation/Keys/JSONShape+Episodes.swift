extension JSONShape {
  private static let head = [
    JSONKey("schema", .number, "The version of the records, 1; it changes only if a key must"),
    JSONKey("id", .text, "The episode"),
  ]

  /// The commands that print the result of an operation on each episode.
  private static let operations = [
    "add", "clean", "export", "feed", "fetch", "import", "lock", "mark", "queue", "rename", "rm",
    "undo",
  ]
  /// The commands that pass through the rows of episodes that they cannot process.
  private static let passing = ["list", "path", "play", "show", "status", "verify", "whereis"]

  /// The shapes of rows about episodes, in the order of the manual.
  static let episodes: [JSONShape] = [
    JSONShape(
      "episode", of: ["list", "queue"], "An episode as it is recorded",
      head + content + wishes + parts + files + variants + requested),
    JSONShape(
      "details", of: ["show"], with: ["episode"], "An episode in full, with its past",
      trail("trail[].") + [
        JSONKey("position_at", .time, "When it was played up to there"),
        JSONKey("licence", .object, "The rights by its licence, whose end is expires"),
        JSONKey("licence.state", .word, "The state of the licence, as in vmx-states(7)"),
        JSONKey("licence.starts", .time, "From when it may be played"),
        JSONKey(
          "licence.clock_contradicted", .boolean,
          "Whether the provider's clock was more than an hour from this one"),
        JSONKey("trail", .list, "The last 16 changes of state, the oldest first"),
        JSONKey("why", .object, "What it waits for"),
        JSONKey("why.waits_for", .text, "What it waits for, as a phrase"),
        JSONKey("why.release", .text, "What would release it, as a phrase"),
        JSONKey("why.code", .word, "The code of what holds it, as in vmx-errors(7)"),
      ]),
    JSONShape(
      "outcome", of: operations + passing, with: ["episode", "result"],
      "The result for an episode or another operand; readers pass on so what is not theirs", []),
    JSONShape(
      "history", of: ["list"], "A change of the state of a part (list --history)",
      head + trail("") + [
        JSONKey("message", .text, "The code in words, or why it was removed"),
        JSONKey("reason", .word, "Why it was removed, as removal.reason"),
        JSONKey("by", .text, "The tool that removed it"),
      ]),
  ]

  private static func trail(_ prefix: String) -> [JSONKey] {
    [
      JSONKey("\(prefix)at", .time, "When"),
      JSONKey("\(prefix)part", .text, "The part, by name"),
      JSONKey("\(prefix)from", .word, "The state before"),
      JSONKey("\(prefix)to", .word, "The state after"),
      JSONKey("\(prefix)code", .word, "Why it failed or had to wait, as in vmx-errors(7)"),
    ]
  }

  private static let content = [
    JSONKey("rev", .number, "The revision of the record; plans compare it"),
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The show, as the first half of the id"),
    JSONKey("show_title", .text, "The title of the show"),
    JSONKey("season", .number, "The season; 0 for specials"),
    JSONKey("number", .number, "The number within the season"),
    JSONKey("date", .day, "The day of first showing"),
    JSONKey("duration_ms", .milliseconds, "The playing time as published"),
    JSONKey("language", .text, "The main language, as a tag of BCP 47"),
    JSONKey("summary", .text, "What it is about"),
    JSONKey("rating", .decimal, "The average rating of viewers, from 0 to 10"),
    JSONKey("age_rating", .text, "The age rating, as published or given: FSK 12, TV-MA, 16"),
    JSONKey("chapters", .list, "The chapters, as published"),
    JSONKey("chapters[].start_ms", .milliseconds, "When the chapter begins"),
    JSONKey("chapters[].title", .text, "The title of the chapter"),
    JSONKey("chapters_url", .text, "The address of a document with the chapters"),
    JSONKey("feed", .text, "The feed that has it, by its id"),
    JSONKey("folder", .text, "The folder of its new files below the root, by a rule of its feed"),
  ]

  private static let wishes = [
    JSONKey("want", .word, "What is asked for: fetch, hold, none, gone"),
    JSONKey("state", .word, "The state, as in vmx-states(7)"),
    JSONKey("code", .word, "Why it failed or waits, as in vmx-errors(7)"),
    JSONKey("reason", .word, "Why it waits, was removed or stayed unchanged: vmx-states(7)"),
    JSONKey("until", .time, "When it goes on by itself"),
    JSONKey("lacks", .list, "The names of the optional parts that are not ready"),
    JSONKey("priority", .number, "The priority; higher is sooner, 0 unless set"),
    JSONKey("place", .number, "The place among those of one priority"),
    JSONKey("after", .list, "The ids of the episodes that come first"),
    JSONKey("keep", .boolean, "Whether no rule may remove it"),
    JSONKey("watched", .boolean, "Whether it was watched"),
    JSONKey("metered_ok", .boolean, "Whether a metered network may be used for it"),
    JSONKey("expires", .time, "Until when it may be watched"),
    JSONKey("added", .time, "When it was added"),
    JSONKey("removal", .object, "The last removal, unless it was asked for since"),
    JSONKey("removal.at", .time, "When it was removed"),
    JSONKey("removal.by", .text, "The tool that removed it"),
    JSONKey("removal.reason", .word, "Why: by-hand, watched, expired, space, rule"),
    JSONKey("work", .object, "The transfer that is under way, as its worker last told"),
    JSONKey("work.part", .text, "The part, by name"),
    JSONKey("work.bytes", .bytes, "What has come"),
    JSONKey("work.total", .bytes, "What will have come"),
    JSONKey("work.rate", .rate, "The present rate"),
    JSONKey("work.eta_ms", .milliseconds, "The time that the rest will take"),
    JSONKey("work.attempt", .number, "The attempt, counted from 1"),
    JSONKey("work.host", .text, "The computer of the worker"),
    JSONKey("work.pid", .number, "The process of the worker"),
    JSONKey("work.since", .time, "When that process began"),
    JSONKey("work.at", .time, "When it told this"),
    JSONKey("work.phase", .word, "connecting, receiving, stalling, verifying or publishing"),
  ]

  private static let parts = [
    JSONKey("parts", .list, "The files of the episode"),
    JSONKey("parts[].role", .word, "video, subtitle, image, metadata or key"),
    JSONKey("parts[].lang", .text, "The language of a subtitle, as a tag of BCP 47"),
    JSONKey("parts[].forced", .boolean, "Whether a subtitle is of foreign passages only"),
    JSONKey("parts[].sdh", .boolean, "Whether a subtitle tells of sounds too"),
    JSONKey("parts[].required", .boolean, "Whether the episode is not ready without it"),
    JSONKey("parts[].state", .word, "The state, as in vmx-states(7)"),
    JSONKey("parts[].resume_state", .word, "The state from which it goes on"),
    JSONKey("parts[].code", .word, "Why it failed or waits, as in vmx-errors(7)"),
    JSONKey("parts[].message", .text, "The same in words"),
    JSONKey("parts[].reason", .word, "Why it waits, as in vmx-states(7)"),
    JSONKey("parts[].until", .time, "When it goes on by itself"),
  ]

  private static let files = [
    JSONKey("parts[].root", .text, "The UUID of the root of its file"),
    JSONKey("parts[].path", .text, "The path of its file; absolute if the root is known"),
    JSONKey("parts[].relative_path", .text, "The same below the root"),
    JSONKey("parts[].size", .bytes, "The size, if it is known"),
    JSONKey("parts[].held", .bytes, "What is on the disk of it"),
    JSONKey("parts[].sha256", .text, "The SHA-256 of the file in hexadecimal"),
    JSONKey("parts[].proof", .word, "How far the bytes are proven: vmx-store(5)"),
    JSONKey("parts[].proven", .time, "When the file was last verified"),
    JSONKey("parts[].original", .object, "The file as it came, if vmx converted it"),
    JSONKey("parts[].original.sha256", .text, "Its SHA-256 in hexadecimal"),
    JSONKey("parts[].original.size", .bytes, "Its size"),
    JSONKey("parts[].original.encoding", .text, "Its encoding of characters"),
  ]

  private static let variants = [
    JSONKey("parts[].variants", .list, "The files to choose from"),
    JSONKey("parts[].variants[].height", .number, "The lines of the picture"),
    JSONKey("parts[].variants[].bitrate", .number, "The bits a second"),
    JSONKey("parts[].variants[].type", .text, "The media type"),
    JSONKey("parts[].variants[].size", .bytes, "The size as published"),
    JSONKey("parts[].variants[].sha256", .text, "The SHA-256 as published, in hexadecimal"),
    JSONKey("parts[].variants[].duration_ms", .milliseconds, "The playing time as published"),
    JSONKey("parts[].variants[].chosen", .boolean, "true for the one that is taken"),
    JSONKey("parts[].variants[].sources", .list, "Where it can be had, in the order of trial"),
    JSONKey("parts[].variants[].sources[].url", .text, "The URL, without user and password"),
    JSONKey("parts[].variants[].sources[].failed", .word, "Why it is given up: vmx-errors(7)"),
  ]

  private static let requested = [
    JSONKey("path", .text, "The path of the video; only if named by --fields"),
    JSONKey("image_file", .text, "The file of its picture; in details, or if named by --fields"),
    JSONKey("size", .bytes, "The size of the video; only if named by --fields"),
    JSONKey("held", .bytes, "What has come of the video; only if named by --fields"),
    JSONKey("due", .boolean, "Whether a fetch would take it up; only if named by --fields"),
    JSONKey("position_ms", .milliseconds, "From where it is played on; in details, or by --fields"),
    JSONKey("rank", .number, "The position among what is due; list --due, queue, --fields"),
  ]
}
