import VmxModel

/// Refuses transfers outside the times of day in `network.window`.
struct WindowPolicy: TransferPolicy {
  let code = ErrorCode.outsideWindow
  private let window: TimeWindow
  private let environment: FetchEnvironment

  init(_ window: TimeWindow, _ environment: FetchEnvironment) {
    self.window = window
    self.environment = environment
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) -> Failure? {
    window.opening(after: environment.clock.now, in: environment.zone).map {
      Failure(code, "network.window is closed", retryAt: $0)
    }
  }

  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsWait(until: refusal.retryAt)
  }
}
