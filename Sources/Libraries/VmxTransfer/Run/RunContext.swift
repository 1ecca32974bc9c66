import VmxModel

/// What everything that works on one job shares: the loop, the observer, the counts.
///
/// Used on the thread that runs the job alone.
final class RunContext {
  /// Milliseconds that a wait lasts at most before the observer is asked again.
  static let slice: Int64 = 100

  let job: TransferJob
  let settings: TransferSettings
  let clock: any WallClock
  let loop: ConnectionLoop
  /// Connections per host, of all parts.
  let hosts: ConnectionLimiter
  /// What is known of the hosts beside that.
  let memory: any HostMemory
  /// Where small files are digested, those of all parts.
  let digests: DigestBatcher
  /// Rung by all requests of this job.
  let wakeCounter = WakeCounter()
  /// The id of this boot.
  let boot: String
  /// HTTP requests made so far.
  var requests = 0
  /// Body bytes that came from the network so far.
  var received: Int64 = 0
  /// The source whose attempts are being made.
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

  /// Whether the observer wants an end.
  var isStopped: Bool { observer.stop != nil }

  /// Why the run is to end at once, its proof too; what only holds bytes back does not hold that.
  var ending: StopRequest? {
    switch observer.stop {
    case .held(let failure)? where failure.code != .held: nil
    case let stop: stop
    }
  }

  /// Ends the run if the observer wants it.
  func checkStop() throws(TransferError) {
    if let stop = observer.stop { throw .stopped(stop) }
  }

  /// Tells the observer how far it is and asks whether to go on, at most every 50 ms.
  func tell(held: Int64, total: Int64?) throws(TransferError) {
    let now = MonotonicTime.now
    guard now - told >= 50 else { return }
    told = now
    observer.progressed(held: held, total: total, received: received)
    try checkStop()
  }

  /// Tells the observer for the last time.
  func tellEnd(held: Int64, total: Int64?) {
    observer.progressed(held: held, total: total, received: received)
  }

  /// Tells the observer that nothing more is to come.
  func tellArrival() {
    observer.arrived()
  }

  /// Tells the observer what the person may want to know although nothing failed.
  func note(_ text: String) {
    observer.noted(text)
  }

  /// Waits before the next attempt, the observer being asked and the additional connections
  /// tended all the while.
  ///
  /// - Parameter untilWhole: whether it ends as soon as they have brought all.
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

  /// The failure that stands for a host that wants no request yet; nil where it may be asked.
  func quiet(_ url: RequestURL) -> TransferError? {
    guard let penalty = memory.penalty(of: url.origin.name), penalty.until > clock.now else {
      return nil
    }
    return .rateLimited(url: url.shown, status: penalty.status, until: penalty.until)
  }

  /// Takes note that a host wants no request from anybody for so many milliseconds.
  func wantsQuiet(_ host: RequestURL.Origin, for milliseconds: Int64, status: Int) {
    let end = clock.now.adding(milliseconds: milliseconds)
    memory.remember(HostPenalty(until: end, status: status), of: host.name)
  }

  /// Takes a request from the budget of a host.
  ///
  /// - Returns: what stands for one that is spent, with the time when there is more; nil where the
  ///   request may be made, which counts as made.
  func overspent(_ url: RequestURL) -> TransferError? {
    let rules = settings.hosts.rules(host: url.origin.host, port: url.origin.port)
    guard let budget = rules.budget,
      let wait = memory.takeCall(of: url.origin.name, within: budget)
    else { return nil }
    return .rateLimited(
      url: url.shown, status: 429, until: clock.now.adding(milliseconds: wait))
  }

  /// Waits until a host may be asked, where any part was told to wait; a little longer, so that
  /// not all come back at one moment.
  ///
  /// - Throws: `rateLimited` where that is longer than is sat through.
  func heedQuiet(
    _ url: RequestURL, _ connections: ConnectionGroup, _ part: inout PartialDownload,
    untilWhole: Bool = true
  ) throws(TransferError) {
    if let error = quiet(url) { try sit(error, connections, &part, untilWhole: untilWhole) }
  }

  /// Waits until the budget of a host has room for the request that follows, which is counted.
  ///
  /// - Throws: `rateLimited` where that is longer than is sat through.
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

  /// What patience makes of a failure at this moment.
  func verdict(
    of retryBudget: inout RetryBudget, after error: TransferError, held: Int64
  ) -> RetryBudget.Verdict {
    retryBudget.verdict(
      after: error, held: held, now: clock.now, elapsed: MonotonicTime.now, using: &random)
  }
}
