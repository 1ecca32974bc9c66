package import VmxModel

// Three things limit the requests to a host, and all processes of a library share them:
//
// - A URL refused with Retry-After is not requested before that time.
// - The host as a whole is quiet after a second such refusal for another URL within a minute, or
//   where its answer names a RateLimit policy.
// - A host that refuses without a time has a pace. Each refusal doubles the interval between two
//   requests (multiplicative decrease), and each response adds to the rate (additive increase). A
//   pace that has become fast enough is forgotten.

/// The limits that a host has set, as all processes know them.
package struct HostState: Sendable, Equatable {
  /// A URL that the host has refused for a time.
  package struct Refusal: Sendable, Equatable {
    /// `StableHash` of the URL, which may contain tokens.
    package let url: UInt64
    /// The time of the response.
    package let at: Timestamp
    /// The end of the wait, the status and the shown form of the URL.
    package let penalty: HostPenalty

    /// Creates a refusal.
    package init(url: UInt64, at: Timestamp, penalty: HostPenalty) {
      self.url = url
      self.at = at
      self.penalty = penalty
    }
  }

  /// A longer penalty in a record results from a wrong clock and is ignored.
  private static let maxPenalty: Int64 = 24 * 3600 * 1000
  /// The time in milliseconds within which a second refusal concerns the host as a whole.
  private static let near: Int64 = 60_000
  /// The number of refusals that are kept; the oldest are dropped first.
  private static let maxRefusals = 64

  /// The wait for all URLs of the host.
  package var hostPenalty: HostPenalty?
  /// The waits for single URLs, in the order of the responses.
  package var refusals: [Refusal] = []
  /// The pace of the host; nil if it refuses no request.
  package var pace: HostPace?

  /// Creates the state of a host that has refused nothing.
  package init() {}

  /// The longest wait for a URL at this time, its own or that of the host; nil if it may be
  /// requested.
  package func penalty(of url: UInt64, now: Timestamp) -> HostPenalty? {
    ([hostPenalty] + refusals.filter { $0.url == url }.map(\.penalty)).compactMap { $0 }
      .filter { (1...Self.maxPenalty).contains($0.until.milliseconds - now.milliseconds) }
      .max { $0.until < $1.until }
  }

  /// Records that the host refused a URL for a time.
  ///
  /// - Parameter isForAll: whether the response concerns the host as a whole.
  package mutating func refuse(
    _ url: UInt64, _ penalty: HostPenalty, isForAll: Bool, now: Timestamp
  ) {
    refusals.removeAll { old in
      old.url == url
        || old.penalty.until <= now && now.milliseconds - old.at.milliseconds >= Self.near
    }
    let isSecond = refusals.contains {
      abs(now.milliseconds - $0.at.milliseconds) < Self.near
    }
    refusals.append(Refusal(url: url, at: now, penalty: penalty))
    refusals = refusals.suffix(Self.maxRefusals)
    if isForAll || isSecond { suspend(penalty) }
  }

  /// Records that no URL of the host may be requested; never shortens a wait.
  package mutating func suspend(_ penalty: HostPenalty) {
    if let hostPenalty, hostPenalty.until >= penalty.until { return }
    hostPenalty = penalty
  }
}

/// The minimum interval between two requests to a busy host.
package struct HostPace: Sendable, Equatable {
  /// The intervals that a pace may have, in milliseconds.
  package struct Limits: Sendable, Equatable {
    /// The interval after the first refusal.
    package let first: Int64
    /// The longest interval.
    package let maxInterval: Int64

    /// Creates the limits from the settings of the backoff.
    package init(_ settings: TransferSettings) {
      first = max(1, settings.backoffBase)
      maxInterval = max(first, min(settings.backoffCap, first.multipliedClamped(by: 16)))
    }
  }

  /// The fraction of the first rate that each response adds.
  fileprivate static let share = 0.05
  /// A pace that is this many times faster than the first one is forgotten.
  fileprivate static let fastest: Int64 = 8

  /// The interval between two requests in milliseconds.
  package var interval: Int64
  /// The earliest time of the next request.
  package var next: Timestamp
  /// The time of the last slowdown.
  package var slowed: Timestamp

  /// Creates a pace.
  package init(interval: Int64, next: Timestamp, slowed: Timestamp) {
    self.interval = max(1, interval)
    self.next = next
    self.slowed = slowed
  }

  /// Returns the milliseconds until the next request; if 0, the request is counted as sent.
  package mutating func reserve(now: Timestamp, _ limits: Limits) -> Int64 {
    let wait = delay(now: now, limits)
    if wait == 0 { next = now.adding(milliseconds: interval) }
    return wait
  }

  /// The milliseconds until the next request. A wait longer than any pace results from a wrong
  /// clock and counts as 0.
  package func delay(now: Timestamp, _ limits: Limits) -> Int64 {
    let wait = next.milliseconds - now.milliseconds
    return (1...2 * limits.maxInterval).contains(wait) ? wait : 0
  }
}

extension HostState {
  /// Slows the pace after a refusal.
  ///
  /// Requests that were under way at the last slowdown do not slow it again.
  ///
  /// - Parameter sent: the time when the refused request was sent.
  /// - Returns: the interval in milliseconds from now on, and whether the pace was at its slowest
  ///   already.
  package mutating func slowDown(
    sent: Timestamp, now: Timestamp, _ limits: HostPace.Limits
  ) -> (delay: Int64, wasSlowest: Bool) {
    guard var pace else {
      pace = HostPace(
        interval: limits.first, next: now.adding(milliseconds: limits.first), slowed: now)
      return (limits.first, false)
    }
    let wasSlowest = pace.interval >= limits.maxInterval
    let isNews = sent >= pace.slowed
    if isNews {
      pace.interval = min(limits.maxInterval, pace.interval.multipliedClamped(by: 2))
      pace.slowed = now
    }
    pace.next = now.adding(milliseconds: pace.interval)
    self.pace = pace
    return (pace.interval, isNews && wasSlowest)
  }

  /// Increases the rate after a response.
  package mutating func speedUp(_ limits: HostPace.Limits) {
    guard let pace else { return }
    let rate = 1 / Double(pace.interval) + HostPace.share / Double(limits.first)
    let interval = Int64(1 / rate)
    self.pace?.interval = max(1, interval)
    if interval * HostPace.fastest <= limits.first { self.pace = nil }
  }
}
