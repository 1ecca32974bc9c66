import Synchronization

/// Records that a reader has skipped a line that it could not read.
final class DamageMark: Sendable {
  private let isMet = Atomic<Bool>(false)

  /// Whether a reader has met such a line so far.
  var isSet: Bool { isMet.load(ordering: .relaxed) }

  func set() { isMet.store(true, ordering: .relaxed) }
}
