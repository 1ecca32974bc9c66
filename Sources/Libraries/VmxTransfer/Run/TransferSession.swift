import VmxModel
import VmxSettings
import VmxSystem

/// The state shared by all requests of one job, and the one loop in which its thread waits.
///
/// All waits for a response, its bytes or the time of a retry are here. Meanwhile, the additional
/// connections are served, and the observer may stop the job. Used only on that thread.
final class TransferSession {
  /// The longest wait, in milliseconds, before the observer and partly filled buffers are checked.
  static let slice: Int64 = 100

  let engine: TransferEngine
  let observer: any TransferObserver
  let settings: TransferSettings
  /// The settings of this job alone; nil if they are the engine's.
  let ownSettings: TransferSettings?
  /// The counter that all requests of this job increment to wake its thread.
  let changes = ChangeSignal()
  /// The connections of the part, served while the thread waits; nil for a document.
  var connections: ConnectionGroup?
  /// The number of HTTP requests sent so far.
  var requests = 0
  /// The time of the last request.
  var sent: Timestamp?
  /// The host of the last response with an unusable status.
  var refusing: HostName?
  /// Whether a recorded wait for the URL or its host is ignored, until a response refuses again.
  var ignoresRetryAfter = false
  /// Whether the path of the URL contains a secret, which no record may contain.
  var hasSecretURL = false
  /// The number of body bytes received from the network so far.
  var received: Int64 = 0

  private var progress: (held: Int64, total: Int64?) = (0, nil)
  private var reported: Int64 = 0
  private var partialReadTime: Int64 = 0

  /// - Parameter settings: the settings of this job alone; nil for the engine's.
  init(
    _ engine: TransferEngine, _ observer: any TransferObserver, settings: TransferSettings? = nil
  ) {
    self.engine = engine
    self.observer = observer
    self.settings = settings ?? engine.settings
    ownSettings = settings
  }

  var now: Timestamp { engine.clock.now }
  var loop: ConnectionLoop { engine.loop }

  /// The request to stop at once, verification included; nil for a policy that only delays the
  /// transfer.
  var ending: StopRequest? {
    switch observer.stop {
    case .held(let failure)? where failure.code != .held: nil
    case let stop: stop
    }
  }

  /// Throws `stopped` if the observer requests a stop, and `passedOver` if it gives the source up.
  func checkStop() throws(TransferError) {
    if let stop = observer.stop { throw .stopped(stop) }
    if let refusal = observer.sourceRefusal { throw .passedOver(refusal) }
  }

  /// Checks with the observer whether the bytes of a response that announces its size may be kept.
  func checkAnnounced(_ head: ResponseHead) throws(TransferError) {
    guard let total = head.total, let part = connections?.part else { return }
    if let stop = observer.announced(total: total, held: part.completedBytes) {
      throw .stopped(stop)
    }
  }

  /// Reports the received bytes and checks for a stop before bytes are kept whose number was not
  /// announced.
  func checkUnannounced() throws(TransferError) {
    reportProgress()
    try checkStop()
  }

  /// Reports the progress to the observer.
  func reportProgress() {
    if let part = connections?.part { progress = (part.completedBytes, part.total) }
    observer.progressed(
      held: progress.held, total: progress.total, received: received,
      connections: connections?.openCount ?? 0)
  }

  /// Reports the progress and checks for a stop, at most every 50 ms.
  private func report() throws(TransferError) {
    let now = Deadline.nowMilliseconds
    guard now - reported >= 50 else { return }
    reported = now
    reportProgress()
    try checkStop()
  }

  /// Maps the end of a request without a complete response to a transfer error.
  func error(_ end: RequestEnd, of url: RequestURL, hasHead: Bool) -> TransferError {
    let part = connections?.part
    return end.error(
      url.redacted, hasHead: hasHead, held: (part?.completedBytes ?? 0, part?.total), settings)
  }
}

// Waiting.
extension TransferSession {
  /// Serves the additional connections and returns the next event of a request; nil after a while
  /// without one.
  func event(of transfer: HTTPTransfer) throws(TransferError) -> HTTPTransfer.Event? {
    try report()
    let seen = changes.count
    let partly = isPartlyDue()
    let hasServed = try connections?.serve(partly: partly) ?? false
    if let event = transfer.nextEvent(partly: partly) { return event }
    if hasServed { return nil }
    let isWoken = try wait(since: seen, Self.slice)
    return transfer.nextEvent(partly: !isWoken || connections?.running.isEmpty ?? true)
  }

  /// Waits up to this many milliseconds while serving the additional connections.
  func wait(_ milliseconds: Int64) throws(TransferError) {
    try report()
    let seen = changes.count
    if try connections?.serve(partly: isPartlyDue()) ?? false { return }
    _ = try wait(since: seen, milliseconds)
  }

  private func wait(since seen: UInt64, _ milliseconds: Int64) throws(TransferError) -> Bool {
    let isWoken = changes.wait(since: seen, milliseconds: milliseconds)
    if !isWoken { try connections?.part.digestPending() }
    return isWoken
  }

  /// Whether partly filled buffers are due. With several connections, wake-ups are too frequent to
  /// wait for a timeout.
  private func isPartlyDue() -> Bool {
    let now = Deadline.nowMilliseconds
    guard connections?.running.isEmpty == false, now - partialReadTime >= Self.slice else {
      return false
    }
    partialReadTime = now
    return true
  }

  /// Waits before the next attempt. Returns earlier if the additional connections complete the
  /// part.
  func pause(
    _ milliseconds: Int64, attempt: Int, after error: TransferError
  ) throws(TransferError) {
    observer.retrying(attempt: attempt, after: Failure(error), delay: milliseconds)
    let end = Deadline.nowMilliseconds + milliseconds
    while connections?.part.isComplete != true {
      try checkStop()
      let left = end - Deadline.nowMilliseconds
      if left <= 0 { return }
      try wait(min(left, Self.slice))
    }
  }
}

// The limits of hosts.
extension TransferSession {
  /// The longest wait in milliseconds for a further request of a transfer that has begun.
  private static let maxWait: Int64 = 60_000

  /// The rate-limit error while a Retry-After for the URL or its host has not expired, else nil.
  func penalty(of url: RequestURL) -> TransferError? {
    guard !ignoresRetryAfter, let penalty = engine.memory.penalty(of: url.hosted),
      penalty.until > now
    else { return nil }
    return .rateLimited(url: penalty.url, status: penalty.status, until: penalty.until)
  }

  /// Records that no process requests a URL for this many milliseconds; see `HostState`.
  func recordDelay(_ head: ResponseHead, of url: RequestURL, wait milliseconds: Int64) {
    if hasSecretURL { return }
    let penalty = HostPenalty(
      until: now.adding(milliseconds: milliseconds), status: head.status, url: url.redacted)
    engine.memory.recordPenalty(penalty, of: url.hosted, isForAll: head.namesRateLimit)
  }

  /// Slows the pace of the host that refused the last request without a time.
  ///
  /// - Returns: nil for other errors.
  func busy(_ url: RequestURL, after error: TransferError) -> TransferError? {
    guard let status = error.busyStatus else { return nil }
    let host = refusing ?? url.origin.name
    let (delay, wasSlowest) = engine.memory.slowDown(host, sent: sent ?? now)
    return .busy(
      host: host, url: url.redacted, status: status, until: now.adding(milliseconds: delay),
      wasSlowest: wasSlowest)
  }

  /// Takes a turn from the pace of a host and a request from its budget.
  ///
  /// - Returns: the error with the time of the next turn. Nil counts the request as sent.
  func throttlingError(_ url: RequestURL) -> TransferError? {
    var delay = engine.memory.reserveRequest(of: url.origin.name)
    let rules = settings.hosts.rules(host: url.origin.host, port: url.origin.port)
    if delay == 0, let budget = rules.budget {
      delay = engine.memory.countRequest(of: url.origin.name, within: budget) ?? 0
    }
    return delay == 0 ? nil : .throttled(url: url.redacted, until: now.adding(milliseconds: delay))
  }

  /// Waits until the pace and budget of a host allow the following request, and counts it. Returns
  /// without counting it once the part is complete.
  ///
  /// A transfer that has begun waits up to a minute, so that its requests so far are not wasted.
  /// Another transfer is refused, so that its thread is free for other hosts.
  ///
  /// - Throws: `throttlingError` for a longer wait.
  func waitForRateLimit(of url: RequestURL) throws(TransferError) {
    while connections?.part.isComplete != true, let error = throttlingError(url),
      let until = error.retryAt
    {
      let left = max(0, until.milliseconds - now.milliseconds)
      guard requests > 0, left <= Self.maxWait else { throw error }
      // The random delay keeps the parts from resuming all at once.
      let more = Int64.random(in: 0...settings.backoffBase)
      try pause(left + more, attempt: 1, after: error)
    }
  }

  /// The retry verdict for a failure at this moment.
  func verdict(
    of budget: inout RetryBudget, after error: TransferError, held: Int64
  ) -> RetryBudget.Verdict {
    var random = SystemRandomNumberGenerator()
    return budget.verdict(
      after: error, held: held, elapsed: Deadline.nowMilliseconds, using: &random)
  }
}
