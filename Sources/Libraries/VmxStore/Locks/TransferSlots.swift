import VmxModel

/// The slots in the lock file by which all processes keep limits of transfers together: some for
/// the whole machine, and some for each host. Whoever dies leaves none behind.
///
/// Hosts share rows of slots by the hashes of their names; that two of them meet in one only makes
/// them wait for each other sometimes.
package struct TransferSlots: Sendable {
  /// Slots of a limit.
  package static let most: Int64 = 64
  private static let firstOfMachine: Int64 = 32
  private static let firstOfHosts = firstOfMachine + most
  /// Rows up to where the claims begin.
  private static let rows: Int64 = (4096 - firstOfHosts) / most

  private let jobs: Jobs

  init(_ jobs: Jobs) {
    self.jobs = jobs
  }

  /// Takes one of the first slots of the machine; nil if all of them are taken.
  ///
  /// - Parameter limit: how many slots there are, from 1 to `most`.
  /// - Throws: `StoreError.lock` or `.file` if there can be no locks.
  package func take(ofMachine limit: Int64) throws(StoreError) -> JobLock? {
    try take(Self.firstOfMachine, limit)
  }

  /// Takes one of the first slots of a host; nil if all of them are taken.
  ///
  /// - Parameter limit: how many slots there are, from 1 to `most`.
  /// - Throws: `StoreError.lock` or `.file` if there can be no locks.
  package func take(of host: String, _ limit: Int64) throws(StoreError) -> JobLock? {
    let row = Int64(StableHash.of(host) % UInt64(Self.rows))
    return try take(Self.firstOfHosts + row * Self.most, limit)
  }

  private func take(_ first: Int64, _ limit: Int64) throws(StoreError) -> JobLock? {
    for slot in 0..<min(limit, Self.most) {
      if let lock = try jobs.take(first + slot, signs: false) { return lock }
    }
    return nil
  }
}
