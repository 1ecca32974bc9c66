import Glibc
import VmxModel
import VmxTestSupport

/// Runs a story on its stage; the first failed step ends it.
struct StoryRunner {
  /// The outcome of a story without a failure.
  enum Outcome: Equatable {
    case told
    /// A prerequisite of the story is not available.
    case skipped(String)
  }

  private let stage: StoryStage
  private var last = StoryStage.Result(status: 0, stdout: "", stderr: "")

  init(on stage: StoryStage) {
    self.stage = stage
  }

  /// Runs all steps.
  mutating func play(_ story: Story) throws(StoryProblem) -> Outcome {
    do {
      for file in story.files { try stage.folder.write(file.name, file.text) }
    } catch {
      throw StoryProblem(line: 1, "its files cannot be written: \(error)")
    }
    for line in story.lines {
      if case .skipUnless(let need) = line.step {
        guard (try? stage.run(need))?.status == 0 else { return .skipped(need) }
        continue
      }
      do {
        try play(line.step)
      } catch let trouble as StoryStage.Trouble {
        throw StoryProblem(line: line.number, trouble.text)
      } catch {
        throw StoryProblem(line: line.number, "\(error)")
      }
    }
    if let faults = try? stage.faultsOfTrails() {
      throw StoryProblem(line: story.lines.last?.number ?? 1, "illegal trails:\n\(faults)")
    }
    return .told
  }

  private mutating func play(_ step: StoryStep) throws {
    switch step {
    case .run(let line, .success) where line.hasPrefix("jq ") && line.contains("origin.log"):
      // The origin logs a request after its last byte, and the client may finish before that.
      try judge(try stage.result(of: line, within: Self.patienceWithLog), .success)
    case .run(let line, let expectation): try judge(try stage.run(line), expectation)
    case .wait(let name, let expectation): try judge(try stage.finish(name), expectation)
    case .output(let stream, let pattern, let isAbsent): try look(stream, pattern, isAbsent)
    case .same(let left, let right): try compare(left, right)
    case .exists(let words): try count(words, isThere: true)
    case .absent(let words): try count(words, isThere: false)
    case .env(let name, let value): try stage.set(name, value)
    case .origin(let options): try stage.startOrigin(options)
    case .backend(let kind): try stage.startBackend(kind)
    case .background(let name, let line): try stage.startAlone(name, line)
    case .kill(let name, let signal): try stage.kill(name, signal)
    case .until(let line): try wait(until: line)
    case .needs(let programs): try require(programs)
    case .status, .skipUnless: break
    }
  }

  private func require(_ programs: [String]) throws {
    for program in programs {
      let parts = program.split(separator: ":", maxSplits: 1)
      let line =
        parts.count == 2 ? "\(parts[0]) -c 'import \(parts[1])'" : "command -v '\(program)'"
      guard try stage.run(line).status == 0 else {
        throw StoryStage.Trouble("'\(program)' is missing; 'make check' installs it")
      }
    }
  }

  /// Texts that a crash leaves, for pipelines, in which the shell hides the status.
  private static let marksOfCrash = [
    "Fatal error:", "Segmentation fault", "Illegal instruction", "Aborted", "Bus error",
  ]

  private mutating func judge(
    _ result: StoryStage.Result, _ expectation: Expectation
  ) throws {
    last = result
    try stage.keep(result)
    if let mark = Self.marksOfCrash.first(where: result.stderr.contains) {
      throw StoryStage.Trouble("something crashed: '\(mark)'\n\(report)")
    }
    guard expectation.isMet(by: result.status) else {
      let wanted =
        switch expectation {
        case .success: "0"
        case .failure: "a failure of its own"
        case .status(let status): "\(status)"
        }
      throw StoryStage.Trouble("status \(result.status), not \(wanted)\n\(report)")
    }
  }

  private func look(_ stream: StoryStep.Stream, _ pattern: String, _ isAbsent: Bool) throws {
    let regex = try Regex(pattern).anchorsMatchLineEndings()
    let text = stream == .stdout ? last.stdout : last.stderr
    guard text.contains(regex) != isAbsent else {
      let verb = isAbsent ? "matches" : "does not match"
      throw StoryStage.Trouble("\(stream) \(verb) '\(pattern)'\n\(report)")
    }
  }

  private func compare(_ left: String, _ right: String) throws {
    let paths = [left, right].map { name in
      StoryStep.Stream(rawValue: name).map(stage.path) ?? name
    }
    let result = try stage.run("diff -u -- \(paths[0]) \(paths[1])")
    guard result.status == 0 else {
      throw StoryStage.Trouble("they differ\n\(result.stdout)\(result.stderr)")
    }
  }

  private func count(_ words: String, isThere: Bool) throws {
    // A glob without a match is not expanded, so it names a file that does not exist.
    let test = isThere ? "[ -e \"$f\" ] || [ -L \"$f\" ]" : "[ ! -e \"$f\" ] && [ ! -L \"$f\" ]"
    let result = try stage.run(
      "for f in \(words); do { \(test); } || { echo \"$f\"; exit 1; }; done")
    guard result.status == 0 else {
      let names = try stage.run("find . -path ./tmp -prune -o -print | sort | head -n 100")
      let verb = isThere ? "is not there" : "is there"
      throw StoryStage.Trouble("\(result.stdout.trimmed) \(verb)\n\(names.stdout)")
    }
  }

  private static let patienceWithLog = 3.0

  private func wait(until line: String) throws {
    let result = try stage.result(of: line, within: StoryStage.patience)
    guard result.status == 0 else {
      throw StoryStage.Trouble("never came true\n\(result.stdout)\(result.stderr)")
    }
  }

  private var report: String { "--- stdout\n\(last.stdout)--- stderr\n\(last.stderr)" }
}
