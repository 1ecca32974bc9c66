import Glibc

/// How a command of a story must end.
///
/// A crash is never what a story expects: signals that a broken program dies of are a failure
/// under every expectation.
enum Expectation: Sendable, Equatable {
  /// With status 0.
  case success
  /// By itself, with a status from 1 to 125.
  case failure
  /// With exactly this status, as the shell counts: 141 is the end by SIGPIPE.
  case status(Int32)

  /// Whether it ended so.
  func isMet(by status: Int32) -> Bool {
    guard !Self.crashes.contains(status - 128) else { return false }
    return switch self {
    case .success: status == 0
    case .failure: (1...125).contains(status)
    case .status(let wanted): status == wanted
    }
  }

  /// Signals that only a broken program dies of.
  private static let crashes: Set<Int32> = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
}

/// One step of a story.
enum StoryStep: Sendable, Equatable {
  enum Stream: String, Sendable {
    case stdout, stderr
  }

  /// `[!] LINE`: a shell line.
  case run(String, Expectation)
  /// `status N`: how exactly the command before it ends; folded into that.
  case status(Int32)
  /// `[!]stdout PATTERN`: what the last command printed has (not) a match; `^`, `$` match at lines.
  case output(Stream, pattern: String, isAbsent: Bool)
  /// `same A B`: two files are equal; `stdout`, `stderr` stand for what was printed last.
  case same(String, String)
  /// `exists F…` and `absent F…`: shell words, globs too.
  case exists(String)
  case absent(String)
  /// `env NAME=VALUE`: from here on; the value is expanded as in the shell.
  case env(name: String, value: String)
  /// `origin [plan FILE] [OPTIONS]`: starts the loopback origin in the story's folder; sets ORIGIN
  /// and ORIGIN2 to the URLs of its listeners, and lets it log to `origin.log`.
  case origin(String)
  /// `backend [sync KIND | kodi]`: starts the licence backend, a server for subscriptions, or a Kodi;
  /// sets BACKEND to its URL, and lets it log to `backend.log`, `sync.log` or `kodi.log`.
  case backend(String)
  /// `background NAME COMMAND`, and later `kill NAME [SIGNAL]`, `[!] wait NAME`.
  case background(name: String, line: String)
  case kill(name: String, signal: Int32)
  case wait(name: String, Expectation)
  /// `until LINE`: tries a shell line again until it succeeds.
  case until(String)
  /// `skip unless LINE`: ends the story here, in peace, unless the line succeeds.
  case skipUnless(String)

  /// The step that a line tells; nil for blank lines and comments.
  init?(_ text: String, line: Int) throws(StoryProblem) {
    let text = text.trimmed
    if text.isEmpty || text.hasPrefix("#") { return nil }
    let isNegated = text.hasPrefix("!")
    let body = isNegated ? String(text.dropFirst()).trimmed : text
    let (word, rest) = body.firstWord
    let expectation: Expectation = isNegated ? .failure : .success
    if let step = try Self.observation(word, rest, isNegated, line) {
      self = step
    } else if let step = try Self.process(word, rest, expectation, line) {
      self = step
    } else {
      self = .run(body, expectation)
    }
  }

  /// Steps that look at what came of a command.
  private static func observation(
    _ word: String, _ rest: String, _ isNegated: Bool, _ line: Int
  ) throws(StoryProblem) -> StoryStep? {
    switch word {
    case "status":
      guard let status = Int32(rest) else { throw StoryProblem(line: line, "status of what?") }
      return .status(status)
    case "stdout", "stderr":
      guard let stream = Stream(rawValue: word), !rest.isEmpty else {
        throw StoryProblem(line: line, "'\(word)' needs a pattern")
      }
      return .output(stream, pattern: rest, isAbsent: isNegated)
    case "same":
      let (first, second) = rest.firstWord
      guard !second.isEmpty else { throw StoryProblem(line: line, "'same' needs two names") }
      return .same(first, second)
    case "exists": return .exists(rest)
    case "absent": return .absent(rest)
    default: return nil
    }
  }

  /// Steps about processes and what is around them.
  private static func process(
    _ word: String, _ rest: String, _ expectation: Expectation, _ line: Int
  ) throws(StoryProblem) -> StoryStep? {
    let (name, more) = rest.firstWord
    switch word {
    case "env":
      guard let equals = rest.firstIndex(of: "=") else {
        throw StoryProblem(line: line, "'env' needs NAME=VALUE")
      }
      return .env(
        name: String(rest[..<equals]), value: String(rest[rest.index(after: equals)...]))
    case "backend": return .backend(rest)
    case "origin": return .origin(name == "plan" ? "--plan \(more)" : rest)
    case "background":
      guard !more.isEmpty else { throw StoryProblem(line: line, "'background NAME COMMAND'") }
      return .background(name: name, line: more)
    case "kill":
      let signals = ["": SIGTERM, "TERM": SIGTERM, "INT": SIGINT, "HUP": SIGHUP, "KILL": SIGKILL]
      guard let signal = signals[more] else {
        throw StoryProblem(line: line, "a signal of no story: '\(more)'")
      }
      return .kill(name: name, signal: signal)
    case "wait": return .wait(name: name, expectation)
    case "until":
      guard !rest.isEmpty else { throw StoryProblem(line: line, "'until LINE'") }
      return .until(rest)
    case "skip":
      guard name == "unless" else { throw StoryProblem(line: line, "'skip unless LINE'") }
      return .skipUnless(more)
    default: return nil
    }
  }

  /// The same command, expected to end with exactly this status; nil if it is no command.
  func expecting(_ status: Int32) -> StoryStep? {
    switch self {
    case .run(let line, _): .run(line, .status(status))
    case .wait(let name, _): .wait(name: name, .status(status))
    default: nil
    }
  }
}

extension StringProtocol {
  /// Without blanks at either end.
  var trimmed: String {
    var rest = Substring(self)
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest.drop(while: \.isWhitespace))
  }

  /// The text before the first blank, and the text after it.
  var firstWord: (String, rest: String) {
    let word = prefix { !$0.isWhitespace }
    return (String(word), self[word.endIndex...].trimmed)
  }
}
