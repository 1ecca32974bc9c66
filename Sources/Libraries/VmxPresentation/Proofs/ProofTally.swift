package import VmxModel

/// Counts what was found of the files of one run, and draws the exit status from it.
package struct ProofTally: Sendable, Equatable {
  private var answers: [Verdict: Int] = [:]
  private var others = Tally()
  private var isAnyOther = false

  /// Nothing counted yet.
  package init() {}

  /// Counts a file.
  package mutating func count(_ answer: Verdict?, _ outcome: Outcome) {
    guard let answer else {
      others.count(outcome)
      isAnyOther = true
      return
    }
    answers[answer, default: 0] += 1
  }

  /// Counts so many files that are as they should be.
  package mutating func countIntact(_ count: Int) {
    if count > 0 { answers[.intact, default: 0] += count }
  }

  /// Counts something that no file could be found for.
  package mutating func count(_ outcome: Outcome) {
    count(nil, outcome)
  }

  /// Counts a line of the input that no item could be made of.
  package mutating func countBadLine() {
    others.countBadLine()
    isAnyOther = true
  }

  /// Whether nothing was counted.
  package var isEmpty: Bool { answers.isEmpty && !isAnyOther }

  /// 1 when anything differs; 75 when nothing could be reached; else as of any other run.
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

  /// `297 intact, 2 damaged, 1 unchanged`: what is not there is not named.
  package var text: String {
    var words = Verdict.allCases.compactMap { answer in
      answers[answer].map { "\($0) \(answer.rawValue)" }
    }
    if isAnyOther || words.isEmpty { words.append(others.text) }
    return words.joined(separator: ", ")
  }
}
