package import VmxModel
package import VmxSystem
import VmxTransfer

/// Fetches documents from a service with a request budget while a user waits for the result. Where
/// the fetch of a part would be left to a later run, it waits instead.
///
/// It waits until the budget and the pace of the host allow the next request. It retries refusals
/// after the delay that the service requests. No wait is longer than a minute, as in `vmx fetch`.
///
///     let documents = RetryingDocuments(service, clock: clock, interruption: interruption)
///     let response = try documents.send(request)
package struct RetryingDocuments: Sendable {
  private static let maxWait: Int64 = 60_000

  private let service: DocumentService
  private let clock: any WallClock
  private let interruption: Interruption
  private let refusals: Int
  private let longest: Int64

  /// Creates the fetcher.
  ///
  /// - Parameters:
  ///   - refusals: the number of refusals after which a document is requested again.
  ///   - longest: the time in milliseconds after which no further wait for a document begins.
  package init(
    _ service: DocumentService, clock: any WallClock, interruption: Interruption, refusals: Int = 3,
    longest: Int64 = 120_000
  ) {
    self.longest = longest
    self.service = service
    self.refusals = refusals
    self.clock = clock
    self.interruption = interruption
  }

  /// Sends a request; see `HTTPSending`.
  ///
  /// - Throws: as `DocumentService.send`; `rate-limited` after the last attempt, or if the service
  ///   requests a longer wait.
  package func send(_ request: HTTPRequest) throws -> HTTPResponse {
    var refused = 0
    let deadline = Deadline(milliseconds: longest)
    while true {
      do {
        return try service.send(request)
      } catch let error as TransferError {
        guard error.code == .rateLimited, let until = error.retryAt, !deadline.isPast else {
          throw error
        }
        if !error.isThrottled { refused += 1 }
        let wait = max(0, until.milliseconds - clock.now.milliseconds)
        guard refused <= refusals, wait <= Self.maxWait else { throw error }
        if interruption.wait(until: Deadline(milliseconds: wait)) { throw WorkEnded.interrupted }
      }
    }
  }
}

extension TransferError {
  /// Whether no request was sent yet, because the budget or the pace of the host does not allow
  /// one.
  fileprivate var isThrottled: Bool { if case .throttled = self { true } else { false } }
}
