import Testing
import VmxModel

struct OperationResultTests {
  @Test(arguments: [ErrorCode.rootAway, .diskFull, .outsideWindow, .lockBusy])
  func `a temporary condition makes an item wait`(_ code: ErrorCode) {
    let failure = Failure(code, "held")
    #expect(OperationResult(failure) == .waiting(failure))
  }

  @Test(arguments: [ErrorCode.httpGone, .netReset, .noSuchEpisode])
  func `any other failure fails the item`(_ code: ErrorCode) {
    let failure = Failure(code, "over")
    #expect(OperationResult(failure) == .failed(failure))
    #expect(OperationResult(failure).failure == failure)
  }

  @Test func `an operation without work leaves its item unchanged`() {
    #expect(OperationResult(isChanged: true) == .done)
    #expect(OperationResult(isChanged: false) == .unchanged(hint: nil))
  }
}
