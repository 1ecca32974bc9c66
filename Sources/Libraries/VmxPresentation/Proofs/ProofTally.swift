package import VmxModel

/// Counts the verdicts of one run and derives the exit status from them.
package struct ProofTally: Sendable, Equatable {
  private var answers: [Verdict: Int] = [:]
  private var others = Tally()
  private var isAnyOther = false

  /// Creates an empty count.
  package init() {}

  /// Counts the verdict of a file, or the outcome if there is no verdict.
  package mutating func count(_ answer: Verdict?, _ outcome: Outcome) {
    guard let answer else {
      others.count(outcome)
      isAnyOther = true
      return
    }
    answers[answer, default: 0] += 1
  }

  /// Counts intact files.
  package mutating func countIntact(_ count: Int) {
    if count > 0 { answers[.intact, default: 0] += count }
  }

  /// Counts an operand for which no file was found.
  package mutating func count(_ outcome: Outcome) {
    count(nil, outcome)
  }

  /// Counts a line of the input that could not be parsed.
  package mutating func countBadLine() {
    others.countBadLine()
    isAnyOther = true
  }

  /// Whether nothing was counted.
  package var isEmpty: Bool { answers.isEmpty && !isAnyOther }

  /// The exit status: 1 if any file differs, 75 if no root could be reached, else as `Tally`
  /// defines it.
  package var status: ExitStatus {
    let differs = [Verdict.damaged, .missing, .moved].contains { answers[$0] != nil }
    if differs { return .someFailed }
    var all = others
    if answers[.intact] != nil { all.count(.done) }
    if answers[.unreachable] != nil {
      all.count(.waiting(Failure(.rootAway, "the folder of the library is not there")))
    }
    return all.status
  }

  /// The counts as `297 intact, 2 damaged, 1 unchanged`, without zeros.
  package var text: String {
    var words = Verdict.allCases.compactMap { answer in
      answers[answer].map { "\($0) \(answer.rawValue)" }
    }
    if isAnyOther || words.isEmpty { words.append(others.text) }
    return words.joined(separator: ", ")
  }
}
