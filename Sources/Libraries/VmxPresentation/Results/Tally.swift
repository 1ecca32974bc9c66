package import VmxModel

/// Counts the results of one run and derives the exit status from them.
package struct Tally: Sendable, Equatable {
  private let labelOrder: [String]
  /// Whether an item that waits has failed, because no later run goes on by itself.
  package let waitingFails: Bool
  /// The counts by the names of the results, from which the exit status is derived.
  private var results: [String: Int] = [:]
  /// The counts by the words of the printed text.
  private var labels: [String: Int] = [:]
  private var invalidLines = 0
  private var statuses: Set<ExitStatus> = []

  /// Creates an empty tally.
  ///
  /// - Parameters:
  ///   - words: words under which a command counts results in addition to the result names,
  ///   in the order in which they are printed.
  ///   - waitingFails: whether an item that waits counts as failed for the exit status, as for an
  ///   archive that lacks it.
  package init(labelOrder: [String] = [], waitingFails: Bool = false) {
    self.labelOrder = labelOrder
    self.waitingFails = waitingFails
  }

  /// Counts the result of an item.
  ///
  /// - Parameter word: the word under which the text counts the result, such as `damaged`. A
  ///   failure with such a word sets the exit status to 1.
  package mutating func count(_ result: OperationResult, as word: String? = nil, times: Int = 1) {
    guard times > 0 else { return }
    results[result.name, default: 0] += times
    labels[word ?? result.name, default: 0] += times
    if case .failed(let failure) = result {
      statuses.insert(word == nil ? failure.code.entry.status : .someFailed)
    }
  }

  /// Counts a line of the input that could not be parsed.
  package mutating func countInvalidLine() {
    invalidLines += 1
  }

  /// The number of counted results of this name.
  package func count(of name: String) -> Int { results[name] ?? 0 }

  /// Whether no result and no line has been counted.
  package var isEmpty: Bool { results.isEmpty && invalidLines == 0 }

  /// Whether the run has results that justify a desktop notification.
  package var shouldNotify: Bool {
    count(of: "done") + count(of: "waiting") + count(of: "failed") + invalidLines > 0
  }

  /// The exit status: 0 if nothing failed, 75 if all items wait, 1 if some wait that count as
  /// failed, 65 if no item failed but lines of the input were bad. If all items failed with the
  /// same status, that status; otherwise 1.
  package var status: ExitStatus {
    let waiting = count(of: "waiting")
    let others = count(of: "done") + count(of: "unchanged") + waiting
    if count(of: "failed") == 0 {
      if waiting > 0, waitingFails, waiting < others || invalidLines > 0 { return .someFailed }
      if invalidLines > 0 { return .dataError }
      return waiting > 0 && waiting == others ? .tryLater : .success
    }
    guard others == 0, let status = statuses.first, statuses.count == 1 else { return .someFailed }
    return invalidLines == 0 || status == .dataError ? status : .someFailed
  }

  /// The counts as `3 done, 1 unchanged, 2 waiting, 1 failed`, without zeros.
  package var text: String {
    let counts = counts(withoutDone: 0)
    return counts.isEmpty ? "nothing to do" : counts.joined(separator: ", ")
  }

  /// Returns the counts other than zero, each with its word.
  ///
  /// - Parameter told: the number of done items that the caller describes itself.
  func counts(withoutDone told: Int) -> [String] {
    let names = labelOrder + ["planned", "done", "unchanged", "waiting", "failed"]
    var counts = names.map { ((labels[$0] ?? 0) - ($0 == "done" ? told : 0), $0) }
    counts.append((invalidLines, invalidLines == 1 ? "bad line" : "bad lines"))
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
