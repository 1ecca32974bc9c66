package import VmxModel

/// Counts what became of the items of one run, and draws the exit status from it.
package struct Tally: Sendable, Equatable {
  private var done = 0
  private var unchanged = 0
  private var waiting = 0
  private var failed = 0
  private var badLines = 0
  private var statuses: Set<ExitStatus> = []

  /// Nothing counted yet.
  package init() {}

  /// Counts an item.
  package mutating func count(_ outcome: Outcome) {
    switch outcome {
    case .done: done += 1
    case .unchanged: unchanged += 1
    case .waiting: waiting += 1
    case .failed(let failure):
      failed += 1
      statuses.insert(failure.code.entry.status)
    }
  }

  /// Counts a line of the input that no item could be made of.
  package mutating func countBadLine() {
    badLines += 1
  }

  /// Whether nothing was counted.
  package var isEmpty: Bool { done + unchanged + waiting + failed + badLines == 0 }

  /// Whether anything came about that a person who looked away may want to hear of.
  package var isNews: Bool { done + waiting + failed + badLines > 0 }

  /// 0 when nothing failed; 75 when all are waiting; 65 when only lines were bad; the common
  /// status when all failed alike; else 1.
  package var status: ExitStatus {
    let others = done + unchanged + waiting
    if failed == 0 {
      if badLines > 0 { return .dataError }
      return waiting > 0 && waiting == others ? .tryLater : .success
    }
    guard others == 0, let status = statuses.first, statuses.count == 1 else { return .someFailed }
    return badLines == 0 || status == .dataError ? status : .someFailed
  }

  /// `3 done, 1 unchanged, 2 waiting, 1 failed`: what is not there is not named.
  package var text: String {
    let counts = [
      (done, "done"), (unchanged, "unchanged"), (waiting, "waiting"), (failed, "failed"),
      (badLines, badLines == 1 ? "bad line" : "bad lines"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? "nothing to do" : words.joined(separator: ", ")
  }
}
