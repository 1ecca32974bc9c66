package import VmxModel

/// Counts the outcomes of one run and derives the exit status from them.
package struct Tally: Sendable, Equatable {
  private var done = 0
  private var unchanged = 0
  private var waiting = 0
  private var failed = 0
  private var badLines = 0
  private var statuses: Set<ExitStatus> = []

  /// Creates an empty count.
  package init() {}

  /// Counts the outcome of an item.
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

  /// Counts a line of the input that could not be parsed.
  package mutating func countBadLine() {
    badLines += 1
  }

  /// Whether nothing was counted.
  package var isEmpty: Bool { done + unchanged + waiting + failed + badLines == 0 }

  /// Whether the run has results that justify a desktop notification.
  package var isNews: Bool { done + waiting + failed + badLines > 0 }

  /// The exit status: 0 if nothing failed, 75 if all items wait, 65 if only lines were bad. If all
  /// items failed with the same status, that status; else 1.
  package var status: ExitStatus {
    let others = done + unchanged + waiting
    if failed == 0 {
      if badLines > 0 { return .dataError }
      return waiting > 0 && waiting == others ? .tryLater : .success
    }
    guard others == 0, let status = statuses.first, statuses.count == 1 else { return .someFailed }
    return badLines == 0 || status == .dataError ? status : .someFailed
  }

  /// The counts as `3 done, 1 unchanged, 2 waiting, 1 failed`, without zeros.
  package var text: String {
    let counts = [
      (done, "done"), (unchanged, "unchanged"), (waiting, "waiting"), (failed, "failed"),
      (badLines, badLines == 1 ? "bad line" : "bad lines"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? "nothing to do" : words.joined(separator: ", ")
  }
}
