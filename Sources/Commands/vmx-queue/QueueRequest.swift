import ArgumentParser
import VmxModel
import VmxQueueing

/// The request of `vmx queue`, and its operands.
struct QueueRequest {
  /// The names of the requests.
  private enum Keyword: String, CaseIterable {
    case add, drop, pause, resume, cancel, retry, move, priority, after, set
  }

  /// The words that `vmx queue` accepts as the first operand.
  static var names: [String] { ["list"] + Keyword.allCases.map(\.rawValue) }

  /// The operation on the episodes.
  enum Task {
    case act(QueueAction)
    case move(QueueDestination)
    /// Sets the number of unwatched episodes to keep on disk for whole shows; nil removes the rule.
    case keepNext(Int64?)
  }

  let task: Task

  /// Whether a metered network is allowed; nil unless the request sets only that mark.
  var meteredMark: Bool? {
    guard case .act(.mark(let marks)) = task, marks.count == 1 else { return nil }
    return marks[.meteredOK]
  }

  /// The ids given as operands.
  let operands: [String]

  /// Parses the operands.
  ///
  /// - Parameter none: whether `--none` was given.
  /// - Throws: `usage`.
  init(_ words: [String], _ options: DestinationOptions, none: Bool) throws(Failure) {
    guard let name = words.first else { throw Failure(.usage, "no request given") }
    guard let word = Keyword(rawValue: name) else { throw Self.unknown(name) }
    let goal = try options.destination()
    guard goal == nil || word == .move else {
      throw Failure(.usage, "--first, --last and --before are only valid with 'move'")
    }
    guard !none || word == .after else {
      throw Failure(.usage, "--none is only valid with 'after'")
    }
    var rest = words.dropFirst()
    switch word {
    case .add: task = .act(.add)
    case .drop: task = .act(.drop)
    case .pause: task = .act(.pause)
    case .resume: task = .act(.resume)
    case .cancel: task = .act(.cancel)
    case .retry: task = .act(.retry)
    case .move:
      guard let goal else {
        throw Failure(.usage, "'move' requires --first, --last or --before ID")
      }
      task = .move(goal)
    case .priority: task = .act(.priority(try Self.number(rest.popFirst())))
    case .after: task = .act(.after(none ? [] : try Self.predecessors(&rest)))
    case .set where rest.first?.hasPrefix(Self.keepNext) == true:
      task = .keepNext(try Self.count(rest.removeFirst()))
    case .set: task = .act(.mark(try Self.marks(&rest)))
    }
    operands = Array(rest)
  }

  private static let keepNext = "keep-next="

  /// Returns the number in `keep-next=N`; nil for `no`.
  private static func count(_ word: String) throws(Failure) -> Int64? {
    let value = word.dropFirst(keepNext.count)
    if value == "no" { return nil }
    guard let count = Int64(value), 1...9999 ~= count else {
      throw Failure(.usage, "'\(word)' must have a number from 1 to 9999, or no")
    }
    return count
  }

  /// Whether the words request the listing of the queue.
  static func isListing(_ words: [String]) -> Bool { words.isEmpty || words.first == "list" }

  private static func unknown(_ name: String) -> Failure {
    if EpisodeID(typed: name) != nil {
      return Failure(
        .usage, "unknown request '\(name)'",
        hint: "the request comes first, such as 'vmx queue pause \(name)'")
    }
    let near = suggestions(for: name, among: names)
    let guess = near.isEmpty ? "" : "did you mean \(near.joined(separator: " or "))? "
    return Failure(
      .usage, "unknown request '\(name)'",
      hint: "\(guess)available requests: \(names.joined(separator: ", "))")
  }

  private static func number(_ word: String?) throws(Failure) -> Int64 {
    guard let word, let number = Int64(QueueArguments.signedText(word)) else {
      throw Failure(
        .usage, "'priority' requires a whole number, then episodes",
        hint: "such as 'vmx queue priority 5 ID'")
    }
    return number
  }

  /// Removes and returns all operands except the first, which is the dependent episode.
  private static func predecessors(
    _ words: inout ArraySlice<String>
  ) throws(Failure) -> [EpisodeID] {
    guard words.count > 1 else {
      throw Failure(.usage, "'after' requires an episode and the episodes before it, or --none")
    }
    var ids: [EpisodeID] = []
    for word in words.dropFirst() {
      guard let id = EpisodeID(typed: word) else {
        throw Failure.noSuchEpisode(word)
      }
      ids.append(id)
    }
    words = words.prefix(1)
    return ids
  }

  private static func marks(
    _ words: inout ArraySlice<String>
  ) throws(Failure) -> [QueueAction.Mark: Bool] {
    var marks: [QueueAction.Mark: Bool] = [:]
    while let word = words.first, word.contains("=") {
      let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let mark = QueueAction.Mark(rawValue: String(halves[0])),
        let isSet = ["yes": true, "no": false][halves[1]]
      else {
        let names = QueueAction.Mark.allCases.map { "\($0.rawValue)=yes|no" }
        throw Failure(.usage, "'\(word)' is not one of \(names.joined(separator: ", "))")
      }
      marks[mark] = isSet
      words = words.dropFirst()
    }
    guard !marks.isEmpty else { throw Failure(.usage, "'set' requires a mark, such as keep=yes") }
    return marks
  }
}
