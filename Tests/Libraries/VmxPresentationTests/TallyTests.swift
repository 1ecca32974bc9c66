import Testing
import VmxModel
import VmxPresentation

@Suite struct TallyTests {
  struct Run: Sendable {
    let outcomes: [OperationResult]
    var badLines = 0
    let status: VmxModel.ExitStatus
  }

  private static let gone = failed(.httpGone)
  private static let waiting = OperationResult.waiting(Failure(.diskFull, "x"))

  private static func failed(_ code: ErrorCode) -> OperationResult { .failed(Failure(code, "x")) }

  private static let runs: [Run] = [
    Run(outcomes: [], status: .success),
    Run(outcomes: [.done, .unchanged(hint: nil)], status: .success),
    Run(outcomes: [waiting, waiting], status: .tryLater),
    Run(outcomes: [waiting, .done], status: .success),
    Run(outcomes: [gone], status: .unavailable),
    Run(outcomes: [gone, failed(.hostUnreachable)], status: .unavailable),
    Run(outcomes: [gone, failed(.digestMismatch)], status: .someFailed),
    Run(outcomes: [gone, .done], status: .someFailed),
    Run(outcomes: [gone, waiting], status: .someFailed),
    Run(outcomes: [.done], badLines: 1, status: .dataError),
    Run(outcomes: [], badLines: 1, status: .dataError),
    Run(outcomes: [gone], badLines: 1, status: .someFailed),
    Run(outcomes: [failed(.badID)], badLines: 1, status: .dataError),
  ]

  @Test(arguments: runs) func `the exit status reports the result of the run`(run: Run) {
    var tally = Tally()
    for outcome in run.outcomes { tally.count(outcome) }
    for _ in 0..<run.badLines { tally.countInvalidLine() }
    #expect(tally.status == run.status)
  }

  @Test func `the text contains only non-zero counts`() {
    var tally = Tally()
    #expect(tally.text == "nothing to do")
    tally.count(.done)
    tally.count(Self.gone)
    tally.countInvalidLine()
    #expect(tally.text == "1 done, 1 failed, 1 bad line")
  }

  private func tally(of verdicts: [Verdict?]) -> Tally {
    var tally = Tally(labelOrder: Verdict.allCases.map(\.rawValue))
    for verdict in verdicts {
      let result: OperationResult =
        switch verdict {
        case .intact: .done
        case .unreachable: Self.waiting
        case .damaged: Self.failed(.fileDamaged)
        case .missing: Self.failed(.fileMissing)
        case .moved: Self.failed(.fileMoved)
        case nil: .unchanged()
        }
      tally.count(result, as: verdict?.rawValue)
    }
    return tally
  }

  private static let worst: [([Verdict?], VmxModel.ExitStatus)] = [
    ([], .success), ([.intact, .intact], .success), ([.unreachable], .tryLater),
    ([.intact, .unreachable], .success), ([.damaged], .someFailed), ([.missing], .someFailed),
    ([.moved], .someFailed), ([.unreachable, .missing], .someFailed), ([nil], .success),
    ([.damaged, .missing], .someFailed),
  ]

  @Test(arguments: worst)
  func `a failure with a separate name has status 1`(
    _ verdicts: [Verdict?], _ status: VmxModel.ExitStatus
  ) {
    #expect(tally(of: verdicts).status == status)
  }

  @Test func `a damaged file takes precedence over a bad line`() {
    var tally = tally(of: [.damaged])
    tally.countInvalidLine()
    #expect(tally.status == .someFailed)
  }

  @Test func `an unreadable file has the status of its failure`() {
    var tally = tally(of: [])
    tally.count(Self.failed(.mediaUnwritable))
    #expect(tally.status == .ioError)
  }

  @Test func `names are printed in order, before the names of the results`() {
    var tally = tally(of: [.missing])
    tally.count(.done, as: "intact", times: 2)
    tally.count(Self.failed(.noSuchEpisode))
    #expect(tally.text == "2 intact, 1 missing, 1 failed")
  }

  @Test func `planned items do not affect the status`() {
    var tally = Tally()
    tally.count(.planned, times: 3)
    #expect(tally.text == "3 planned" && tally.status == .success)
    tally.count(Self.gone)
    #expect(tally.text == "3 planned, 1 failed" && tally.status == .unavailable)
  }

  // Regression: an archive without a busy episode was a success.
  @Test func `a waiting item fails a run that no later run continues`() {
    var tally = Tally(waitingFails: true)
    let busy = OperationResult.waiting(Failure(.lockBusy, "busy"))
    tally.count(busy)
    #expect(tally.status == .tryLater)
    tally.count(.done)
    #expect(tally.status == .someFailed)
    var queue = Tally()
    queue.count(busy)
    queue.count(.done)
    #expect(queue.status == .success)
  }
}
