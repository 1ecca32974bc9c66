/// How a store is opened.
package struct StoreOptions: Sendable {
  /// Milliseconds that a lock is waited for.
  package var lockTimeout: Int64 = 10_000
  /// Whether the process is asked to stop: the wait for the write lock then ends early.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Whether a network file system is accepted (`core.network-store`).
  package var allowsNetwork = false

  /// The options unless something else is asked for.
  package init() {}
}

/// What an update promises when it returns.
package enum Durability: Sendable {
  /// It is on the disk.
  case durable
  /// It is on the disk soon, or after the next durable update or flush.
  case soon
}

/// Which part of a disk that is nearly full an update may use.
package enum Room: Sendable {
  /// 1 MiB beyond the end of the store stays allocated.
  case keepReserve
  /// That reserve may be used: for what makes room, or must be told whatever happens.
  case useReserve
}
