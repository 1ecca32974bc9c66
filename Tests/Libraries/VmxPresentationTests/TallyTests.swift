import Testing
import VmxModel
import VmxPresentation

@Suite struct TallyTests {
  struct Run: Sendable {
    let outcomes: [Outcome]
    var badLines = 0
    let status: VmxModel.ExitStatus
  }

  private static let gone = failed(.httpGone)
  private static let waiting = Outcome.waiting(Failure(.diskFull, "x"))

  private static func failed(_ code: ErrorCode) -> Outcome { .failed(Failure(code, "x")) }

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

  @Test(arguments: runs) func `the status tells how the run went`(run: Run) {
    var tally = Tally()
    for outcome in run.outcomes { tally.count(outcome) }
    for _ in 0..<run.badLines { tally.countBadLine() }
    #expect(tally.status == run.status)
  }

  @Test func `the text names only what there is`() {
    var tally = Tally()
    #expect(tally.text == "nothing to do")
    tally.count(.done)
    tally.count(Self.gone)
    tally.countBadLine()
    #expect(tally.text == "1 done, 1 failed, 1 bad line")
  }
}
