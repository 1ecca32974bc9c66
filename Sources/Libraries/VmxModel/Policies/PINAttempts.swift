/// A time on two clocks: the wall clock, which a user may set, and the time since boot, which no
/// user can set.
package struct ClockReading: Sendable, Equatable {
  /// The wall time.
  package var wall: Timestamp
  /// The id of the boot of the machine.
  package var boot: String
  /// The milliseconds since that boot, including suspension (CLOCK_BOOTTIME).
  package var sinceBoot: Int64

  /// Creates a reading.
  package init(wall: Timestamp, boot: String, sinceBoot: Int64) {
    self.wall = wall
    self.boot = boot
    self.sinceBoot = sinceBoot
  }
}

// After three wrong PINs each further attempt has to wait, longer each time: 30 s, then 1, 2, 5, 15
// and 60 min. A failure is counted before the PIN is checked. So a process that is killed during
// the check has used an attempt.

/// The number of wrong PINs so far, and the resulting wait.
package struct PINAttempts: Sendable, Equatable {
  /// The number of attempts without a wait.
  package static let free = 3
  /// The waits after the failures beyond the free ones, in milliseconds; the last one repeats.
  package static let waits: [Int64] = [30, 60, 120, 300, 900, 3600].map { $0 * 1000 }
  /// The time in milliseconds after which failures are cleared.
  package static let memory: Int64 = 24 * 3_600_000

  /// The number of failures in a row.
  package private(set) var failures: Int64 = 0
  /// The time of the last failure; nil if there is none.
  package private(set) var last: ClockReading?

  /// Creates attempts without failures.
  package init() {}

  /// Creates attempts from stored values.
  package init(failures: Int64, last: ClockReading) {
    self.failures = max(0, failures)
    self.last = last
  }

  /// Counts a failure. The caller makes it durable before it checks a PIN.
  package mutating func count(at now: ClockReading) {
    failures = failures.addingClamped(1)
    last = now
  }

  /// Clears failures that are a day old. If the wall clock was set back across a boot, the wait
  /// starts again, since the elapsed time is unknown.
  package mutating func expire(at now: ClockReading) {
    guard let last else { return }
    guard let elapsed = Self.elapsed(since: last, until: now) else {
      self.last = now
      return
    }
    if elapsed >= Self.memory { self = PINAttempts() }
  }

  /// Returns the milliseconds until the next attempt; 0 if it is allowed now.
  package func wait(at now: ClockReading) -> Int64 {
    guard let last, failures >= Self.free else { return 0 }
    let index = min(Self.waits.count - 1, Int(clamping: failures) - Self.free)
    guard let elapsed = Self.elapsed(since: last, until: now) else { return Self.waits[index] }
    return elapsed >= Self.memory ? 0 : max(0, Self.waits[index] - elapsed)
  }

  /// Returns the milliseconds between two readings. The time since boot is used within one boot,
  /// else the wall clock; nil if that was set back.
  private static func elapsed(since last: ClockReading, until now: ClockReading) -> Int64? {
    let isSameBoot = last.boot == now.boot && now.sinceBoot >= last.sinceBoot
    let span =
      isSameBoot
      ? now.sinceBoot - last.sinceBoot : now.wall.milliseconds - last.wall.milliseconds
    return span < 0 ? nil : span
  }
}

extension PINAttempts {
  /// Decodes the fields of the file `pin-attempts.json`.
  ///
  /// - Throws: `store-damaged` if a field is missing or malformed.
  package init(fields: JSONObject) throws(Failure) {
    let reader = FieldReader(fields, of: "pin-attempts.json", code: .storeDamaged)
    guard let failures = try reader.natural("failures") else {
      throw Failure(.storeDamaged, "'pin-attempts.json' has no count of failures")
    }
    guard failures > 0 else {
      self.init()
      return
    }
    guard let wall = try reader.timestamp("wall"), let boot = try reader.string("boot"),
      let sinceBoot = try reader.natural("boot_ms")
    else { throw Failure(.storeDamaged, "'pin-attempts.json' has no time") }
    self.init(
      failures: failures, last: ClockReading(wall: wall, boot: boot, sinceBoot: sinceBoot))
  }

  /// The fields of the file.
  package var fields: JSONObject {
    var object = JSONObject(distinct: [("failures", .integer(failures))])
    object.append("wall", last?.wall.text)
    object.append("boot", last?.boot)
    object.append("boot_ms", last.map { .integer($0.sinceBoot) })
    return object
  }
}
