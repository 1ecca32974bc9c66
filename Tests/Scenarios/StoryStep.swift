import Glibc
import VmxModel

/// The expected end of a command of a story.
///
/// A crash is never expected: a signal that only a broken program dies of is a failure under every
/// expectation.
enum Expectation: Sendable, Equatable {
  /// Exit status 0.
  case success
  /// An exit status from 1 to 125.
  case failure
  /// Exactly this status in the shell's notation: 141 is the end by SIGPIPE.
  case status(Int32)

  /// Whether a status meets the expectation.
  func isMet(by status: Int32) -> Bool {
    guard !Self.crashes.contains(status - 128) else { return false }
    return switch self {
    case .success: status == 0
    case .failure: (1...125).contains(status)
    case .status(let wanted): status == wanted
    }
  }

  /// The signals that only a broken program dies of.
  private static let crashes: Set<Int32> = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
}

/// One step of a story.
enum StoryStep: Sendable, Equatable {
  enum Stream: String, Sendable {
    case stdout, stderr
  }

  /// `[!] LINE`: a shell line.
  case run(String, Expectation)
  /// `status N`: the exact exit status of the previous command; merged into that step.
  case status(Int32)
  /// `[!]stdout PATTERN`: the last command's output matches (does not match); `^`, `$` match at
  /// lines.
  case output(Stream, pattern: String, isAbsent: Bool)
  /// `same A B`: two files are equal; `stdout`, `stderr` are the output of the last command.
  case same(String, String)
  /// `exists F…` and `absent F…`: shell words, including globs.
  case exists(String)
  case absent(String)
  /// `env NAME=VALUE`: sets a variable from here on; the value is expanded as in the shell.
  case env(name: String, value: String)
  /// `origin [plan FILE] [OPTIONS]`: starts the loopback origin in the story's folder. Sets ORIGIN
  /// and ORIGIN2 to the URLs of its listeners. The origin logs to `origin.log`.
  case origin(String)
  /// `backend [sync KIND | kodi]`: starts the licence backend, a server for subscriptions, or a
  /// Kodi. Sets BACKEND to its URL. The server logs to `backend.log`, `sync.log` or `kodi.log`.
  case backend(String)
  /// `background NAME COMMAND`, and later `kill NAME [SIGNAL]`, `[!] wait NAME`.
  case background(name: String, line: String)
  case kill(name: String, signal: Int32)
  case wait(name: String, Expectation)
  /// `until LINE`: repeats a shell line until it succeeds.
  case until(String)
  /// `needs PROGRAM…`, `needs PYTHON:MODULE`: fails the story where one is missing. Packages bring
  /// them, and `make check` installs those.
  case needs([String])
  /// `skip unless LINE`: skips the rest of the story unless the line succeeds. Only for what a
  /// kernel or a container may refuse.
  case skipUnless(String)

  /// Parses the step in a line; nil for blank lines and comments.
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

  /// Parses steps that check the results of a command.
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

  /// Parses steps that concern processes and their environment.
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
    case "needs":
      guard !rest.isEmpty else { throw StoryProblem(line: line, "'needs PROGRAM'") }
      return .needs(rest.split(separator: " ").map(String.init))
    case "skip":
      guard name == "unless" else { throw StoryProblem(line: line, "'skip unless LINE'") }
      return .skipUnless(more)
    default: return nil
    }
  }

  /// Returns the same command with exactly this expected status; nil if it is not a command.
  func expecting(_ status: Int32) -> StoryStep? {
    switch self {
    case .run(let line, _): .run(line, .status(status))
    case .wait(let name, _): .wait(name: name, .status(status))
    default: nil
    }
  }
}

extension StringProtocol {
  /// The text before the first blank, and the text after it.
  var firstWord: (String, rest: String) {
    let word = prefix { !$0.isWhitespace }
    return (String(word), String(self[word.endIndex...]).trimmed)
  }
}
