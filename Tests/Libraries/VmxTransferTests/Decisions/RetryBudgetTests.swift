import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct RetryBudgetTests {
  private func verdict(
    _ retryBudget: inout RetryBudget, _ error: TransferError, held: Int64 = 0, elapsed: Int64 = 0
  ) -> RetryBudget.Verdict {
    var random = LargestNumbers()
    return retryBudget.verdict(
      after: error, held: held, elapsed: elapsed, using: &random)
  }

  @Test func `pauses double up to the fifth failure without progress`() {
    var retryBudget = RetryBudget(TransferSettings(), best: 0)
    let error = TransferError.reset(url: "", detail: "")
    let verdicts = (1...5).map { _ in verdict(&retryBudget, error) }
    #expect(
      verdicts == [
        .retry(after: 500, attempt: 1), .retry(after: 1000, attempt: 2),
        .retry(after: 2000, attempt: 3), .retry(after: 4000, attempt: 4), .giveUp,
      ])
  }

  @Test func `received bytes reset the count`() {
    var retryBudget = RetryBudget(TransferSettings(), best: 0)
    for held in 1...50 {
      let verdict = verdict(
        &retryBudget, .cut(url: "", held: 0, total: nil), held: Int64(held) * 1024)
      #expect(verdict == .retry(after: 500, attempt: 1))
    }
  }

  @Test func `a few bytes in each attempt do not count as progress`() {
    var retryBudget = RetryBudget(TransferSettings(), best: 0)
    let error = TransferError.cut(url: "", held: 0, total: nil)
    let verdicts = (1...5).map { verdict(&retryBudget, error, held: Int64($0) * 1000) }
    #expect(verdicts.last == .giveUp)
  }

  @Test func `a trickle does not count as progress`() {
    var retryBudget = RetryBudget(TransferSettings(), best: 0)
    let error = TransferError.stalled(url: "", milliseconds: 15_000)
    let verdicts = (1...5).map { verdict(&retryBudget, error, held: Int64($0) * 150) }
    #expect(verdicts.last == .giveUp)
  }

  /// Regression: the product of the two settings overflowed.
  @Test func `an excessive minimum rate makes every gain a trickle`() {
    var settings = TransferSettings()
    settings.stallBytesPerSecond = .max
    settings.stallTime = 3_600_000
    var retryBudget = RetryBudget(settings, best: 0)
    let error = TransferError.stalled(url: "", milliseconds: 3_600_000)
    let verdicts = (1...5).map { verdict(&retryBudget, error, held: Int64($0) << 40) }
    #expect(verdicts.last == .giveUp)
  }

  @Test func `a restart does not count as progress`() {
    var retryBudget = RetryBudget(TransferSettings(), best: 1000)
    let error = TransferError.cut(url: "", held: 0, total: nil)
    let verdicts = [500, 1000, 800, 1000, 900].map { verdict(&retryBudget, error, held: $0) }
    #expect(verdicts.last == .giveUp)
  }

  @Test(arguments: [
    TransferError.status(url: "", 404), .redirectRefused(url: "", to: ""),
    .tls(url: "", detail: "", isPassing: false), .offline(url: ""),
    .tooLarge(url: "", limit: 1), .unsupported(url: ""),
  ])
  func `a permanent failure is not retried`(_ error: TransferError) {
    var retryBudget = RetryBudget(TransferSettings(), best: 0)
    #expect(verdict(&retryBudget, error) == .giveUp)
  }

  @Test func `an unreachable host is given up after its timeout`() {
    var retryBudget = RetryBudget(TransferSettings(), best: 0)
    let error = TransferError.unreachable(url: "", detail: "")
    #expect(verdict(&retryBudget, error, elapsed: 1000) == .retry(after: 500, attempt: 1))
    #expect(verdict(&retryBudget, error, elapsed: 30_500) == .giveUp)
  }

  @Test func `a Retry-After is left to the caller`() {
    var retryBudget = RetryBudget(TransferSettings(), best: 0)
    let until = Timestamp(seconds: 1_700_000_000)
    #expect(
      verdict(&retryBudget, .rateLimited(url: "", status: 429, until: until)) == .giveUp)
  }

  @Test func `jitter ranges from zero to the longest pause, which is capped`() {
    var random = SystemRandomNumberGenerator()
    let error = TransferError.reset(url: "", detail: "")
    let pauses = (0..<1000).map { _ -> Int64 in
      var retryBudget = RetryBudget(TransferSettings(), best: 0)
      var verdict = RetryBudget.Verdict.giveUp
      for _ in 1...3 {
        verdict = retryBudget.verdict(
          after: error, held: 0, elapsed: 0, using: &random)
      }
      guard case .retry(let pause, 3) = verdict else { return -1 }
      return pause
    }
    #expect(pauses.allSatisfy { (0...2000).contains($0) })
    #expect(Set(pauses).count > 100)
    let longest = (1...9).map { RetryBudget.maxBackoff(TransferSettings(), $0) }
    #expect(longest == [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    #expect(RetryBudget.maxBackoff(TransferSettings(), 1000) == 30_000)
  }
}

/// A generator that always returns the upper end of a range.
struct LargestNumbers: RandomNumberGenerator {
  mutating func next() -> UInt64 { .max }
}
