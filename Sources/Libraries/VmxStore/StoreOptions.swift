/// The options with which a store is opened.
package struct StoreOptions: Sendable {
  /// The time-out of a wait for a lock, in milliseconds.
  package var lockTimeout: Int64 = 10_000
  /// Whether the user asked the process to stop: the wait for the write lock then ends early.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Whether a network file system is accepted (`core.network-store`).
  package var allowsNetwork = false

  /// Creates the default options.
  package init() {}
}

/// The guarantee of an update when it returns.
package enum Durability: Sendable {
  /// The lines are on the disk.
  case durable
  /// The lines reach the disk soon, or with the next durable update or flush.
  case soon
}

/// The share of a nearly full disk that an update may use.
package enum Room: Sendable {
  /// A reserve of 1 MiB after the end of the store stays allocated.
  case keepReserve
  /// The reserve may be used: for updates that free space, or that must be recorded in any case.
  case useReserve
}
