import Synchronization

/// A cache of values that are valid for a limited time, such as records that other processes
/// change.
final class TimedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let validity: Int64
  private let monotonicNow: @Sendable () -> Int64
  private let entries = Mutex<[Key: (value: Value, at: Int64)]>([:])

  /// Creates a cache whose values are valid for this many milliseconds.
  init(validity: Int64, _ environment: FetchEnvironment) {
    self.validity = validity
    monotonicNow = environment.monotonicNow
  }

  /// The cached value, if it is still valid.
  subscript(key: Key) -> Value? {
    let now = monotonicNow()
    return entries.withLock { $0[key] }.flatMap { now - $0.at < validity ? $0.value : nil }
  }

  /// Replaces the cached value.
  func set(_ value: Value, for key: Key) {
    let now = monotonicNow()
    entries.withLock { entries in
      if entries.count >= 1000 { entries = entries.filter { now - $0.value.at < validity } }
      entries[key] = (value, now)
    }
  }

  /// Returns the cached value while it is valid, otherwise a new one.
  func value<Problem: Error>(
    for key: Key, _ make: () throws(Problem) -> Value
  ) throws(Problem) -> Value {
    if let known = self[key] { return known }
    let value = try make()
    set(value, for: key)
    return value
  }
}
