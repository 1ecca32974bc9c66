import Synchronization
package import VmxModel

/// What all processes of a library remember of the hosts that they ask, so that a server that
/// wants less of one of them gets less of all.
package protocol HostMemory: Sendable {
  /// Until when a host wants to be left alone, and the status that said so; nil where it may be
  /// asked. What others remember may be half a second old.
  func penalty(of host: HostName) -> HostPenalty?
  /// Keeps a penalty of a host.
  func remember(_ penalty: HostPenalty, of host: HostName)
  /// Takes one request from the budget of a host that has one.
  ///
  /// - Returns: milliseconds to wait before asking again whether it may be made; nil where it may
  ///   be made now, which counts as made.
  func takeCall(of host: HostName, within budget: CallBudget) -> Int64?
}

/// A host and its port, as records name them.
package struct HostName: Sendable, Hashable, CustomStringConvertible {
  /// `example.org:443`; an IPv6 address in square brackets.
  package let description: String

  /// The name of a host.
  package init(host: String, port: String) {
    description = "\(host):\(port)"
  }
}

/// A time in which a host wants no request.
package struct HostPenalty: Sendable, Equatable {
  /// Its end.
  package let until: Timestamp
  /// The status that told it.
  package let status: Int

  /// A penalty.
  package init(until: Timestamp, status: Int) {
    self.until = until
    self.status = status
  }
}

/// The memory of a process that shares nothing; it keeps no budgets.
package final class OwnHostMemory: HostMemory {
  private let penalties = Mutex<[HostName: HostPenalty]>([:])

  /// A memory of nothing yet.
  package init() {}

  package func penalty(of host: HostName) -> HostPenalty? { penalties.withLock { $0[host] } }

  package func remember(_ penalty: HostPenalty, of host: HostName) {
    penalties.withLock { penalties in
      if let known = penalties[host], known.until >= penalty.until { return }
      penalties[host] = penalty
    }
  }

  package func takeCall(of host: HostName, within budget: CallBudget) -> Int64? { nil }
}
