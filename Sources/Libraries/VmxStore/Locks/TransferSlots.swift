import VmxModel

/// The slots in the lock file by which all processes together limit the number of transfers.
///
/// Some slots are for the whole machine, and some for each host. The kernel releases the slots of a
/// process that dies. A host is mapped to a row of slots by the hash of its name. Two hosts with
/// the same row sometimes wait for each other, without any other effect.
package struct TransferSlots: Sendable {
  /// The number of slots of one limit.
  package static let most: Int64 = 64
  private static let firstOfMachine: Int64 = 32
  private static let firstOfHosts = firstOfMachine + most
  /// The number of rows before the claims begin.
  private static let rows: Int64 = (4096 - firstOfHosts) / most

  private let held: HeldLocks

  init(_ held: HeldLocks) {
    self.held = held
  }

  /// Acquires one of the first slots of the machine; nil if all of them are taken.
  ///
  /// - Parameter limit: the number of slots, from 1 to `most`.
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func take(ofMachine limit: Int64) throws(StoreError) -> ByteLock? {
    try take(Self.firstOfMachine, limit)
  }

  /// Acquires one of the first slots of a host; nil if all of them are taken.
  ///
  /// - Parameter limit: the number of slots, from 1 to `most`.
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func take(of host: String, _ limit: Int64) throws(StoreError) -> ByteLock? {
    let row = Int64(StableHash.of(host) % UInt64(Self.rows))
    return try take(Self.firstOfHosts + row * Self.most, limit)
  }

  private func take(_ first: Int64, _ limit: Int64) throws(StoreError) -> ByteLock? {
    for slot in 0..<min(limit, Self.most) {
      if let lock = try held.take(first + slot) { return lock }
    }
    return nil
  }
}
