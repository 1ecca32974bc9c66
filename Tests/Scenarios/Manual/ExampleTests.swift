import Testing
import VmxModel
import VmxTestSupport

/// The examples of the manual. The examples of each page run unchanged and in order, in a separate
/// library with the videos of the demonstration. The loopback origin replaces example.org. A
/// comment `then: LINE` after an example is a shell line that its effect must make true; the output
/// of the example is in the file `stdout`.
struct ExampleTests {
  private static let pages: [(name: String, section: Int)] =
    [
      ("vmx", 1), ("vmx-bundle", 5), ("vmx-config", 5), ("vmx-json", 5), ("vmx-store", 5),
      ("vmx-errors", 7), ("vmx-states", 7),
    ]
    + Toolbox.tools.map { ("vmx-\($0.name)", 1) }

  /// Substitutes for third-party programs in the examples: they only check whether the files exist.
  static let others = [
    "mpv":
      "for word; do case $word in --sub-file=*|[!-]*) "
      + "[ -e \"${word#--sub-file=}\" ] || exit 1;; esac; done; [ ! -e /dev/fd/3 ] || "
      + "echo '{\"event\":\"property-change\",\"name\":\"time-pos\",\"data\":1800}' >&3",
    "plantuml": "grep -q '^@enduml$'", "crontab": "[ \"$1\" = -l ]",
    "yt-dlp":
      "echo '{\"id\":\"1\",\"extractor_key\":\"Site\",\"title\":\"Talk\",\"protocol\":\"http\",'"
      + "'\"url\":\"'$ORIGIN'/talk.mp4\"}'",
    // The same library serves as that of another computer.
    "ssh": "shift && exec \"$@\"",
  ]

  private static let preparation = [
    "mkdir -p stick home/.config/vmx && chmod +x bin/*",
    "sed \"s|@ORIGIN@|$ORIGIN|g\" $SOURCE/Tests/Demo/media/catalogue.jsonl > catalogue.jsonl",
    "cp $SOURCE/Tests/Demo/media/2026-05-20.mp4 .",
    "mkdir -p home/Videos && cp 2026-05-20.mp4 'home/Videos/Travels - S01E01 - Dunes.mp4'",
    "echo $ORIGIN/s01e02.mp4 > urls.txt",
    "echo wonder-1 > password",
    "vmx add < catalogue.jsonl",
    "vmx add --id example.org/opening --want none $ORIGIN/opening.mp4",
    "vmx fetch --show small-wonders --number 1",
    "curl -fs \"$BACKEND/control/issue?id=film&end=%2B3600&limit=%2B864000&publication=$ORIGIN/talk.mp4\"",
    "curl -fs $BACKEND/licenses/film > film.lcpl",
  ]

  @Test(arguments: pages)
  func `the examples of a page run`(name: String, section: Int) throws {
    let page = try ManualPage(name, section)
    let stage = try preparedStage()
    for example in page.examples {
      let result = try run(example.text, on: stage)
      let isFine = result.status == 0 && !result.stderr.contains(/error\[|not found/)
      let place = "\(page.file):\(example.line)"
      #expect(isFine, "\(place): \(result.status): \(example.text)\n\(result.stderr)")
      try stage.folder.write("stdout", result.stdout)
      for effect in example.effects {
        let effect = (line: effect, result: try stage.run(effect))
        #expect(
          effect.result.status == 0,
          "\(place): \(effect.line)\n\(result.stdout)\(result.stderr)\(effect.result.stderr)")
      }
    }
  }

  @Test(arguments: [
    "add", "fetch", "list", "play", "feed", "rm", "export", "import", "verify", "clean",
  ])
  func `the effect of each example of the usual tools is checked`(tool: String) throws {
    let page = try ManualPage("vmx-\(tool)", 1)
    for example in page.examples where example.effects.isEmpty {
      Issue.record("\(page.file):\(example.line): no 'then: LINE' after \(example.text)")
    }
  }

  @Test(arguments: pages)
  func `a page has as many examples as it needs`(name: String, section: Int) throws {
    let brief: Set = [
      "vmx-path", "vmx-bundle", "vmx-explain", "vmx-states", "vmx-errors", "vmx-config",
      "vmx-tutorial",
      "vmx-json", "vmx-store",
    ]
    #expect(try ManualPage(name, section).examples.count >= (brief.contains(name) ? 2 : 5))
  }

  private func preparedStage() throws -> StoryStage {
    let built = try #require(StoryFiles.built)
    let stage = try StoryStage(tools: StoryFiles.tools ?? built, support: built)
    for (name, text) in Self.others {
      try stage.folder.write("bin/\(name)", "#!/bin/sh\n\(text)\n")
    }
    try stage.set("PATH", "$HERE/bin:$PATH")
    try stage.startOrigin(
      "--root $SOURCE/Tests/Demo/media --rule '/talk.mp4 redirect:302:/s01e01.mp4'")
    try stage.startBackend("sync opodsync")
    try stage.set("SYNC", "$BACKEND")
    try stage.startBackend("kodi")
    try stage.set("VMX_KODI_URL", "http://kodi:wonder-1@${BACKEND#http://}")
    try stage.startBackend()
    try stage.set("VMX_CATALOGUE_URL", "$ORIGIN/catalogue")
    for line in Self.preparation {
      let result = try stage.run(line)
      try #require(result.status == 0, "\(line)\n\(result.stderr)")
    }
    return stage
  }

  /// Runs an example as a script; an example that is a settings file is passed to a command that
  /// reads it.
  private func run(_ text: String, on stage: StoryStage) throws -> StoryStage.Result {
    guard !text.hasPrefix("[") else {
      try stage.folder.write("settings", text + "\n")
      return try stage.run("VMX_CONFIG=settings vmx fetch --due --root $HERE/videos")
    }
    let script = text.replacing("https://example.org", with: "$ORIGIN")
      .replacing("https://pod.example.org", with: "$SYNC")
    try stage.folder.write("example", script + "\n")
    return try stage.run("sh -e example")
  }
}
