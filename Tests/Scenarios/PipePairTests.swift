import Testing
import VmxTestSupport

/// The commands that print rows of episodes, and those that read them: every pair can be joined by
/// a pipe.
enum PipePairs {
  /// A stage of a pipe: its command, and its permitted outcomes.
  struct Stage: Sendable, CustomTestStringConvertible {
    let line: String
    /// A shell line that runs before the pipe.
    var before = "true"
    /// The error codes that its rows may have.
    var codes: [String] = []

    var testDescription: String { line }
  }

  static let producers: [Stage] = [
    Stage(line: "vmx list --json"),
    Stage(line: "vmx list --history --json"),
    Stage(line: "vmx add --json --id t/three three.mp4"),
    Stage(line: "vmx add --json \"$ORIGIN/b.mp4\""),
    Stage(line: "vmx fetch --json t/net"),
    Stage(line: "vmx verify --json --all"),
    Stage(line: "vmx show --json t/one t/bare"),
    Stage(line: "vmx path --json t/one t/two"),
    Stage(line: "vmx queue priority 5 --json t/one t/net"),
    Stage(line: "vmx mark watched --json t/one t/net"),
    Stage(line: "vmx licence --json t/key"),
    Stage(line: "vmx lock rate --json 12 t/one t/net"),
    Stage(line: "vmx rename --json t/one t/new"),
    Stage(line: "vmx rm --json t/two"),
    Stage(line: "vmx undo --json", before: "vmx rm t/two"),
    Stage(line: "vmx clean --watched --json", before: "vmx queue set watched=yes t/one"),
    Stage(line: "vmx status --json"),
    Stage(line: "vmx export --json t/one t/two -o rows.tar", before: "rm -f rows.tar"),
    Stage(line: "vmx import --json bundle.tar"),
    Stage(line: "vmx whereis --json t/one t/two"),
  ]

  static let consumers: [Stage] = [
    Stage(line: "vmx list --json -"),
    Stage(line: "vmx status --json -"),
    Stage(line: "vmx verify --json -"),
    Stage(line: "vmx clean --json --older-than 365d -"),
    Stage(line: "vmx show --json"),
    Stage(line: "vmx path --json"),
    Stage(line: "vmx fetch --json", codes: ["no-source"]),
    Stage(line: "vmx queue priority 7 --json"),
    Stage(line: "vmx queue retry --json"),
    Stage(line: "vmx mark unwatched --json"),
    Stage(line: "vmx licence refresh --json", codes: ["licence-missing"]),
    Stage(line: "vmx lock rate --json 6"),
    Stage(line: "vmx rm --json"),
    Stage(line: "vmx undo --json", codes: ["undo-impossible"]),
    // An id alone does not prove that two descriptions are of the same episode.
    Stage(line: "vmx add --json", codes: ["id-taken"]),
    Stage(line: "vmx export --json --force -o packed.tar"),
    Stage(line: "vmx import --json --repair bundle.tar"),
    Stage(line: "vmx whereis --json"),
  ]
}

@Suite struct PipePairTests {
  /// The second stage prints each row of the first one: done, unchanged with a reason, or failed
  /// with a code in the table. The result depends on the store at the time when the row arrives.
  @Test(arguments: PipePairs.producers)
  func `every tool that takes rows takes those of this one`(producer: PipePairs.Stage) async throws
  {
    let support = try #require(StoryFiles.built)
    let tools = try #require(StoryFiles.tools)
    let problems = try await StoryScheduler.house.play {
      Result {
        let stage = try StoryStage(tools: tools, support: support)
        try Self.prepare(stage)
        return try PipePairs.consumers.compactMap { consumer in
          try Self.problem(of: producer, consumer, on: stage)
        }
      }
    }
    for problem in try problems.get() { Issue.record("\(problem)") }
  }

  private static func prepare(_ stage: StoryStage) throws {
    try stage.startOrigin("--film a.mp4=3000 --film b.mp4=3000")
    let film = "sh $SOURCE/Tests/Support/film.sh"
    let made = try stage.run(
      """
      set -e
      \(film) one.mp4 200; \(film) two.mp4 210; \(film) three.mp4 220
      vmx add -q --id t/one one.mp4; vmx add -q --id t/two two.mp4
      vmx add -q --id t/net "$ORIGIN/a.mp4"
      echo '{"id":"t/bare","title":"Bare"}' | vmx add -q --json
      vmx export -q t/one t/two -o bundle.tar
      link() { printf '{"rel":"%s","href":"https://provider.example/%s"}' $1 $1; }
      printf '{"id":"l","issued":"2026-01-01T00:00:00Z","provider":"https://provider.example",' > l
      printf '"encryption":{},"signature":{},"links":[%s,%s]}' $(link hint) $(link publication) >> l
      \(film) key.mp4 230; vmx add -q --id t/key --licence l key.mp4
      cp -a vmx prepared
      """)
    #expect(made.status == 0, "\(made.stderr)")
  }

  /// Returns the problem of a pair; nil if there is none.
  private static func problem(
    of producer: PipePairs.Stage, _ consumer: PipePairs.Stage, on stage: StoryStage
  ) throws -> String? {
    let codes = consumer.codes.map { "\"\($0)\"" }.joined(separator: ",")
    let result = try stage.run(
      """
      rm -rf vmx; cp -a prepared vmx; \(producer.before) >/dev/null 2>&1 || exit 9
      { \(producer.line) 2>first.err; echo $? >first; } | tee rows |
        { \(consumer.line) >out 2>err; echo $? >second; }
      [ "$(cat first)" = 0 ] || { cat first first.err; exit 1; }
      jq -n --slurpfile rows rows --slurpfile out out --argjson codes '[\(codes)]' '
        def ids: map(select(.row == null).id) | unique;
        {lost: (($rows | ids) - ($out | ids)),
         wrong: ($out | map(select(.outcome == "failed" and ([.error.code] - $codes) != []))),
         silent: ($out | map(select(.outcome == "unchanged" and .reason == null)))}
        | select(.lost + .wrong + .silent != [])' >found || exit 1
      grep -q '"failed"' out || [ "$(cat second)" = 0 ] || { echo "status $(cat second)"; cat err; }
      cat found; [ ! -s found ] || cat err
      """)
    guard result.status != 0 || !result.stdout.isEmpty else { return nil }
    return "\(producer.line) | \(consumer.line): \(result.stdout)\(result.stderr)"
  }
}
