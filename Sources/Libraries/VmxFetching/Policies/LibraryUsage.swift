import Synchronization
package import VmxModel

/// How many bytes the library holds and is about to hold, for its quota.
///
/// What others add meanwhile is seen when it is counted anew, twice a minute at most.
package final class LibraryUsage: Sendable {
  private static let validity: Int64 = 30_000

  private struct State {
    var counted: Int64 = 0
    var countedAt: Int64?
    /// Bytes that came since then.
    var grown: Int64 = 0
    /// Bytes that transfers in work still have to get, by the part's key.
    var expected: [String: Int64] = [:]
  }

  private let quota: ByteCount
  private let count: @Sendable () throws -> Int64
  private let moment: @Sendable () -> Int64
  private let state = Mutex(State())

  /// - Parameters:
  ///   - count: counts the bytes of all files, the partial ones too.
  ///   - moment: milliseconds of a clock that never jumps.
  package init(
    quota: ByteCount, moment: @escaping @Sendable () -> Int64,
    count: @escaping @Sendable () throws -> Int64
  ) {
    self.quota = quota
    self.count = count
    self.moment = moment
  }

  /// Asks for room for the missing bytes of a part, and keeps it for that part until it ends.
  ///
  /// - Parameter missing: bytes still to come; nil while nobody knows.
  /// - Returns: `quota-reached` where the library may not hold as many.
  /// - Throws: what counting throws.
  package func refusal(of key: String, missing: Int64?) throws -> Failure? {
    try refresh()
    return state.withLock { state in
      state.expected[key] = nil
      let held = [state.counted, state.grown, state.expected.values.clampedSum()].clampedSum()
      // Of unknown size, one byte must have room.
      guard held.addingClamped(missing ?? 1) > quota.bytes else {
        state.expected[key] = missing
        return nil
      }
      let room = ByteCount(clamping: quota.bytes - held).forPeople
      return Failure(
        .quotaReached, "the library may hold \(quota.forPeople), \(room) of it are left")
    }
  }

  /// `quota-reached` once more came than was expected.
  package var refusal: Failure? {
    state.withLock { state in
      guard state.counted.addingClamped(state.grown) > quota.bytes else { return nil }
      return Failure(.quotaReached, "the library has reached its \(quota.forPeople)")
    }
  }

  /// Counts bytes that came for a part.
  package func grow(_ key: String, by bytes: Int64) {
    state.withLock { state in
      state.grown += bytes
      if let left = state.expected[key] { state.expected[key] = max(0, left - bytes) }
    }
  }

  /// Gives up what was kept for a part.
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
