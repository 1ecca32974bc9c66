/// The rules by which the origin misbehaves, and how often each was applied.
///
/// Each rule separately counts the requests to a path that it matches, so that rules do not depend
/// on each other. With `/a.mp4 status:503 times 1` and `/a.mp4 cut:300 after 1 times 1`, the first
/// request fails and the second is cut.
struct FaultPlan: Sendable {
  private let rules: [FaultRule]

  /// Parses rules; ignores empty lines and lines that begin with `#`.
  init(lines: [String]) throws(OriginProblem) {
    var rules: [FaultRule] = []
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      guard let glob = words.first, !glob.hasPrefix("#") else { continue }
      let name = "rule \(rules.count + 1)"
      rules.append(try FaultRule(glob: glob, words: words.dropFirst(), name: name))
    }
    self.rules = rules
  }

  /// Returns the behaviour for a request, from all rules and from the rule in its own query.
  func behaviour(
    for request: RequestHead, state: ServiceState, places: Places
  ) throws(OriginProblem) -> Behaviour {
    var behaviour = Behaviour()
    for rule in rules + (try Self.ownRules(of: request)) where rule.matches(request) {
      let key = "\(rule.name) \(request.path)"
      let number = state.count(key)
      guard number > rule.after, rule.times.map({ number <= rule.after + $0 }) ?? true else {
        continue
      }
      for fault in rule.faults {
        try FaultWord.apply(
          fault, to: &behaviour, key: key, turn: number - rule.after, places: places)
      }
    }
    return behaviour
  }

  /// Returns the rule in the query of a request; it counts the requests with the same query.
  private static func ownRules(of request: RequestHead) throws(OriginProblem) -> [FaultRule] {
    var words: [String] = []
    for (name, value) in request.query {
      switch name {
      case "fault": words.append(value)
      case "times", "after", "on": words += [name, value]
      default: break
      }
    }
    guard !words.isEmpty else { return [] }
    return [try FaultRule(glob: "*", words: words[...], name: words.joined(separator: " "))]
  }
}

/// One line of the plan.
struct FaultRule: Sendable {
  /// The kind of request that the rule counts.
  enum Kind: String {
    case any, range, whole, head
  }

  let name: String
  private let glob: [Substring]
  private(set) var faults: [String] = []
  private(set) var after = 0
  private(set) var times: Int?
  private var kind = Kind.any

  init(glob: String, words: ArraySlice<String>, name: String) throws(OriginProblem) {
    self.name = name
    self.glob = glob.split(separator: "*", omittingEmptySubsequences: false)
    var rest = words
    while let word = rest.popFirst() {
      switch word {
      case "times": times = try Self.number(rest.popFirst(), after: word)
      case "after": after = try Self.number(rest.popFirst(), after: word)
      case "on":
        guard let kind = rest.popFirst().flatMap(Kind.init) else {
          throw OriginProblem("'on' needs range, whole or head")
        }
        self.kind = kind
      default: faults.append(word)
      }
    }
    // A misspelt fault must fail when the origin starts, not in the middle of a test.
    var trial = Behaviour()
    for fault in faults {
      try FaultWord.apply(
        fault, to: &trial, key: name, turn: 1, places: Places(first: 0, second: 0))
    }
  }

  /// Whether the rule counts a request.
  func matches(_ request: RequestHead) -> Bool {
    switch kind {
    case .any: break
    case .range: guard request["range"] != nil else { return false }
    case .whole: guard request["range"] == nil, request.method == "GET" else { return false }
    case .head: guard request.method == "HEAD" else { return false }
    }
    return matches(path: request.path)
  }

  private func matches(path: String) -> Bool {
    guard let first = glob.first, let last = glob.last, glob.count > 1 else {
      return path == (glob.first ?? "")
    }
    guard path.hasPrefix(first) else { return false }
    var rest = path.dropFirst(first.count)
    for piece in glob.dropFirst().dropLast() where !piece.isEmpty {
      guard let place = rest.firstRange(of: piece) else { return false }
      rest = rest[place.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  private static func number(_ text: String?, after word: String) throws(OriginProblem) -> Int {
    guard let number = text.flatMap({ Int($0) }), number >= 0 else {
      throw OriginProblem("'\(word)' needs a number")
    }
    return number
  }
}
