import Testing

/// The runner must detect failures, otherwise no story proves anything.
struct StoryRunnerTests {
  private func play(_ text: String) throws(StoryProblem) -> StoryRunner.Outcome {
    let story = try Story(text)
    do {
      var runner = StoryRunner(on: try StoryStage(tools: "/nowhere", support: "/nowhere"))
      return try runner.play(story)
    } catch let problem as StoryProblem {
      throw problem
    } catch {
      throw StoryProblem(line: 0, "\(error)")
    }
  }

  @Test(arguments: [
    "false", "! true", "sh -c 'exit 3'\nstatus 4", "! nothing-of-this-name",
    "! sh -c 'kill -SEGV $$'", "! sh -c 'kill -ILL $$'\nstatus 132", "! sh -c 'kill -TERM $$'",
    "! sh -c 'kill -ABRT $$' | cat", "echo 'Fatal error: x' >&2 | true",
  ])
  func `a command that ends otherwise than told is found`(line: String) {
    #expect(throws: StoryProblem.self) { try play(line) }
  }

  @Test(arguments: [
    "stdout aa", "stdout ^b$", "!stdout ^a$", "stderr a", "same stdout other", "exists b.txt",
    "absent a*", "exists a.txt b.txt", "wait nobody",
  ])
  func `an observation that does not hold is found at its line`(step: String) {
    let problem = #expect(throws: StoryProblem.self) {
      try play(
        "echo a > a.txt\n# a comment\n\ntrue\ncat a.txt\n\(step)\n-- other --\nb\n")
    }
    #expect(problem?.line == 6)
  }

  @Test(arguments: [
    "status 1", "true\nstatus x", "stdout", "same a", "kill a USR1", "skip if x", "until",
    "needs",
  ])
  func `a step that makes no sense is refused`(text: String) {
    #expect(throws: StoryProblem.self) { try Story(text) }
  }

  @Test func `a story ends in peace where its need is not met`() throws {
    #expect(try play("skip unless false\nfalse") == .skipped("false"))
  }

  @Test(arguments: ["needs sh no-such-program", "needs python3:no_such_module"])
  func `a story fails where a program that it needs is missing`(step: String) {
    let problem = #expect(throws: StoryProblem.self) { try play("needs sh cat\n\(step)") }
    #expect(problem?.line == 2)
  }

  @Test func `files keep their blank lines and end with a newline`() throws {
    let story = try Story("true\n-- a --\n\none\n\n-- b/c --\n")
    #expect(story.files == [.init(name: "a", text: "\none\n\n"), .init(name: "b/c", text: "")])
  }

  @Test func `each story has a home and a library of its own and nothing else`() throws {
    let told = try play(
      """
      [ "$HOME" = "$PWD/home" ] && [ "$VMX_HOME" = "$PWD/vmx" ] && [ ! -e "$VMX_HOME" ]
      [ -z "$XDG_DATA_HOME$SSH_AUTH_SOCK$USER$VMX_EXEC_PATH" ]
      """)
    #expect(told == .told)
  }
}
