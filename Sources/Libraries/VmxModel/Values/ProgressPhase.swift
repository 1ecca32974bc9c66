/// The phase of the transfer of a part; the raw value is `phase` in progress records.
package enum ProgressPhase: String, Sendable, CaseIterable {
  /// A request is on its way; no byte of the body has come.
  case connecting
  /// Bytes flow.
  case receiving
  /// Bytes have flowed more slowly than the stall speed for five seconds or more.
  case stalling
  /// All bytes have come, and their digests are compared.
  case verifying
  /// The file gets its final name.
  case publishing

  /// Whether a rate and a remaining time tell anything.
  package var isMoving: Bool { self == .receiving }
}

/// A meter that tells whether a transfer stalls: whether it has been slower than a limit for some
/// seconds without a break.
package struct StallMeter: Sendable, Equatable {
  /// The time in milliseconds after which a slow transfer counts as stalling.
  package static let patience: Int64 = 5000
  /// The length of a measurement in milliseconds; shorter ones would tell of single packets.
  private static let interval: Int64 = 1000

  private let limit: Int64
  private var start: (moment: Int64, bytes: Int64)?
  private var slowSince: Int64?

  /// Creates a meter.
  ///
  /// - Parameter limit: the rate in bytes a second; 0 for a transfer that never stalls.
  package init(limit: Int64) {
    self.limit = limit
  }

  /// Whether the transfer stalled at the last sample.
  package private(set) var isStalling = false

  /// Records a sample.
  ///
  /// - Parameters:
  ///   - bytes: the total so far.
  ///   - moment: milliseconds of a monotonic clock.
  package mutating func sample(_ bytes: Int64, at moment: Int64) {
    guard let start, bytes >= start.bytes else {
      start = (moment, bytes)
      slowSince = nil
      isStalling = false
      return
    }
    let elapsed = moment - start.moment
    guard elapsed >= Self.interval else { return }
    let isSlow = (bytes - start.bytes).multipliedClamped(by: 1000) < limit * elapsed
    slowSince = isSlow ? slowSince ?? start.moment : nil
    isStalling = slowSince.map { moment - $0 >= Self.patience } ?? false
    self.start = (moment, bytes)
  }

  package static func == (left: StallMeter, right: StallMeter) -> Bool {
    left.limit == right.limit && left.slowSince == right.slowSince
      && left.start?.moment == right.start?.moment && left.start?.bytes == right.start?.bytes
  }
}
