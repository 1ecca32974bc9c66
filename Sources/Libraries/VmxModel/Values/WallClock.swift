/// A source of the current time; callers pass it in, so that tests can supply their own.
package protocol WallClock: Sendable {
  /// The current time.
  var now: Timestamp { get }
}
