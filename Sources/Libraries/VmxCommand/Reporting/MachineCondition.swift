import VmxModel
import VmxPresentation
import VmxSystem

// A cap that is reached or a disk that is away stops all episodes of a run alike. One line an
// episode and hour floods a mailbox, and the user misses the one that matters. So a condition is
// told once a run with a count, and with --quiet not at all: the status and the rows tell it.

/// A condition of the machine or its network for which items of a run wait.
package struct MachineCondition: Sendable, Equatable {
  /// The refusal of the first item.
  private let failure: Failure
  /// The hint that concerns no single item.
  private let hint: String
  /// The first item.
  private let id: String
  /// The number of items that wait for it.
  private(set) var count = 1

  /// Creates a condition with its first item; nil if an item waits for something of its own.
  ///
  /// - Parameter hint: the hint that concerns no single item.
  init?(_ failure: Failure, of id: String, hint: String) {
    guard case .wait(let reason) = failure.code.entry.retry, reason.isOfMachine else { return nil }
    self.failure = failure
    self.id = id
    self.hint = hint
  }

  /// Creates a condition of items that the run did not begin.
  init?(_ failure: Failure, count: Int) {
    self.init(failure, of: "", hint: failure.hint)
    self.count = count
  }

  /// Whether both are one condition. Each root is away by itself; of the other conditions there is
  /// one, whose numbers change during the run.
  fileprivate func isSame(as other: MachineCondition) -> Bool {
    guard failure.code == other.failure.code else { return false }
    return failure.code != .rootAway || failure.summary == other.failure.summary
  }

  fileprivate mutating func add(_ other: MachineCondition) { count += other.count }

  /// Returns the failure to report, and the item if it is the only one.
  ///
  /// - Parameter zone: the time zone of the user.
  func failure(in zone: SystemZone) -> (failure: Failure, id: String?) {
    guard count > 1 || id.isEmpty else { return (failure, id) }
    let until = failure.retryAt.map { " until \(zone.text(of: $0)) \(zone.name(at: $0))" } ?? ""
    let waiting = count == 1 ? "1 episode waits" : "\(count) episodes wait"
    return (Failure(failure.code, "\(waiting)\(until): \(failure.summary)", hint: hint), nil)
  }
}

extension [MachineCondition] {
  /// Adds an item to its condition.
  mutating func add(_ condition: MachineCondition) {
    if let index = firstIndex(where: { $0.isSame(as: condition) }) {
      self[index].add(condition)
    } else {
      append(condition)
    }
  }
}

extension Messages {
  /// Reports each condition once, unless `--quiet` is set.
  ///
  /// - Parameter areFailures: whether no later run goes on by itself, so that they are reported
  ///   with `--quiet` too.
  func report(_ conditions: [MachineCondition], asFailures areFailures: Bool) {
    guard !isQuiet || areFailures else { return }
    for condition in conditions {
      let (failure, id) = condition.failure(in: SystemZone())
      report(failure, id: id)
    }
  }
}
