/// Tells the time; everything that needs it is given one, so that tests bring their own.
package protocol WallClock: Sendable {
  /// The moment of the call.
  var now: Timestamp { get }
}
