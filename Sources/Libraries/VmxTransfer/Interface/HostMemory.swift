import Synchronization
package import VmxModel

/// The penalties and request budgets of hosts, shared by all processes of a library.
///
/// A server that limits the requests of one process thereby limits those of all.
package protocol HostMemory: Sendable {
  /// The current penalty of a host; nil if requests are allowed. Penalties recorded by other
  /// processes may appear half a second late.
  func penalty(of host: HostName) -> HostPenalty?
  /// Records a penalty of a host.
  func remember(_ penalty: HostPenalty, of host: HostName)
  /// Takes one request from the budget of a host that has one.
  ///
  /// - Returns: the milliseconds to wait before the next call; nil if the request is allowed now,
  ///   which counts it as sent.
  func takeCall(of host: HostName, within budget: CallBudget) -> Int64?
}

/// A host and its port, as named in records.
package struct HostName: Sendable, Hashable, CustomStringConvertible {
  /// `example.org:443`; an IPv6 address in square brackets.
  package let description: String

  /// Creates the name of a host and a port.
  package init(host: String, port: String) {
    description = "\(host):\(port)"
  }
}

/// A period in which a host accepts no request.
package struct HostPenalty: Sendable, Equatable {
  /// The end of the period.
  package let until: Timestamp
  /// The status of the response that imposed it.
  package let status: Int

  /// Creates a penalty.
  package init(until: Timestamp, status: Int) {
    self.until = until
    self.status = status
  }
}

/// The host memory of a single process; it keeps no budgets.
package final class OwnHostMemory: HostMemory {
  private let penalties = Mutex<[HostName: HostPenalty]>([:])

  /// Creates an empty memory.
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
