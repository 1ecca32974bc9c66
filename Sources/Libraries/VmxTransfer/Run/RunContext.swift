import VmxModel

/// The state shared by all objects that work on one job: the loop, the observer, the counts.
///
/// Used only on the thread that runs the job.
final class RunContext {
  /// The longest wait, in milliseconds, before the observer is asked again.
  static let slice: Int64 = 100

  let job: TransferJob
  let settings: TransferSettings
  let clock: any WallClock
  let loop: ConnectionLoop
  /// The connections per host, of all parts.
  let hosts: ConnectionLimiter
  /// The stored penalties and request budgets of the hosts.
  let memory: any HostMemory
  /// The hasher that the small files of all parts share.
  let digests: DigestBatcher
  /// The counter that all requests of this job increment to wake its thread.
  let wakeCounter = WakeCounter()
  /// The id of this boot.
  let boot: String
  /// The number of HTTP requests sent so far.
  var requests = 0
  /// The number of body bytes received from the network so far.
  var received: Int64 = 0
  /// The index of the current source.
  var sourceIndex = 0

  private let observer: any TransferObserver
  private var told: Int64 = 0
  private var random = SystemRandomNumberGenerator()

  init(
    _ job: TransferJob, _ settings: TransferSettings, _ clock: any WallClock,
    _ loop: ConnectionLoop, _ hosts: ConnectionLimiter, _ memory: any HostMemory,
    _ digests: DigestBatcher, boot: String, _ observer: any TransferObserver
  ) {
    self.job = job
    self.settings = settings
    self.clock = clock
    self.loop = loop
    self.hosts = hosts
    self.memory = memory
    self.digests = digests
    self.boot = boot
    self.observer = observer
  }

  /// Whether the observer requests a stop.
  var isStopped: Bool { observer.stop != nil }

  /// The request to stop at once, verification included; nil for a policy that only delays the
  /// transfer.
  var ending: StopRequest? {
    switch observer.stop {
    case .held(let failure)? where failure.code != .held: nil
    case let stop: stop
    }
  }

  /// Throws `stopped` if the observer requests a stop.
  func checkStop() throws(TransferError) {
    if let stop = observer.stop { throw .stopped(stop) }
  }

  /// Reports the progress and checks for a stop, at most every 50 ms.
  func tell(held: Int64, total: Int64?) throws(TransferError) {
    let now = MonotonicTime.now
    guard now - told >= 50 else { return }
    told = now
    observer.progressed(held: held, total: total, received: received)
    try checkStop()
  }

  /// Reports the final progress.
  func tellEnd(held: Int64, total: Int64?) {
    observer.progressed(held: held, total: total, received: received)
  }

  /// Reports that no more bytes are needed from the network.
  func tellArrival() {
    observer.arrived()
  }

  /// Reports a note for the user that is not a failure.
  func note(_ text: String) {
    observer.noted(text)
  }

  /// Waits before the next attempt, asking the observer and serving the additional connections
  /// meanwhile.
  ///
  /// - Parameter untilWhole: whether the wait ends as soon as those connections have received
  ///   everything.
  func pause(
    _ milliseconds: Int64, attempt: Int, after error: TransferError, _ connections: ConnectionGroup,
    _ part: inout PartialDownload, untilWhole: Bool = true
  ) throws(TransferError) {
    observer.retrying(attempt: attempt, after: Failure(error), delay: milliseconds)
    let end = MonotonicTime.now + milliseconds
    while !(untilWhole && part.isWhole) {
      try checkStop()
      try tell(held: part.held, total: part.total)
      let left = end - MonotonicTime.now
      if left <= 0 { return }
      try connections.rest(min(left, Self.slice), &part)
    }
  }

  /// The rate-limit error while the host's Retry-After has not expired, else nil.
  func quiet(_ url: RequestURL) -> TransferError? {
    guard let penalty = memory.penalty(of: url.origin.name), penalty.until > clock.now else {
      return nil
    }
    return .rateLimited(url: url.shown, status: penalty.status, until: penalty.until)
  }

  /// Records that a host accepts no request from any process for this many milliseconds.
  func wantsQuiet(_ host: RequestURL.Origin, for milliseconds: Int64, status: Int) {
    let end = clock.now.adding(milliseconds: milliseconds)
    memory.remember(HostPenalty(until: end, status: status), of: host.name)
  }

  /// Takes a request from the budget of a host.
  ///
  /// - Returns: the rate-limit error, with the time of the next free request, if the budget is
  ///   spent. Nil counts the request as sent.
  func overspent(_ url: RequestURL) -> TransferError? {
    let rules = settings.hosts.rules(host: url.origin.host, port: url.origin.port)
    guard let budget = rules.budget,
      let wait = memory.takeCall(of: url.origin.name, within: budget)
    else { return nil }
    return .rateLimited(
      url: url.shown, status: 429, until: clock.now.adding(milliseconds: wait))
  }

  /// Waits until the host's Retry-After, received for any part, has expired. Adds a random delay so
  /// that the parts do not all resume at once.
  ///
  /// - Throws: `rateLimited` if the wait exceeds `sitThrough`.
  func heedQuiet(
    _ url: RequestURL, _ connections: ConnectionGroup, _ part: inout PartialDownload,
    untilWhole: Bool = true
  ) throws(TransferError) {
    if let error = quiet(url) { try sit(error, connections, &part, untilWhole: untilWhole) }
  }

  /// Waits until the budget of a host allows the following request, and counts it.
  ///
  /// - Throws: `rateLimited` if the wait exceeds `sitThrough`.
  func heedBudget(
    _ url: RequestURL, _ connections: ConnectionGroup, _ part: inout PartialDownload,
    untilWhole: Bool = true
  ) throws(TransferError) {
    while !(untilWhole && part.isWhole), let error = overspent(url) {
      try sit(error, connections, &part, untilWhole: untilWhole)
    }
  }

  private func sit(
    _ error: TransferError, _ connections: ConnectionGroup, _ part: inout PartialDownload,
    untilWhole: Bool
  ) throws(TransferError) {
    guard let until = error.retryAt else { return }
    let left = max(0, until.milliseconds - clock.now.milliseconds)
    guard left <= settings.waitForPolicy else { throw error }
    let more = Int64.random(in: 0...settings.backoffBase, using: &random)
    try pause(left + more, attempt: 1, after: error, connections, &part, untilWhole: untilWhole)
  }

  /// The retry verdict for a failure at this moment.
  func verdict(
    of retryBudget: inout RetryBudget, after error: TransferError, held: Int64
  ) -> RetryBudget.Verdict {
    retryBudget.verdict(
      after: error, held: held, now: clock.now, elapsed: MonotonicTime.now, using: &random)
  }
}
