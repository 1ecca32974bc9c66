/// One word of the fault language: its name, its arguments and its effect.
struct FaultWord: Sendable {
  let name: String
  /// The arguments as shown in the help.
  let arguments: String
  let meaning: String
  let apply: @Sendable (inout Behaviour, FaultArguments) throws -> Void

  init(
    _ name: String, _ arguments: String = "", _ meaning: String,
    _ apply: @escaping @Sendable (inout Behaviour, FaultArguments) throws -> Void
  ) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
    self.apply = apply
  }

  /// All words, in the order in which a response is affected by them.
  static let all =
    Opening.words + Gate.words + Version.words + RangeFaults.words + BodyFaults.words
    + Framing.words + Ending.words

  /// Applies one fault, written as in a rule, to the behaviour.
  static func apply(
    _ text: String, to behaviour: inout Behaviour, key: String, turn: Int, places: Places
  ) throws(OriginProblem) {
    let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
    let name = pieces.first.map(String.init) ?? ""
    guard let word = all.first(where: { $0.name == name }) else {
      throw OriginProblem("unknown fault '\(name)'; see --help")
    }
    let texts = pieces.dropFirst().map { places.filled(PercentCoding.decoded($0)) }
    let arguments = FaultArguments(fault: text, texts: texts, key: key, turn: turn)
    do {
      try word.apply(&behaviour, arguments)
    } catch {
      throw (error as? OriginProblem) ?? OriginProblem("fault '\(text)': \(error)")
    }
    behaviour.applied.append(text)
  }

  /// The word's line in the help.
  var help: String {
    let head = "  " + (arguments.isEmpty ? name : "\(name):\(arguments)")
    let padding = String(repeating: " ", count: max(1, 32 - head.count))
    return "\(head)\(padding)\(meaning)\n"
  }
}

/// The arguments of a fault in one rule, and the number of the affected request.
struct FaultArguments {
  let fault: String
  let texts: [String]
  /// The rule and the path; the key for any state of the fault.
  let key: String
  /// The rule alone, as the key for state that all its paths share.
  var rule: String { String(key.prefix { $0 != "/" }) }
  /// The number of the request to which the rule is applied, starting at 1.
  let turn: Int

  /// Returns the integer at a position.
  func integer(_ place: Int, else standard: Int64? = nil) throws(OriginProblem) -> Int64 {
    if place >= texts.count, let standard { return standard }
    guard place < texts.count, let number = Int64(texts[place]) else {
      throw OriginProblem("fault '\(fault)' needs a number as argument \(place + 1)")
    }
    return number
  }

  /// Returns the text at a position.
  func text(_ place: Int, else standard: String? = nil) throws(OriginProblem) -> String {
    if place < texts.count { return texts[place] }
    guard let standard else {
      throw OriginProblem("fault '\(fault)' needs argument \(place + 1)")
    }
    return standard
  }

  /// Returns the text from a position on, including colons, for URLs and values of header fields.
  func rest(_ place: Int) throws(OriginProblem) -> String {
    guard place < texts.count else {
      throw OriginProblem("fault '\(fault)' needs argument \(place + 1)")
    }
    return texts[place...].joined(separator: ":")
  }
}
