import Synchronization
package import VmxModel

/// The number of bytes that the library holds and is about to hold, for its quota.
///
/// Files of other processes are included at the next count, at most twice a minute.
package final class LibraryUsage: Sendable {
  private static let validity: Int64 = 30_000

  private struct State {
    var counted: Int64 = 0
    var countedAt: Int64?
    /// The bytes received since then.
    var grown: Int64 = 0
    /// The bytes that running transfers still have to receive, by the part's key.
    var expected: [String: Int64] = [:]
  }

  private let quota: ByteCount
  private let count: @Sendable () throws -> Int64
  private let moment: @Sendable () -> Int64
  private let state = Mutex(State())

  /// - Parameters:
  ///   - count: counts the bytes of all files, including partial ones.
  ///   - moment: returns milliseconds of the monotonic clock.
  package init(
    quota: ByteCount, moment: @escaping @Sendable () -> Int64,
    count: @escaping @Sendable () throws -> Int64
  ) {
    self.quota = quota
    self.count = count
    self.moment = moment
  }

  /// Reserves space in the quota for the missing bytes of a part until the part ends.
  ///
  /// - Parameter missing: the number of bytes still to receive; nil if unknown.
  /// - Returns: `quota-reached` if they exceed the quota, else nil.
  /// - Throws: errors of `count`.
  package func refusal(of key: String, missing: Int64?) throws -> Failure? {
    try refresh()
    return state.withLock { state in
      state.expected[key] = nil
      let held = [state.counted, state.grown, state.expected.values.clampedSum()].clampedSum()
      // A part of unknown size needs space for one byte.
      guard held.addingClamped(missing ?? 1) > quota.bytes else {
        state.expected[key] = missing
        return nil
      }
      let room = ByteCount(clamping: quota.bytes - held).forPeople
      return Failure(
        .quotaReached, "the library may hold \(quota.forPeople), \(room) of it are left")
    }
  }

  /// `quota-reached` once the held bytes exceed the quota.
  package var refusal: Failure? {
    state.withLock { state in
      guard state.counted.addingClamped(state.grown) > quota.bytes else { return nil }
      return Failure(.quotaReached, "the library has reached its \(quota.forPeople)")
    }
  }

  /// Counts the bytes received for a part.
  package func grow(_ key: String, by bytes: Int64) {
    state.withLock { state in
      state.grown += bytes
      if let left = state.expected[key] { state.expected[key] = max(0, left - bytes) }
    }
  }

  /// Releases the reservation of a part.
  package func end(_ key: String) {
    state.withLock { $0.expected[key] = nil }
  }

  private func refresh() throws {
    let now = moment()
    let isFresh = state.withLock { $0.countedAt.map { now - $0 < Self.validity } ?? false }
    guard !isFresh else { return }
    let counted = try count()
    state.withLock { state in
      state.counted = counted
      state.countedAt = now
      state.grown = 0
    }
  }
}
