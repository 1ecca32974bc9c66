import Testing
import VmxModel
import VmxPresentation

struct ProofTallyTests {
  private func tally(_ answers: [Verdict?]) -> ProofTally {
    var tally = ProofTally()
    for answer in answers { tally.count(answer, .unchanged(hint: nil)) }
    return tally
  }

  private static let worst: [([Verdict?], VmxModel.ExitStatus)] = [
    ([], .success), ([.intact, .intact], .success), ([.unreachable], .tryLater),
    ([.intact, .unreachable], .success), ([.damaged], .someFailed), ([.missing], .someFailed),
    ([.moved], .someFailed), ([.unreachable, .missing], .someFailed), ([nil], .success),
  ]

  @Test(arguments: worst)
  func `the status is that of the worst answer`(
    _ answers: [Verdict?], _ status: VmxModel.ExitStatus
  ) {
    #expect(tally(answers).status == status)
  }

  @Test func `what differs outweighs a line that is bad`() {
    var tally = tally([.damaged])
    tally.countBadLine()
    #expect(tally.status == .someFailed)
  }

  @Test func `a file that could not be looked at has the status of its failure`() {
    var tally = ProofTally()
    tally.count(nil, .failed(Failure(.mediaUnwritable, "cannot open")))
    #expect(tally.status == .ioError)
  }

  @Test func `counts are named in the order of the answers`() {
    var tally = tally([.missing, .intact, .intact])
    tally.count(.failed(Failure(.noSuchEpisode, "no episode")))
    #expect(tally.text == "2 intact, 1 missing, 1 failed")
    #expect(ProofTally().text == "nothing to do")
  }
}
