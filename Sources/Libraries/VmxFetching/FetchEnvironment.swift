package import SystemPackage
package import VmxModel
package import VmxSystem

/// The effects that a fetch run receives from its process.
package struct FetchEnvironment: Sendable {
  /// The clock for records and policies.
  package let clock: any WallClock
  /// The time zone of windows and months.
  package let zone: any LocalZone
  /// The environment of the programs that are queried about the network.
  package let variables: [String: String]
  /// The request to stop.
  package let interruption: Interruption
  /// Asks the user; nil if no user can be asked.
  package var questions: (any FetchPrompts)?
  /// Frees space on the disk of a folder until the given number of bytes is free, as far as the
  /// settings allow.
  package var makeRoom: @Sendable (_ folder: FilePath, _ bytes: ByteCount) throws -> Void = {
    _, _ in
  }
  /// Returns milliseconds of the monotonic clock; tests replace it.
  var monotonicNow: @Sendable () -> Int64 = { Deadline.nowMilliseconds }

  /// Creates the environment of a run.
  package init(
    clock: any WallClock, zone: any LocalZone, variables: [String: String],
    interruption: Interruption
  ) {
    self.clock = clock
    self.zone = zone
    self.variables = variables
    self.interruption = interruption
  }

  /// The folder of the times of the last requests to hosts with a budget; nil without a cache.
  var requestCounts: FilePath? {
    baseFolder("XDG_CACHE_HOME", beneathHome: ".cache", in: variables)?
      .appending("vmx").appending("requests")
  }
}
